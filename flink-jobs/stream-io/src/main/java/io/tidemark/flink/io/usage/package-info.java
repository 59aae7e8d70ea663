/** What the rollup job counted, as usage records, written exactly once. */
@NullMarked
package io.tidemark.flink.io.usage;

import org.jspecify.annotations.NullMarked;
