package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.panes.PaneAggregate;

/** Receives cells of minutes that are not complete, as they are now. */
public interface OpenMinutes {

  /** Whether a cell may be sent now. */
  boolean hasRoom();

  /**
   * One cell; {@code figures} are only lent.
   *
   * @param isFirst whether the series has no earlier cell of this minute since the panes exist
   */
  void cell(long minute, SeriesState series, PaneAggregate figures, boolean isFirst);

  /** Cells that changed and found no room; they are offered again. */
  void leftOut(int cells);
}
