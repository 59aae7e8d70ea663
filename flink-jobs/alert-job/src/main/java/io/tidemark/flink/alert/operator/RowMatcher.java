package io.tidemark.flink.alert.operator;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.alert.match.RollupRow;
import io.tidemark.flink.alert.match.RuleMinute;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the rules that rows concern, and adds rows of a record up per group and minute before they
 * go to the group. Rows that no rule wants are read up to the metric's name and no further.
 */
public final class RowMatcher
    extends BroadcastProcessFunction<RowBundle, ControlRecord, RuleMinute> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RowMatcher.class);

  static final MinuteTotals NOTHING = MinuteTotals.of(0, 0, Double.NaN, Double.NaN, Double.NaN, 0);

  private record Cell(String rule, String signal, String labels, int side, long start) {}

  private transient RuleTable rules;
  private transient RollupRow row;
  private transient Map<Cell, MinuteTotals> cells;
  private transient Counter unreadableRules;
  private transient Counter unreadableRows;
  private transient Counter matchedRows;

  @Override
  public void open(OpenContext context) {
    rules = new RuleTable(rule -> true);
    row = new RollupRow();
    cells = new LinkedHashMap<>();
    var metrics = getRuntimeContext().getMetricGroup();
    unreadableRules = JobMetrics.counter(metrics, AlertMetrics.RULES_UNREADABLE);
    unreadableRows = JobMetrics.counter(metrics, AlertMetrics.ROWS_UNREADABLE);
    matchedRows = JobMetrics.counter(metrics, AlertMetrics.ROWS_MATCHED);
  }

  @Override
  public void processBroadcastElement(
      ControlRecord record, Context context, Collector<RuleMinute> out) throws Exception {
    var latest = context.getBroadcastState(RuleTable.LATEST);
    var previous = context.getBroadcastState(RuleTable.PREVIOUS);
    rules.load(latest, previous);
    RuleTable.Acceptance accepted = rules.accept(record, latest, previous);
    if (accepted.fault() != null) {
      unreadableRules.inc();
      LOG.warn("Alert rule '{}' is not in force. {}", record.key(), accepted.fault());
    }
    RuleVersions changed = accepted.changed();
    boolean isFirst = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0;
    if (changed != null && isFirst && changed.latest().signal().isOneGroup()) {
      out.collect(
          new RuleMinute(
              record.key(),
              changed.latestSignal(),
              "",
              RuleMinute.SEED,
              changed.latest().effectiveFrom(),
              NOTHING,
              RuleMinute.ROWS));
    }
  }

  @Override
  public void processElement(RowBundle bundle, ReadOnlyContext context, Collector<RuleMinute> out)
      throws Exception {
    rules.load(
        context.getBroadcastState(RuleTable.LATEST), context.getBroadcastState(RuleTable.PREVIOUS));
    byte[] rows = bundle.rows();
    int from = 0;
    while (from < rows.length) {
      int to = from;
      while (to < rows.length && rows[to] != '\n') {
        to++;
      }
      if (to > from) {
        match(rows, from, to - from);
      }
      from = to + 1;
    }
    cells.forEach(
        (cell, totals) ->
            out.collect(
                new RuleMinute(
                    cell.rule(),
                    cell.signal(),
                    cell.labels(),
                    cell.side(),
                    cell.start(),
                    totals,
                    RuleMinute.ROWS)));
    cells.clear();
  }

  private void match(byte[] rows, int from, int length) {
    try {
      if (row.read(rows, from, length, rules.index()::isWanted)) {
        matchedRows.inc();
        rules
            .index()
            .match(
                row,
                row.totals(),
                (rule, signal, labels, side, start, totals) ->
                    cells.merge(
                        new Cell(rule, signal, labels, side, start), totals, MinuteTotals::add));
      }
    } catch (IOException e) {
      unreadableRows.inc();
    }
  }
}
