package io.tidemark.flink.alert.truth;

import io.tidemark.flink.alert.TestAlerts;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.operator.GroupEvaluator;
import io.tidemark.flink.alert.operator.RowMatcher;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.rows.RowBundle;
import io.tidemark.flink.model.alert.AlertTransition;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;

/** The operators of the job with as many evaluators as a test wants, and their checkpoints. */
final class RunningOperators implements AutoCloseable {

  private static final int KEY_GROUPS = 128;
  private static final int LINES_PER_RECORD = 50;
  private static final int MAX_STATE = 256 << 20;

  /** State of all operators at one moment. */
  record Checkpoint(OperatorSubtaskState matcher, List<OperatorSubtaskState> evaluators) {}

  private TwoInputStreamOperatorTestHarness<RowBundle, ControlRecord, SignalMinute> matcher;
  private final List<
          KeyedTwoInputStreamOperatorTestHarness<
              String, SignalMinute, ControlRecord, AlertTransition>>
      evaluators = new ArrayList<>();
  private long checkpoints;

  RunningOperators(int parallelism) throws Exception {
    this(null, parallelism, 0);
  }

  /**
   * @param memory for groups, in bytes; 0 for what is shipped
   */
  static RunningOperators restored(Checkpoint from, int parallelism, long memory) throws Exception {
    return new RunningOperators(from, parallelism, memory);
  }

  private RunningOperators(Checkpoint from, int parallelism, long memory) throws Exception {
    matcher = new TwoInputStreamOperatorTestHarness<>(new RowMatcher(), KEY_GROUPS, 1, 0);
    matcher.setCheckpointStorage(new JobManagerCheckpointStorage(MAX_STATE));
    if (from != null) {
      matcher.initializeState(from.matcher());
    }
    matcher.open();
    OperatorSubtaskState all =
        from == null
            ? null
            : AbstractStreamOperatorTestHarness.repackageState(
                from.evaluators().toArray(OperatorSubtaskState[]::new));
    for (int i = 0; i < parallelism; i++) {
      var evaluator =
          new KeyedTwoInputStreamOperatorTestHarness<
              String, SignalMinute, ControlRecord, AlertTransition>(
              new GroupEvaluator(memory),
              SignalMinute::signal,
              null,
              Types.STRING,
              KEY_GROUPS,
              parallelism,
              i);
      evaluator.setCheckpointStorage(new JobManagerCheckpointStorage(MAX_STATE));
      if (all != null) {
        evaluator.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                all, KEY_GROUPS, from.evaluators().size(), parallelism, i));
      }
      evaluator.open();
      evaluators.add(evaluator);
    }
  }

  Checkpoint checkpoint() throws Exception {
    long id = ++checkpoints;
    matcher.prepareSnapshotPreBarrier(id);
    pass();
    List<OperatorSubtaskState> states = new ArrayList<>();
    for (var evaluator : evaluators) {
      states.add(evaluator.snapshot(id, id));
    }
    return new Checkpoint(matcher.snapshot(id, id), states);
  }

  void control(ControlRecord record) throws Exception {
    matcher.processElement2(record, 0);
    for (var evaluator : evaluators) {
      evaluator.processElement2(record, 0);
    }
    pass();
  }

  void rows(List<String> lines) throws Exception {
    for (int from = 0; from < lines.size(); from += LINES_PER_RECORD) {
      List<String> some = lines.subList(from, Math.min(lines.size(), from + LINES_PER_RECORD));
      matcher.processElement1(TestAlerts.bundle(some.toArray(String[]::new)), 0);
    }
  }

  private void pass() throws Exception {
    for (SignalMinute minute : matcher.extractOutputValues()) {
      int subtask =
          KeyGroupRangeAssignment.assignKeyToParallelOperator(
              minute.signal(), KEY_GROUPS, evaluators.size());
      evaluators.get(subtask).processElement1(minute, 0);
    }
    matcher.getOutput().clear();
  }

  /** What is told when rows are complete. */
  List<AlertTransition> completeUntil(ControlRecord statement, long watermark) throws Exception {
    matcher.processWatermark2(new Watermark(watermark));
    matcher.processWatermark1(new Watermark(watermark));
    pass();
    List<AlertTransition> told = new ArrayList<>();
    for (var evaluator : evaluators) {
      evaluator.processElement2(statement, 0);
      evaluator.processWatermark2(new Watermark(watermark));
      evaluator.processWatermark1(new Watermark(watermark));
      told.addAll(evaluator.extractOutputValues());
      evaluator.getOutput().clear();
    }
    return told;
  }

  @Override
  public void close() throws Exception {
    matcher.close();
    for (var evaluator : evaluators) {
      evaluator.close();
    }
    evaluators.clear();
  }
}
