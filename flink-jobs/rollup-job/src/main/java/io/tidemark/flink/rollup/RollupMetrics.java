package io.tidemark.flink.rollup;

import io.tidemark.flink.io.JobMetrics;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the job, beside those of the operators it shares with others. Names are public:
 * dashboards and alerts use them.
 */
public final class RollupMetrics {

  /** Batches handed to the decoder. */
  public static final String BATCHES_DECODED = "batchesDecoded";

  /** Batches read in place; the others took the longer way through the generated classes. */
  public static final String BATCHES_PLAIN = "batchesPlain";

  /** Points that passed every check. */
  public static final String POINTS_DECODED = "pointsDecoded";

  /** Points whose sender says that no value was recorded. */
  public static final String POINTS_WITHOUT_VALUE = "pointsWithoutValue";

  /** Bundles of combined points sent to the panes. */
  public static final String BUNDLES_SENT = "bundlesSent";

  /** Rows emitted because the watermark completed their window. */
  public static final String PANES_ON_TIME = "panesOnTime";

  /** Rows of late points. */
  public static final String PANES_LATE = "panesLate";

  /** Rows emitted by the wall clock before the watermark completed their window. */
  public static final String PANES_OVERDUE = "panesOverdue";

  /** First cumulative readings of unknown age: remembered, counted as 0. */
  public static final String READINGS_BASELINE = "readingsBaseline";

  /** Cumulative readings that repeat one already taken. */
  public static final String READINGS_REPEATED = "readingsRepeated";

  /** Cells of open minutes sent to the live topic. */
  public static final String LIVE_CELLS = "liveCells";

  /** Cells that changed and were not sent in that second, because as many as allowed were. */
  public static final String LIVE_CELLS_LEFT_OUT = "liveCellsLeftOut";

  /**
   * Times that a series was folded into an overflow series, also by organisation, environment and
   * metric.
   */
  public static final String SERIES_FOLDED = "seriesFolded";

  /** Different names of labels over all tenants: columns of the rows that a subtask writes. */
  public static final String LABEL_KEYS = "labelKeys";

  private RollupMetrics() {}

  public static Counter counter(MetricGroup operator, String name) {
    return JobMetrics.counter(operator, name);
  }
}
