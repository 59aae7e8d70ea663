package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.TransactionOutcome.State;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** What is made of a commit that a coordinator did not know, and of one that it refused. */
class ReconcilingCommitterTest {
  private static final KafkaCommittable TRANSACTION =
      new KafkaCommittable(7, (short) 0, "job-sink-0-1", null);

  /** A coordinator that was reading its log knew nothing; its transaction holds rows. */
  @Test
  void anOpenTransactionThatWasNotKnownIsCommittedByARestart() throws Exception {
    assertEquals("restart: InvalidPidMappingException", unknown(State.OPEN));
  }

  @Test
  void aTransactionThatWasNotKnownMayBeCommitted() throws Exception {
    assertEquals("committed before", unknown(State.COMMITTED));
  }

  @Test
  void aTransactionThatIsLostOrForgottenStartsNothingAgain() throws Exception {
    assertEquals("failed: InvalidPidMappingException", unknown(State.LOST));
    assertEquals("failed: InvalidPidMappingException", unknown(State.FORGOTTEN));
  }

  @Test
  void whenNobodyCanBeAskedTheJobRestarts() throws Exception {
    TestingCommitRequest request = new TestingCommitRequest(TRANSACTION);
    commit(
        request,
        each -> each.signalFailedWithUnknownReason(new InvalidPidMappingException("unknown")),
        transaction -> {
          throw new IllegalStateException("no broker");
        });

    assertEquals("restart: IllegalStateException", request.said());
  }

  @Test
  void aFencedCommitIsAskedAboutInTheSameWay() throws Exception {
    TestingCommitRequest request = new TestingCommitRequest(TRANSACTION);
    commit(
        request,
        each -> each.signalFailedWithKnownReason(new ProducerFencedException("fenced")),
        transaction -> State.LOST);

    assertEquals("failed: ProducerFencedException", request.said());
  }

  private static String unknown(State state) throws Exception {
    TestingCommitRequest request = new TestingCommitRequest(TRANSACTION);
    commit(
        request,
        each -> each.signalFailedWithUnknownReason(new InvalidPidMappingException("unknown")),
        transaction -> state);
    return request.said();
  }

  private static void commit(
      TestingCommitRequest request,
      Consumer<Committer.CommitRequest<KafkaCommittable>> refusal,
      Function<KafkaCommittable, State> answer)
      throws Exception {
    Committer<KafkaCommittable> refusing =
        new Committer<>() {
          @Override
          public void commit(Collection<CommitRequest<KafkaCommittable>> requests) {
            requests.forEach(refusal);
          }

          @Override
          public void close() {}
        };
    TransactionOutcome outcome =
        new TransactionOutcome() {
          @Override
          public State of(KafkaCommittable transaction) {
            return answer.apply(transaction);
          }

          @Override
          public void close() {}
        };
    try (ReconcilingCommitter committer = new ReconcilingCommitter(refusing, outcome)) {
      committer.commit(List.of(request));
    }
  }
}
