package io.tidemark.flink.io.checkpoint;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Triggers a checkpoint when an operator asks for one by a {@link CheckpointRequest}. Requests that
 * come while one is going on wait for its end; only periodic checkpoints wait for the pause after
 * it, too. A request that comes while other tasks still start is tried again until they run. One
 * that is lost or refused otherwise is no fault: the next periodic checkpoint commits what it was
 * for.
 */
public final class CheckpointRequestCoordinator implements OperatorCoordinator {

  private static final byte[] NO_STATE = {};

  /** Tasks of a job start within seconds; a job that restarts for longer has its periodic ones. */
  static final int MAX_ATTEMPTS = 60;

  private static final long PAUSE_MS = 500;

  private final Supplier<CompletableFuture<?>> trigger;
  private final Executor afterPause;
  private final AtomicBoolean isPending = new AtomicBoolean();
  private volatile boolean isClosed;

  /**
   * Triggers by {@code trigger}, and again by {@code afterPause} while tasks start.
   *
   * @param afterPause runs what it is given a while later, in any thread
   */
  CheckpointRequestCoordinator(Supplier<CompletableFuture<?>> trigger, Executor afterPause) {
    this.trigger = trigger;
    this.afterPause = afterPause;
  }

  private static CompletableFuture<?> triggerCheckpoint(Context context) {
    CheckpointCoordinator checkpoints = context.getCheckpointCoordinator();
    return checkpoints == null
        ? CompletableFuture.completedFuture(null)
        : checkpoints.triggerCheckpoint(false);
  }

  /** Makes one for an operator. */
  public record Provider(OperatorID operator) implements OperatorCoordinator.Provider {

    @Override
    public OperatorID getOperatorId() {
      return operator;
    }

    @Override
    public OperatorCoordinator create(Context context) {
      return new CheckpointRequestCoordinator(
          () -> triggerCheckpoint(context),
          CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS));
    }
  }

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) {
    // One that waits for tasks stands for later requests, too.
    if (!isPending.get()) {
      attempt(1);
    }
  }

  private void attempt(int number) {
    if (isClosed) {
      return;
    }
    var unused =
        trigger
            .get()
            .whenComplete(
                (checkpoint, failure) -> {
                  boolean isAgain = number < MAX_ATTEMPTS && isWhileTasksStart(failure);
                  isPending.set(isAgain);
                  if (isAgain) {
                    afterPause.execute(() -> attempt(number + 1));
                  }
                });
  }

  private static boolean isWhileTasksStart(@Nullable Throwable failure) {
    return failure != null
        && ExceptionUtils.findThrowable(failure, CheckpointException.class)
            .map(CheckpointException::getCheckpointFailureReason)
            .filter(
                reason ->
                    reason == CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING
                        || reason == CheckpointFailureReason.CHECKPOINT_DECLINED_TASK_NOT_READY)
            .isPresent();
  }

  @Override
  public void checkpointCoordinator(long checkpointId, CompletableFuture<byte[]> result) {
    result.complete(NO_STATE);
  }

  @Override
  public void start() {}

  @Override
  public void close() {
    isClosed = true;
  }

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
