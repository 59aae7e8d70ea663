package io.tidemark.flink.io.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointRequestCoordinatorTest {

  private final Deque<CompletableFuture<?>> answers = new ArrayDeque<>();
  private final Deque<Runnable> later = new ArrayDeque<>();
  private int triggered;

  private final CheckpointRequestCoordinator coordinator =
      new CheckpointRequestCoordinator(
          () -> {
            triggered++;
            return answers.isEmpty() ? CompletableFuture.completedFuture(null) : answers.remove();
          },
          later::add);

  private void request() {
    coordinator.handleEventFromOperator(0, 0, new CheckpointRequest());
  }

  private void refuse(CheckpointFailureReason reason) {
    answers.add(CompletableFuture.failedFuture(new CheckpointException(reason)));
  }

  @Test
  void aRequestTriggersOneCheckpoint() {
    request();

    assertEquals(1, triggered);
    assertEquals(0, later.size());
  }

  @ParameterizedTest
  @EnumSource(
      value = CheckpointFailureReason.class,
      names = {"NOT_ALL_REQUIRED_TASKS_RUNNING", "CHECKPOINT_DECLINED_TASK_NOT_READY"})
  void aRequestWhileTasksStartIsTriedAgainUntilTheyRun(CheckpointFailureReason reason) {
    refuse(reason);
    refuse(reason);
    request();
    request();
    assertEquals(1, triggered, "the second request waits with the first");

    later.remove().run();
    later.remove().run();
    assertEquals(3, triggered);
    assertEquals(0, later.size());

    request();
    assertEquals(4, triggered);
  }

  @Test
  void aRequestThatIsRefusedOtherwiseIsLeftToThePeriodicCheckpoint() {
    refuse(CheckpointFailureReason.CHECKPOINT_EXPIRED);
    request();

    assertEquals(0, later.size());
  }

  @Test
  void tasksThatNeverStartEndTheAttempts() {
    for (int i = 0; i < 2 * CheckpointRequestCoordinator.MAX_ATTEMPTS; i++) {
      refuse(CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING);
    }
    request();
    while (!later.isEmpty()) {
      later.remove().run();
    }

    assertEquals(CheckpointRequestCoordinator.MAX_ATTEMPTS, triggered);
  }

  @Test
  void aJobThatEndsTriggersNothingMore() {
    refuse(CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING);
    request();
    coordinator.close();
    later.remove().run();

    assertEquals(1, triggered);
  }
}
