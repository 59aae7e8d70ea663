package io.tidemark.flink.io.checkpoint;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.jspecify.annotations.Nullable;

/**
 * Triggers a checkpoint when an operator asks for one by a {@link CheckpointRequest}. Requests that
 * come while one is going on wait for its end; only periodic checkpoints wait for the pause after
 * it, too. A request that is lost or refused is no fault: the next periodic checkpoint commits what
 * it was for.
 */
public final class CheckpointRequestCoordinator implements OperatorCoordinator {

  private static final byte[] NO_STATE = {};

  private final Context context;

  private CheckpointRequestCoordinator(Context context) {
    this.context = context;
  }

  /** Makes one for an operator. */
  public record Provider(OperatorID operator) implements OperatorCoordinator.Provider {

    @Override
    public OperatorID getOperatorId() {
      return operator;
    }

    @Override
    public OperatorCoordinator create(Context context) {
      return new CheckpointRequestCoordinator(context);
    }
  }

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) {
    CheckpointCoordinator checkpoints = context.getCheckpointCoordinator();
    if (checkpoints != null) {
      var unused = checkpoints.triggerCheckpoint(false);
    }
  }

  @Override
  public void checkpointCoordinator(long checkpointId, CompletableFuture<byte[]> result) {
    result.complete(NO_STATE);
  }

  @Override
  public void start() {}

  @Override
  public void close() {}

  @Override
  public void notifyCheckpointComplete(long checkpointId) {}

  @Override
  public void resetToCheckpoint(long checkpointId, byte @Nullable [] state) {}

  @Override
  public void subtaskReset(int subtask, long checkpointId) {}

  @Override
  public void executionAttemptFailed(int subtask, int attempt, @Nullable Throwable reason) {}

  @Override
  public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {}
}
