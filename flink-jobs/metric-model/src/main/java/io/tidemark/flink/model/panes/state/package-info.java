/**
 * What one key group has open after the shuffle: its series, panes of minutes, hours and days,
 * waiting readings, late cells, and the chunks in which all of it is stored.
 *
 * <p>Open minutes and late cells work on the fields of chunks and series, cell by cell: in packages
 * of their own they would make dozens of members public, so they stay here. {@link
 * io.tidemark.flink.model.panes.state.Reduction} keeps its slot in the series for the same reason.
 */
@NullMarked
package io.tidemark.flink.model.panes.state;

import org.jspecify.annotations.NullMarked;
