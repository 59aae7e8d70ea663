/** How many series and label values a metric has: HyperLogLog sketches that merge. */
@NullMarked
package io.tidemark.flink.rollup.cardinality;

import org.jspecify.annotations.NullMarked;
