package io.tidemark.platform.access;

import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key as it may be shown: without its secret and its hash.
 *
 * @param scopes wire names of what it may do, sorted
 * @param expiresAt null for never
 * @param revokedAt null when it was not revoked
 * @param lastUsedAt to the minute; null when it never was used
 */
public record ApiKey(
    String id,
    String serviceAccountId,
    EnvironmentId environmentId,
    List<String> scopes,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt,
    @Nullable Instant lastUsedAt) {

  public ApiKey {
    scopes = List.copyOf(scopes);
  }

  /** Whether the key works at the given time, as far as it itself goes. */
  public boolean isLive(Instant now) {
    return revokedAt == null && !isExpired(now);
  }

  /** Whether its time is over at the given time. */
  public boolean isExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }
}
