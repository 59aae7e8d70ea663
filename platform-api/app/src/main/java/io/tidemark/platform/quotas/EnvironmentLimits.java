package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.replicas.RowChanges.Kind;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.function.BiFunction;

/** Limits as they were read two seconds ago at most, and after any change that was heard of. */
final class EnvironmentLimits<T> {

  private static final Duration TIME = Duration.ofSeconds(2);

  private static final int MAX_NUMBER = 10_000;

  private record EnvironmentRef(TenantId organization, EnvironmentId environment) {}

  /**
   * What was read.
   *
   * @param changesBefore that had been heard of before it was read
   */
  private record Answer<T>(T limits, long changesBefore) {}

  private final BiFunction<TenantId, EnvironmentId, T> source;
  private final RowChanges changes;
  private final Kind kind;
  private final Cache<EnvironmentRef, Answer<T>> fresh;

  /**
   * Limits of a source.
   *
   * @param kind of rows of an organisation that the limits are made of
   */
  EnvironmentLimits(
      BiFunction<TenantId, EnvironmentId, T> source, RowChanges changes, Kind kind, Ticker ticker) {
    this.source = source;
    this.changes = changes;
    this.kind = kind;
    this.fresh =
        Caffeine.newBuilder().maximumSize(MAX_NUMBER).expireAfterWrite(TIME).ticker(ticker).build();
  }

  T of(TenantId organization, EnvironmentId environment) {
    EnvironmentRef place = new EnvironmentRef(organization, environment);
    Answer<T> answer = fresh.get(place, this::ask);
    if (changes.changedSince(answer.changesBefore(), kind, organization.value())) {
      // Only this answer: another request may have asked anew meanwhile.
      fresh.asMap().remove(place, answer);
      answer = fresh.get(place, this::ask);
    }
    return answer.limits();
  }

  private Answer<T> ask(EnvironmentRef place) {
    long changesBefore = changes.count();
    return new Answer<>(source.apply(place.organization(), place.environment()), changesBefore);
  }
}
