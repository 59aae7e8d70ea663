package io.tidemark.platform.access.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.access.application.ApiKeyLookup;
import io.tidemark.platform.access.domain.StoredKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Remembers answers, also the answer that there is no such key. A revocation takes effect after at
 * most the given time. Failures are not remembered. One look-up per key runs at a time.
 */
public final class CachingApiKeyLookup implements ApiKeyLookup {

  private static final int GREATEST_NUMBER_OF_KEYS = 10_000;

  private final ApiKeyLookup source;
  private final Cache<String, Optional<StoredKey>> remembered;

  /**
   * Remembers for the given time.
   *
   * @param ticker nanoseconds from an arbitrary origin
   */
  public CachingApiKeyLookup(ApiKeyLookup source, Duration time, Ticker ticker) {
    this.source = source;
    this.remembered =
        Caffeine.newBuilder()
            .maximumSize(GREATEST_NUMBER_OF_KEYS)
            .expireAfterWrite(time)
            .ticker(ticker)
            .build();
  }

  @Override
  public Optional<StoredKey> find(String keyId) {
    return remembered.get(keyId, source::find);
  }
}
