/** Cumulative readings become deltas. Guarded by CumulativeToDeltaTest. */
@NullMarked
package io.tidemark.flink.model.cumulative;

import org.jspecify.annotations.NullMarked;
