/**
 * The figures of one series in one window, which pass between the packages below. Rollup of many
 * series at once, in plain arrays: {@code combine} adds points up before the shuffle, {@code state}
 * holds what a key group has open after it. Knows nothing of the engine that stores chunks and
 * moves bundles.
 */
@NullMarked
package io.tidemark.flink.model.panes;

import org.jspecify.annotations.NullMarked;
