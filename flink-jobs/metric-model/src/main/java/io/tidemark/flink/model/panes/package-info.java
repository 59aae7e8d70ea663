/**
 * Rollup of many series at once, in plain arrays: partial figures combined before the shuffle,
 * bundles that carry them, and the open panes of a key group with the chunks they are stored in.
 * Knows nothing of the engine that stores chunks and moves bundles.
 */
@NullMarked
package io.tidemark.flink.model.panes;

import org.jspecify.annotations.NullMarked;
