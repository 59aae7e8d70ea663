package io.tidemark.platform.testing;

import io.tidemark.platform.ingest.application.BatchPublisher;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands for Kafka: keeps batches and confirms, or fails, or waits, as told. */
public final class TestingPointsTopic implements BatchPublisher {

  private final List<Batch> batches = new CopyOnWriteArrayList<>();
  private volatile CompletionStage<Void> answer = CompletableFuture.completedFuture(null);

  @Override
  public CompletionStage<Void> publish(Batch batch) {
    batches.add(batch);
    return answer;
  }

  /** What was published. */
  public List<Batch> batches() {
    return batches;
  }

  /** From now on every publication has this answer. */
  public void answerWith(CompletionStage<Void> next) {
    answer = next;
  }

  /** From now on every publication fails. */
  public void failWith(Throwable failure) {
    answer = CompletableFuture.failedFuture(failure);
  }

  /** Forgets batches and confirms again. */
  public void reset() {
    batches.clear();
    answer = CompletableFuture.completedFuture(null);
  }
}
