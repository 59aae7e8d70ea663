/**
 * Alert rules against committed one-minute rows, by event time.
 *
 * <p>Rules come by {@code control.alert-rules.v1}; rows by the one-minute topics, read committed;
 * how far they are complete by {@code pipeline.watermarks.v1}. A minute is decided when its rows
 * are complete, and again when rows come late. What became of alerts leaves by {@code
 * alerts.transitions.v1}, exactly once.
 */
@NullMarked
package io.tidemark.flink.alert;

import org.jspecify.annotations.NullMarked;
