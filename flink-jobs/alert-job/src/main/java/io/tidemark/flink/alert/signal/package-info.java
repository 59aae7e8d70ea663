/** Signals in memory and in state: groups by number, their totals, and what rules know of them. */
@NullMarked
package io.tidemark.flink.alert.signal;

import org.jspecify.annotations.NullMarked;
