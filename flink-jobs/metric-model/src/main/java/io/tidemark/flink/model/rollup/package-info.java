/**
 * One-minute delta panes: what a pane holds, when it is emitted, and what the emitted row says.
 * Rows of equal series and minute add up, so a late point needs no open window.
 */
@NullMarked
package io.tidemark.flink.model.rollup;

import org.jspecify.annotations.NullMarked;
