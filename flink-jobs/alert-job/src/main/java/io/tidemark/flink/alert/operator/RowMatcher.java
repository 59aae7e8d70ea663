package io.tidemark.flink.alert.operator;

import io.tidemark.flink.alert.AlertMetrics;
import io.tidemark.flink.alert.match.MatchedRows;
import io.tidemark.flink.alert.match.PackedGroups;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.match.SignalSide;
import io.tidemark.flink.io.JobMetrics;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the rules that rows concern, and adds rows up per group and minute before they cross the
 * network. Holds nothing over a checkpoint barrier, nor a minute over the watermark that completes
 * it; what it knows of series is a memory that a restart rebuilds.
 */
public final class RowMatcher extends AbstractStreamOperator<SignalMinute>
    implements TwoInputStreamOperator<RowBundle, ControlRecord, SignalMinute> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RowMatcher.class);

  static final MinuteTotals NOTHING = MinuteTotals.of(0, 0, Double.NaN, Double.NaN, Double.NaN, 0);

  private transient BroadcastState<String, byte[]> latest;
  private transient BroadcastState<String, byte[]> previous;
  private transient RuleTable rules;
  private transient MatchedRows matched;
  private transient Counter unreadableRules;

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    latest = context.getOperatorStateStore().getBroadcastState(RuleTable.LATEST);
    previous = context.getOperatorStateStore().getBroadcastState(RuleTable.PREVIOUS);
  }

  @Override
  public void open() throws Exception {
    super.open();
    rules = new RuleTable(rule -> true);
    rules.load(latest, previous);
    Counter matchedRows = JobMetrics.counter(getMetricGroup(), AlertMetrics.ROWS_MATCHED);
    Counter unreadableRows = JobMetrics.counter(getMetricGroup(), AlertMetrics.ROWS_UNREADABLE);
    unreadableRules = JobMetrics.counter(getMetricGroup(), AlertMetrics.RULES_UNREADABLE);
    matched = new MatchedRows(rules.index(), matchedRows::inc, unreadableRows::inc);
  }

  @Override
  public void processElement1(StreamRecord<RowBundle> element) {
    matched.add(element.getValue().rows(), this::send);
  }

  @Override
  public void processElement2(StreamRecord<ControlRecord> element) throws Exception {
    ControlRecord record = element.getValue();
    // Rows count for the rules that were in force when they came.
    handOn();
    matched.forget();
    RuleTable.Acceptance accepted = rules.accept(record, latest, previous);
    if (accepted.fault() != null) {
      unreadableRules.inc();
      LOG.warn("Alert rule '{}' is not in force. {}", record.key(), accepted.fault());
    }
    RuleVersions changed = accepted.changed();
    boolean isFirst =
        getContainingTask().getEnvironment().getTaskInfo().getIndexOfThisSubtask() == 0;
    if (changed != null && isFirst && changed.latest().signal().isOneGroup()) {
      send(seed(changed));
    }
  }

  /** The group of a rule that has one, before rows come. */
  private static SignalMinute seed(RuleVersions rule) {
    long from = rule.latest().effectiveFrom();
    SignalSide signal =
        SignalSide.of(
            SignalMinute.key(
                rule.latest().organizationId(), rule.latest().environmentId(), rule.latestSignal()),
            rule.latest().signal(),
            SignalMinute.SEED);
    return signal.minute(from, PackedGroups.of("", NOTHING, from), SignalMinute.ROWS);
  }

  private void send(SignalMinute minute) {
    output.collect(new StreamRecord<>(minute));
  }

  private void handOn() {
    matched.handOn(this::send);
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    handOn();
    super.processWatermark(mark);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    handOn();
    super.prepareSnapshotPreBarrier(checkpointId);
  }

  @Override
  public void finish() throws Exception {
    handOn();
    super.finish();
  }
}
