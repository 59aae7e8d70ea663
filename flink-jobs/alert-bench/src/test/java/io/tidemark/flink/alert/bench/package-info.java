/** Measures what deciding alerts costs, beside Prometheus' ruler. */
@NullMarked
package io.tidemark.flink.alert.bench;

import org.jspecify.annotations.NullMarked;
