/**
 * Generated rules and rows, and what must become of them, computed a second time in the plainest
 * way: from all rows that came, from the first minute on, without state.
 */
@NullMarked
package io.tidemark.flink.alert.truth;

import org.jspecify.annotations.NullMarked;
