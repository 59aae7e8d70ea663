package io.tidemark.platform.ingest.application;

import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.Rejections;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Puts the accepted part of a batch where it cannot be lost. */
@FunctionalInterface
public interface BatchPublisher {

  /**
   * Publishes one record.
   *
   * @return completes normally when all replicas that count have it; exceptionally when that is not
   *     known, with {@link RecordTooLargeForTopicException} when trying again is useless
   */
  CompletionStage<Void> publish(Batch batch);

  /**
   * One record to be.
   *
   * @param key that the sender gave along; null for none
   * @param points in the record
   * @param rejections of the points that are not in it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Batch(
      TenantId organization,
      EnvironmentId environment,
      BatchId id,
      @Nullable IdempotencyKey key,
      Instant receivedAt,
      byte[] record,
      long points,
      Rejections rejections) {}

  /** The record is larger than the topic takes. */
  final class RecordTooLargeForTopicException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RecordTooLargeForTopicException(Throwable cause) {
      super(cause);
    }
  }
}
