package io.tidemark.platform.access.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.access.application.ApiKeyLookup;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.replicas.RowChanges.Kind;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.util.Optional;

/**
 * Remembers answers, also the answer that there is no such key. A revocation takes effect when it
 * is heard of, and at the latest after the given time; a key in use is asked for again before that,
 * while the present answer holds. Failures are not remembered. One look-up per key runs at a time.
 *
 * <p>While the database cannot be asked, a key that was good lately stays good for a bounded time,
 * so that a failover of the database stops no sender; not one of which a change was heard.
 */
public final class CachingApiKeyLookup implements ApiKeyLookup {

  private static final int MAX_KEYS = 10_000;

  /**
   * An answer of the source.
   *
   * @param changesBefore that had been heard of before it was asked
   */
  private record Answer(Optional<StoredKey> key, long changesBefore) {}

  private final LoadingCache<String, Answer> remembered;
  private final Cache<String, Answer> good;
  private final RowChanges changes;

  /**
   * Remembers for the given time.
   *
   * @param outage how long a key that was good stays so without the database; zero for not at all
   * @param ticker nanoseconds from an arbitrary origin
   */
  public CachingApiKeyLookup(
      ApiKeyLookup source, RowChanges changes, Duration time, Duration outage, Ticker ticker) {
    this.changes = changes;
    this.good =
        Caffeine.newBuilder().maximumSize(MAX_KEYS).expireAfterWrite(outage).ticker(ticker).build();
    Caffeine<Object, Object> builder =
        Caffeine.newBuilder().maximumSize(MAX_KEYS).expireAfterWrite(time).ticker(ticker);
    if (!time.isZero()) {
      builder.refreshAfterWrite(time.dividedBy(2));
    }
    this.remembered = builder.build(id -> ask(source, id));
  }

  @Override
  public Optional<StoredKey> find(String keyId) {
    try {
      Answer answer = remembered.get(keyId);
      if (changed(keyId, answer)) {
        // Only this answer: another request may have asked anew meanwhile.
        remembered.asMap().remove(keyId, answer);
        answer = remembered.get(keyId);
      }
      return answer.key();
    } catch (ProblemException unavailable) {
      return Optional.of(goodBefore(keyId, unavailable));
    }
  }

  private boolean changed(String keyId, Answer answer) {
    long before = answer.changesBefore();
    return changes.changedSince(before, Kind.API_KEY, keyId)
        || answer.key().isPresent()
            && changes.changedSince(before, Kind.ORGANIZATION, organizationOf(answer));
  }

  /** A connection that was lost changes no key: that happens in every failover. */
  private boolean notified(String keyId, Answer answer) {
    long before = answer.changesBefore();
    return changes.notifiedSince(before, Kind.API_KEY, keyId)
        || changes.notifiedSince(before, Kind.ORGANIZATION, organizationOf(answer));
  }

  private static String organizationOf(Answer answer) {
    return answer.key().orElseThrow().organization().value();
  }

  private StoredKey goodBefore(String keyId, ProblemException unavailable) {
    Answer known =
        unavailable.code() == ErrorCode.CONTROL_PLANE_UNAVAILABLE ? good.getIfPresent(keyId) : null;
    if (known == null || notified(keyId, known)) {
      throw unavailable;
    }
    return known.key().orElseThrow();
  }

  private Answer ask(ApiKeyLookup source, String id) {
    long changesBefore = changes.count();
    Answer answer = new Answer(source.find(id), changesBefore);
    if (answer.key().filter(key -> !key.revoked()).isPresent()) {
      good.put(id, answer);
    } else {
      good.invalidate(id);
    }
    return answer;
  }
}
