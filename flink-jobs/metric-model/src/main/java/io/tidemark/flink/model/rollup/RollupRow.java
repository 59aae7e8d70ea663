package io.tidemark.flink.model.rollup;

import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;

/**
 * One emitted pane. Rows of the same series and minute add up.
 *
 * @param key identity of {@code series}
 * @param series what the row describes
 * @param minute start of the minute, milliseconds since the Unix epoch
 * @param pane the figures
 */
public record RollupRow(SeriesKey key, SeriesDescriptor series, long minute, Pane pane) {

  /** Unique per emitted pane, because a point is the first one of one pane only. */
  public String paneId() {
    return key.hex() + "-" + minute + "-" + pane.first();
  }
}
