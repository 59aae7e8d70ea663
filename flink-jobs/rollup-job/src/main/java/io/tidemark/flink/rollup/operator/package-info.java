/** Functions that hold state, timers and counters, and ask the metric model what to do. */
@NullMarked
package io.tidemark.flink.rollup.operator;

import org.jspecify.annotations.NullMarked;
