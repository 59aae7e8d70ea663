/** Processes, inputs, peers and checks of {@code make bench-rollup}. */
@NullMarked
package io.tidemark.flink.rollup.bench;

import org.jspecify.annotations.NullMarked;
