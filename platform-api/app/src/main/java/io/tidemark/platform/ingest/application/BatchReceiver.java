package io.tidemark.platform.ingest.application;

import io.tidemark.platform.ingest.application.BatchDecoder.DecodedBatch;
import io.tidemark.platform.ingest.application.BatchDecoder.MalformedBatchException;
import io.tidemark.platform.ingest.application.BatchPublisher.Batch;
import io.tidemark.platform.ingest.application.BatchPublisher.RecordTooLargeForTopicException;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.IdempotencyCache;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.IngestOutcome;
import io.tidemark.platform.ingest.domain.IngestOutcome.Accepted;
import io.tidemark.platform.ingest.domain.IngestOutcome.KeyReused;
import io.tidemark.platform.ingest.domain.IngestOutcome.Malformed;
import io.tidemark.platform.ingest.domain.IngestOutcome.NotStored;
import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.ingest.domain.IngestOutcome.TooLarge;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.Quota;
import io.tidemark.platform.ingest.domain.TenantRateLimiter;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The one way in: validates a batch, publishes its accepted part as one record, and has an outcome
 * only when the record is stored for good.
 */
public final class BatchReceiver {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final BatchPublisher topic;
  private final IngestMetrics journal;
  private final Clock clock;
  private final long maxBody;
  private final TenantRateLimiter admission;
  private final MetricDescriptions descriptions;
  private final IdempotencyCache idempotencyCache = new IdempotencyCache();

  /**
   * The core of the gateway.
   *
   * @param admission counts what tenants send
   * @param descriptions hears what senders say of metrics
   * @param maxBody limit of a decompressed body, in bytes
   */
  public BatchReceiver(
      BatchPublisher topic,
      IngestMetrics journal,
      Clock clock,
      TenantRateLimiter admission,
      MetricDescriptions descriptions,
      long maxBody) {
    this.admission = admission;
    this.descriptions = descriptions;
    this.topic = topic;
    this.journal = journal;
    this.clock = clock;
    this.maxBody = maxBody;
  }

  /** Limit of a decompressed body, in bytes; the protocols stop reading there. */
  public long maxBody() {
    return maxBody;
  }

  /**
   * Asks whether a caller may send now; every protocol asks before it reads anything of a request.
   *
   * @return why not
   * @throws io.tidemark.platform.shared.ProblemException {@code forbidden} when the caller may not
   *     write
   */
  public Optional<OverQuota> admit(Caller caller, String protocol) {
    caller.require(Permission.METRICS_WRITE);
    Optional<OverQuota> over = admission.request(caller.organization(), environment(caller));
    over.ifPresent(outcome -> journal.dealtWith(caller.organization(), protocol, 0, outcome));
    return over;
  }

  /** Where the quotas of a caller stand. */
  public List<TenantRateLimiter.Standing> standings(Caller caller) {
    return admission.standings(caller.organization(), environment(caller));
  }

  /** Counts the bytes of a body as they came, whatever becomes of it. */
  public void read(Caller caller, long wireBytes) {
    admission.used(caller.organization(), environment(caller), Quota.BYTES, wireBytes);
  }

  /**
   * Takes one batch of an authenticated caller.
   *
   * @param protocol name for the counters, see {@link IngestMetrics}
   * @param key that the sender gave along; null for none
   * @param body decompressed body
   * @return never completes exceptionally
   * @throws io.tidemark.platform.shared.ProblemException {@code forbidden} when the caller may not
   *     write
   */
  public CompletionStage<IngestOutcome> receive(
      Caller caller,
      String protocol,
      @Nullable IdempotencyKey key,
      byte[] body,
      BatchDecoder decoder) {
    caller.require(Permission.METRICS_WRITE);
    return outcome(caller, key, body, decoder)
        .thenApply(
            outcome -> {
              journal.dealtWith(caller.organization(), protocol, body.length, outcome);
              return outcome;
            });
  }

  private CompletionStage<IngestOutcome> outcome(
      Caller caller, @Nullable IdempotencyKey key, byte[] body, BatchDecoder decoder) {
    if (body.length > maxBody) {
      return CompletableFuture.completedFuture(new TooLarge(maxBody));
    }
    Instant receivedAt = clock.instant();
    DecodedBatch decoded;
    try {
      decoded = decoder.decode(body, new PointRules(receivedAt));
    } catch (MalformedBatchException malformed) {
      return CompletableFuture.completedFuture(
          new Malformed(Objects.requireNonNull(malformed.getMessage())));
    }
    if (decoded.points() == 0) {
      return CompletableFuture.completedFuture(new Accepted(0, decoded.rejections(), null));
    }
    BatchId id = BatchId.of(caller.organization(), environment(caller), key, body);
    if (key != null
        && idempotencyCache.isOfAnother(
            caller.organization(), environment(caller), key, id, receivedAt)) {
      return CompletableFuture.completedFuture(new KeyReused(key));
    }
    admission.used(caller.organization(), environment(caller), Quota.POINTS, decoded.points());
    if (!decoded.descriptions().isEmpty()) {
      descriptions.sent(caller.organization(), environment(caller), decoded.descriptions());
    }
    IngestOutcome accepted = new Accepted(decoded.points(), decoded.rejections(), id);
    Batch batch =
        new Batch(
            caller.organization(),
            environment(caller),
            id,
            key,
            receivedAt,
            decoded.record(),
            decoded.points(),
            decoded.rejections());
    return topic
        .publish(batch)
        .handle(
            (stored, failure) -> {
              if (failure != null) {
                return notStored(failure);
              }
              if (key != null) {
                idempotencyCache.stored(
                    caller.organization(), environment(caller), key, id, receivedAt);
              }
              return accepted;
            });
  }

  /** Senders are keys, and a key has an environment. */
  private static EnvironmentId environment(Caller caller) {
    return Objects.requireNonNull(caller.environment());
  }

  private IngestOutcome notStored(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RecordTooLargeForTopicException) {
      return new TooLarge(maxBody);
    }
    return new NotStored(
        "The batch could not be stored: Kafka did not confirm it in time. Send the same bytes"
            + " again.",
        RETRY_AFTER);
  }
}
