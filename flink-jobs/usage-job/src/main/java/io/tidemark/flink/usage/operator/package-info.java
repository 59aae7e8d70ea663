/** Operators of the usage job; what they decide is in the model. */
@NullMarked
package io.tidemark.flink.usage.operator;

import org.jspecify.annotations.NullMarked;
