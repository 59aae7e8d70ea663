package io.tidemark.flink.rollup.operator;

import io.tidemark.flink.io.checkpoint.CheckpointRequest;
import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.model.completeness.CommittedProgress;
import io.tidemark.flink.model.completeness.CompletenessStatement;
import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.completeness.MinuteEndDetector;
import io.tidemark.flink.model.completeness.RevisionCheckpoints;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.completeness.TenantLagTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The job's word on how far its committed rows are complete. Runs once: its watermark is the least
 * of all subtasks that write rows, and a barrier reaches it after theirs. What was true at a
 * checkpoint is said when the checkpoint is complete, so it is committed by a later one. Asks for
 * both checkpoints when a minute ends, and for the second when rows came late: dashboards and alert
 * rules wait for them.
 */
final class CompletenessReporter extends AbstractStreamOperator<byte[]>
    implements TwoInputStreamOperator<LateRows, TenantLag, byte[]> {
  private static final long serialVersionUID = 1L;

  private static final long SUMMARY_AFTER_MS = 1_000L;

  // What was stated, so that after a restart a change of it is still known as one.
  private transient ListState<Long> statedUntil;
  private transient ListState<TenantLag> statedBehind;
  private transient CommittedProgress progress;
  private transient TenantLagTable lags;
  private transient long reached;
  private transient boolean isFinished;

  private final transient OperatorEventGateway coordinator;
  private final transient MinuteEndDetector ends = new MinuteEndDetector();
  private final transient MinuteEndDetector statedEnds = new MinuteEndDetector();
  private final transient RevisionCheckpoints revisions = new RevisionCheckpoints();

  CompletenessReporter(
      StreamOperatorParameters<byte[]> parameters, OperatorEventGateway coordinator) {
    super(parameters);
    this.coordinator = coordinator;
  }

  /** Its parameters are given later: by test harnesses. */
  CompletenessReporter(OperatorEventGateway coordinator) {
    this.coordinator = coordinator;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    progress = new CommittedProgress();
    lags = new TenantLagTable();
    reached = Long.MIN_VALUE;
    isFinished = false;
    statedUntil =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("stated-until", Types.LONG));
    statedBehind =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("stated-behind", TypeInformation.of(TenantLag.class)));
    List<TenantLag> behind = new ArrayList<>();
    statedBehind.get().forEach(behind::add);
    for (long until : statedUntil.get()) {
      progress.restore(new CompletenessStatement(until, 0, behind));
      behind.forEach(lag -> lags.heard(lag, now()));
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    CompletenessStatement before = progress.summary(now());
    if (before.completeUntil() != Long.MIN_VALUE) {
      // A crash between a checkpoint and the next took the statement with it.
      var unused =
          processingTimeService.registerTimer(now() + SUMMARY_AFTER_MS, due -> say(before));
    }
  }

  @Override
  public void processElement1(StreamRecord<LateRows> rows) {
    if (progress.isRevision(rows.getValue())) {
      revisions.revised(rows.getValue().rows());
      output.collect(new StreamRecord<>(ProgressRecord.encode(rows.getValue())));
    }
  }

  @Override
  public void processElement2(StreamRecord<TenantLag> lag) {
    lags.heard(lag.getValue(), now());
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    // The end of input is no time.
    if (mark.getTimestamp() != Long.MAX_VALUE) {
      reached = mark.getTimestamp();
      requestCheckpointIf(ends.isPassed(reached + 1, now()));
    }
    super.processWatermark(mark);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    boolean isRevising = revisions.checkpoint(context.getCheckpointId());
    progress.checkpoint(context.getCheckpointId(), reached, now(), lags.lagging(now()), isRevising);
    CompletenessStatement stated = progress.summary(now());
    if (stated.completeUntil() != Long.MIN_VALUE) {
      statedUntil.update(List.of(stated.completeUntil()));
      statedBehind.update(stated.lagging());
    }
    super.snapshotState(context);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    for (CompletenessStatement statement : progress.completed(checkpointId)) {
      say(statement);
      requestCheckpointIf(statedEnds.isPassed(statement.completeUntil(), now()));
    }
    requestCheckpointIf(revisions.isCommitted(checkpointId, now()));
  }

  @Override
  public void finish() throws Exception {
    isFinished = true;
    super.finish();
  }

  private void say(CompletenessStatement statement) {
    if (!isFinished) {
      output.collect(new StreamRecord<>(ProgressRecord.encode(statement)));
    }
  }

  private void requestCheckpointIf(boolean isDue) {
    if (isDue && !isFinished) {
      coordinator.sendEventToCoordinator(new CheckpointRequest());
    }
  }

  private long now() {
    return processingTimeService.getCurrentProcessingTime();
  }
}
