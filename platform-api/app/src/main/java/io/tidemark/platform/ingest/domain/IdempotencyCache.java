package io.tidemark.platform.ingest.domain;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which batch came with an Idempotency-Key in the last hour, as far as this gateway has seen it and
 * remembers. A key that is reused is a mistake of the sender that it should hear of; forgetting one
 * loses nothing, because a batch of other bytes counts on its own.
 */
public final class IdempotencyCache {

  private static final Duration REMEMBERED = Duration.ofHours(1);
  private static final int MAX = 50_000;

  private record Use(TenantId organization, EnvironmentId environment, IdempotencyKey key) {}

  private record Batch(BatchId id, Instant at) {}

  private final Map<Use, Batch> batches = new LinkedHashMap<>();

  /** Whether another batch came with the key. */
  public synchronized boolean isOfAnother(
      TenantId organization,
      EnvironmentId environment,
      IdempotencyKey key,
      BatchId id,
      Instant now) {
    Batch known = batches.get(new Use(organization, environment, key));
    return known != null && known.at().plus(REMEMBERED).isAfter(now) && !known.id().equals(id);
  }

  /** The batch is stored. */
  public synchronized void stored(
      TenantId organization,
      EnvironmentId environment,
      IdempotencyKey key,
      BatchId id,
      Instant now) {
    Use use = new Use(organization, environment, key);
    // Out and in again: the oldest is the first.
    batches.remove(use);
    batches.put(use, new Batch(id, now));
    if (batches.size() > MAX) {
      batches.remove(batches.keySet().iterator().next());
    }
  }
}
