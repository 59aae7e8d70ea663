package io.tidemark.platform.access.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.access.application.ApiKeyLookup;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.util.Optional;

/**
 * Remembers answers, also the answer that there is no such key. A revocation takes effect after at
 * most the given time; a key in use is asked for again before that, while the present answer holds.
 * Failures are not remembered. One look-up per key runs at a time.
 *
 * <p>While the database cannot be asked, a key that was good lately stays good for a bounded time,
 * so that a failover of the database stops no sender.
 */
public final class CachingApiKeyLookup implements ApiKeyLookup {

  private static final int GREATEST_NUMBER_OF_KEYS = 10_000;

  private final LoadingCache<String, Optional<StoredKey>> remembered;
  private final Cache<String, StoredKey> good;

  /**
   * Remembers for the given time.
   *
   * @param outage how long a key that was good stays so without the database; zero for not at all
   * @param ticker nanoseconds from an arbitrary origin
   */
  public CachingApiKeyLookup(ApiKeyLookup source, Duration time, Duration outage, Ticker ticker) {
    this.good =
        Caffeine.newBuilder()
            .maximumSize(GREATEST_NUMBER_OF_KEYS)
            .expireAfterWrite(outage)
            .ticker(ticker)
            .build();
    Caffeine<Object, Object> builder =
        Caffeine.newBuilder()
            .maximumSize(GREATEST_NUMBER_OF_KEYS)
            .expireAfterWrite(time)
            .ticker(ticker);
    if (!time.isZero()) {
      builder.refreshAfterWrite(time.dividedBy(2));
    }
    this.remembered = builder.build(id -> ask(source, id));
  }

  @Override
  public Optional<StoredKey> find(String keyId) {
    try {
      return remembered.get(keyId);
    } catch (ProblemException unavailable) {
      StoredKey known =
          unavailable.code() == ErrorCode.CONTROL_PLANE_UNAVAILABLE
              ? good.getIfPresent(keyId)
              : null;
      if (known == null) {
        throw unavailable;
      }
      return Optional.of(known);
    }
  }

  private Optional<StoredKey> ask(ApiKeyLookup source, String id) {
    Optional<StoredKey> answer = source.find(id);
    answer
        .filter(key -> !key.revoked())
        .ifPresentOrElse(key -> good.put(id, key), () -> good.invalidate(id));
    return answer;
  }
}
