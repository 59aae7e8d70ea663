/**
 * The rollup job: batches accepted by the gateway in, one-minute rollup rows and dead letters out.
 *
 * <p>A point is late when the watermark has completed its minute; it then opens a new, small pane
 * whose row adds to the rows already emitted. Nothing is too late here. What cannot be used becomes
 * a dead letter with a reason.
 */
@NullMarked
package io.tidemark.flink.rollup;

import org.jspecify.annotations.NullMarked;
