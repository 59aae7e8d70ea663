package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingAlerts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;

class TransitionIntakeTest {

  private static final TenantId ONE = new TenantId("org-one");

  /** Keeps what it is given, all of a call or nothing; fails where a test says so. */
  private static final class TestingWriter implements TransitionWriter {
    private final List<String> recorded = new ArrayList<>();
    private final Map<String, RuntimeException> failures = new HashMap<>();
    private int transactions;

    @Override
    public void record(TenantId organization, List<AlertTransition> transitions) {
      transactions++;
      for (AlertTransition transition : transitions) {
        RuntimeException failure = failures.get(transition.id());
        if (failure != null) {
          throw failure;
        }
      }
      transitions.stream()
          .map(AlertTransition::id)
          .filter(id -> !recorded.contains(id))
          .forEach(recorded::add);
    }
  }

  private final TestingWriter writer = new TestingWriter();
  private final TransitionIntake intake = new TransitionIntake(writer);

  private static List<AlertTransition> poll(String... ids) {
    List<AlertTransition> polled = new ArrayList<>();
    for (String id : ids) {
      int dash = id.indexOf('-');
      polled.add(
          TestingAlerts.transition(
              ONE,
              "env-a",
              "rule-a",
              id.substring(0, dash),
              Long.parseLong(id.substring(dash + 1)),
              Kind.CHANGED));
    }
    return polled;
  }

  @Test
  void transitionsOfAPollShareATransaction() {
    intake.record(poll("a-1", "b-1", "a-2", "c-1"));

    assertThat(writer.recorded).containsExactly("a-1", "b-1", "a-2", "c-1");
    assertThat(writer.transactions).isEqualTo(1);
  }

  @Test
  void oneThatTheDatabaseRefusesKeepsNoOtherFromBeingRecorded() {
    writer.failures.put("c-1", new DataIntegrityViolationException("no state of an alert"));

    intake.record(poll("a-1", "b-1", "c-1", "a-2", "c-2", "d-1"));

    assertThat(writer.recorded).containsExactly("a-1", "b-1", "a-2", "c-2", "d-1");
    assertThat(writer.transactions).as("halves, not one by one").isLessThan(8);
  }

  @Test
  void laterOnesOfItsGroupWaitForOneThatFails() {
    writer.failures.put("a-1", new IllegalStateException("secret cannot be opened"));

    assertThatThrownBy(() -> intake.record(poll("a-1", "b-1", "a-2", "b-2")))
        .hasMessageContaining("1 of 4");

    assertThat(writer.recorded).containsExactly("b-1", "b-2");
    writer.failures.clear();
    intake.record(poll("a-1", "b-1", "a-2", "b-2"));
    assertThat(writer.recorded).containsExactly("b-1", "b-2", "a-1", "a-2");
  }

  @Test
  void oneThatFailsInEveryPollIsGivenUpAndItsGroupGoesOn() {
    writer.failures.put("a-1", new IllegalStateException("secret cannot be opened"));
    for (int attempt = 1; attempt < UnrecordedTransitions.MAX_ATTEMPTS; attempt++) {
      assertThatThrownBy(() -> intake.record(poll("a-1", "a-2")))
          .isInstanceOf(IllegalStateException.class);
    }

    intake.record(poll("a-1", "a-2"));

    assertThat(writer.recorded).containsExactly("a-2");
  }

  @Test
  void aDatabaseThatIsNotAvailableEndsThePollAtOnce() {
    writer.failures.put("a-1", new DataAccessResourceFailureException("no connection"));

    assertThatThrownBy(() -> intake.record(poll("a-1", "b-1", "c-1", "d-1")))
        .isInstanceOf(DataAccessResourceFailureException.class);

    assertThat(writer.transactions).isEqualTo(1);
  }

  @Test
  void noTransitionIsGivenUpForALock() {
    writer.failures.put("b-1", new CannotAcquireLockException("deadlock detected"));
    for (int attempt = 0; attempt <= UnrecordedTransitions.MAX_ATTEMPTS; attempt++) {
      assertThatThrownBy(() -> intake.record(poll("a-1", "b-1")))
          .isInstanceOf(CannotAcquireLockException.class);
    }
    writer.failures.clear();

    intake.record(poll("a-1", "b-1"));

    assertThat(writer.recorded).containsExactly("a-1", "b-1");
  }
}
