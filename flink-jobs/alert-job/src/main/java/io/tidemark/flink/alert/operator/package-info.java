/** Operators of the alert job: state and timers; what is decided is decided by the model. */
@NullMarked
package io.tidemark.flink.alert.operator;

import org.jspecify.annotations.NullMarked;
