/** A compact form in bytes of what travels between operators and lies in state. */
@NullMarked
package io.tidemark.flink.alert.packed;

import org.jspecify.annotations.NullMarked;
