package io.tidemark.flink.io;

import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;

/** Remembers what a committer said of a transaction; {@code "committed"} when it said nothing. */
final class TestingCommitRequest implements Committer.CommitRequest<KafkaCommittable> {

  private final KafkaCommittable committable;
  private String said = "committed";

  TestingCommitRequest(KafkaCommittable committable) {
    this.committable = committable;
  }

  String said() {
    return said;
  }

  @Override
  public KafkaCommittable getCommittable() {
    return committable;
  }

  @Override
  public int getNumberOfRetries() {
    return 0;
  }

  @Override
  public void signalFailedWithKnownReason(Throwable reason) {
    said = "failed: " + reason.getClass().getSimpleName();
  }

  @Override
  public void signalFailedWithUnknownReason(Throwable reason) {
    said = "restart: " + reason.getClass().getSimpleName();
  }

  @Override
  public void retryLater() {
    said = "retry";
  }

  @Override
  public void updateAndRetryLater(KafkaCommittable changed) {
    said = "retry";
  }

  @Override
  public void signalAlreadyCommitted() {
    said = "committed before";
  }
}
