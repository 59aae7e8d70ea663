package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.points.ReadingRequest;
import io.tidemark.flink.io.rows.RowLines;
import io.tidemark.flink.io.rows.RowText;
import io.tidemark.flink.model.budget.Excess;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.cumulative.PendingReading;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.panes.PaneSink;
import io.tidemark.flink.model.panes.Reduction;
import io.tidemark.flink.model.panes.SeriesState;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.usage.RowLevel;
import io.tidemark.flink.rollup.RollupMetrics;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Rows of panes on their way out, in bundles that are complete at the end of every call, so that
 * none waits over a barrier; and what else panes tell. Minutes are the main output.
 */
final class PaneOutput implements PaneSink {

  /** By level of rollups, finest first. */
  private static final RowLevel[] LEVELS = {RowLevel.MINUTES, RowLevel.HOURS, RowLevel.DAYS};

  private final Output<StreamRecord<byte[]>> output;
  private final BudgetOutput budgets;
  private final String sourceTopic;
  private final Map<RollupLevel, RowLines> lines = new EnumMap<>(RollupLevel.class);
  private final RowLines splitLines = new RowLines();
  private final Reduction reduction;
  private final @Nullable RowMeter meter;

  private final Map<Cause, Counter> causes;
  private final Counter baselines;
  private final Counter repeated;
  private final DeadLetterOutput deadLetters;
  private final Map<LateWindow, Map<String, Integer>> lateRows = new LinkedHashMap<>();

  /** More metrics of a window at once are told as any: each is a record that all readers keep. */
  static final int MAX_LATE_METRICS = 100;

  private record LateWindow(String organizationId, RollupLevel level, long window) {}

  /**
   * @param budgets of the operator
   * @param meter counts the rows; null when they are not metered
   * @param sourceTopic where the points came from
   */
  PaneOutput(
      MetricGroup metrics,
      Output<StreamRecord<byte[]>> output,
      BudgetOutput budgets,
      @Nullable RowMeter meter,
      int keyGroups,
      String sourceTopic) {
    this.output = output;
    this.budgets = budgets;
    this.meter = meter;
    this.sourceTopic = sourceTopic;
    this.reduction =
        new Reduction(
            keyGroups,
            bundle -> output.collect(RollupOperator.REDUCED, new StreamRecord<>(bundle)));
    for (RollupLevel level : RollupLevel.values()) {
      lines.put(level, new RowLines());
    }
    causes =
        new EnumMap<>(
            Map.of(
                Cause.COMPLETE, RollupMetrics.counter(metrics, RollupMetrics.PANES_ON_TIME),
                Cause.LATE, RollupMetrics.counter(metrics, RollupMetrics.PANES_LATE),
                Cause.OVERDUE, RollupMetrics.counter(metrics, RollupMetrics.PANES_OVERDUE)));
    baselines = RollupMetrics.counter(metrics, RollupMetrics.READINGS_BASELINE);
    repeated = RollupMetrics.counter(metrics, RollupMetrics.READINGS_REPEATED);
    deadLetters = new DeadLetterOutput(metrics);
  }

  /** What the call before left, with what it tells of late rows: both belong to one checkpoint. */
  void send(long now) {
    for (RollupLevel level : RollupLevel.values()) {
      if (!linesOf(level).isEmpty()) {
        send(level);
      }
    }
    if (!splitLines.isEmpty()) {
      output.collect(RollupOperator.SPLIT_MINUTES, new StreamRecord<>(splitLines.take()));
    }
    reduction.flush(now);
    sendLateRows();
    if (meter != null) {
      meter.at(now);
    }
  }

  /** Rows of a barrier and what is billed of them belong to one checkpoint. */
  void tellMetered() {
    if (meter != null) {
      meter.tell();
    }
  }

  private RowLines linesOf(RollupLevel level) {
    return Objects.requireNonNull(lines.get(level));
  }

  private void send(RollupLevel level) {
    StreamRecord<byte[]> bundle = new StreamRecord<>(linesOf(level).take());
    switch (level) {
      case MINUTE -> output.collect(bundle);
      case HOUR -> output.collect(RollupOperator.HOURS, bundle);
      case DAY -> output.collect(RollupOperator.DAYS, bundle);
    }
  }

  @Override
  public void row(
      RollupLevel level, long window, SeriesState series, PaneAggregate figures, long pane) {
    byte[] head = headOf(series);
    RowLines rows = linesOf(level);
    if (!rows.isEmpty() && !rows.hasRoomFor(head, series.attributes(), figures)) {
      send(level);
    }
    rows.add(window, series.key(), head, series.attributes(), figures, pane);
    if (meter != null) {
      meter.row(LEVELS[level.ordinal()], series);
    }
  }

  static byte[] headOf(SeriesState series) {
    byte[] text = series.head().rowText();
    if (text == null) {
      text = RowText.head(series.descriptor());
      series.head().keepRowText(text);
    }
    return text;
  }

  @Override
  public void split(
      long minute, SeriesState series, PaneAggregate figures, long pane, RouteInterval interval) {
    byte[] head = headOf(series);
    boolean hasRoom = splitLines.hasRoomFor(head, series.attributes(), figures);
    if (!splitLines.isEmpty() && !hasRoom) {
      output.collect(RollupOperator.SPLIT_MINUTES, new StreamRecord<>(splitLines.take()));
    }
    splitLines.add(minute, series.key(), head, series.attributes(), figures, pane);
    if (meter != null) {
      meter.row(RowLevel.MINUTES_IN_DETAIL, series);
    }
    reduction.add(series, interval, minute, figures);
  }

  @Override
  public void late(RollupLevel level, long window, String organizationId, String metric, int rows) {
    Map<String, Integer> metrics =
        lateRows.computeIfAbsent(
            new LateWindow(organizationId, level, window), ignored -> new LinkedHashMap<>());
    metrics.merge(metrics.containsKey(LateRows.ANY) ? LateRows.ANY : metric, rows, Integer::sum);
    if (metrics.size() > MAX_LATE_METRICS) {
      int all = metrics.values().stream().mapToInt(Integer::intValue).sum();
      metrics.clear();
      metrics.put(LateRows.ANY, all);
    }
  }

  private void sendLateRows() {
    if (!lateRows.isEmpty()) {
      lateRows.forEach(
          (of, metrics) ->
              metrics.forEach(
                  (metric, rows) ->
                      output.collect(
                          RollupOperator.LATE_ROWS,
                          new StreamRecord<>(
                              new LateRows(
                                  of.organizationId(), of.level(), of.window(), rows, metric)))));
      lateRows.clear();
    }
  }

  @Override
  public void emitted(Cause cause, RollupLevel level, int rows) {
    Objects.requireNonNull(causes.get(cause)).inc(rows);
  }

  @Override
  public void folded(SeriesDescriptor series, Excess excess) {
    budgets.seen().folded(series, excess);
  }

  @Override
  public void baseline() {
    baselines.inc();
  }

  @Override
  public void repeated() {
    repeated.inc();
  }

  @Override
  public void setAside(
      RejectionReason reason,
      String finding,
      SeriesState series,
      long timeUnixNano,
      PendingReading pending) {
    SeriesDescriptor descriptor = series.descriptor();
    byte[] original = ReadingRequest.of(descriptor, timeUnixNano, pending.reading());
    String detail =
        finding
            + " Metric '"
            + descriptor.metric()
            + "', series "
            + series.key().hex()
            + ", time_unix_nano "
            + timeUnixNano
            + ". The original is a request rebuilt from this point.";
    DeadLetter letter =
        new DeadLetter(
            reason,
            detail,
            descriptor.organizationId(),
            descriptor.environmentId(),
            pending.reading().batchId(),
            sourceTopic,
            pending.position().partition(),
            pending.position().offset(),
            pending.reading().receivedAtUnixMs(),
            original,
            original.length,
            1,
            "roll-up",
            new int[] {pending.position().index()});
    output.collect(DeadLetterOutput.TAG, new StreamRecord<>(deadLetters.counted(letter)));
  }
}
