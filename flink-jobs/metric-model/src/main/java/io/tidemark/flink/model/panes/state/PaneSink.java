package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.budget.Excess;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.series.SeriesDescriptor;

/** Receives what leaves the panes of a key group. */
public interface PaneSink {

  /** Why a pane was emitted. */
  enum Cause {
    COMPLETE,
    LATE,
    OVERDUE
  }

  /**
   * One row; {@code figures} are only lent.
   *
   * @param pane number of the pane, unique in the job
   */
  void row(RollupLevel level, long window, SeriesState series, PaneAggregate figures, long pane);

  /** Rows of a metric in a pane that opened after the watermark had passed its window. */
  default void late(
      RollupLevel level, long window, String organizationId, String metric, int rows) {}

  /**
   * A minute of a series whose metric is split then: one row at full detail, and figures for the
   * reduced series. {@code figures} are only lent.
   */
  void split(
      long minute, SeriesState series, PaneAggregate figures, long pane, RouteInterval interval);

  /** One call per emitted cell of a pane, besides the row. */
  void emitted(Cause cause, RollupLevel level, int rows);

  /** A cumulative reading that cannot be used. */
  void setAside(
      RejectionReason reason,
      String finding,
      SeriesState series,
      long timeUnixNano,
      PendingReading pending);

  /** A series that counts for the overflow series of its metric, each time it is announced. */
  void folded(SeriesDescriptor series, Excess excess);

  /** The first reading of a series of unknown age: remembered, counted as 0. */
  void baseline();

  /** A reading that repeats one already taken. */
  void repeated();
}
