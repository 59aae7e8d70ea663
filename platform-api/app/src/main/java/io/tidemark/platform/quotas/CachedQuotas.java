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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quotas as the database said at most two seconds ago, and after any change that was heard of.
 * While it cannot be asked, what it said last holds, and for an environment never asked for the
 * plan.
 */
final class CachedQuotas implements EffectiveQuotas {

  static final Duration TIME = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(CachedQuotas.class);
  private static final int GREATEST_NUMBER = 10_000;

  private record Place(TenantId organization, EnvironmentId environment) {}

  /**
   * What is in force.
   *
   * @param changesBefore that had been heard of before it was asked
   */
  private record Answer(Allowance allowance, long changesBefore) {}

  private final BiFunction<TenantId, EnvironmentId, Allowance> source;
  private final Allowance plan;
  private final RowChanges changes;
  private final Cache<Place, Answer> fresh;
  private final Cache<Place, Allowance> last =
      Caffeine.newBuilder().maximumSize(GREATEST_NUMBER).build();

  CachedQuotas(
      BiFunction<TenantId, EnvironmentId, Allowance> source,
      QuotaAmounts plan,
      RowChanges changes,
      Ticker ticker) {
    this.source = source;
    this.plan = new Allowance(plan, null);
    this.changes = changes;
    this.fresh =
        Caffeine.newBuilder()
            .maximumSize(GREATEST_NUMBER)
            .expireAfterWrite(TIME)
            .ticker(ticker)
            .build();
  }

  @Override
  public Allowance of(TenantId organization, EnvironmentId environment) {
    Place place = new Place(organization, environment);
    Answer answer = fresh.get(place, this::ask);
    if (changes.changedSince(answer.changesBefore(), Kind.QUOTA, organization.value())) {
      fresh.asMap().remove(place, answer);
      answer = fresh.get(place, this::ask);
    }
    return answer.allowance();
  }

  private Answer ask(Place place) {
    long changesBefore = changes.count();
    return new Answer(allowance(place), changesBefore);
  }

  private Allowance allowance(Place place) {
    try {
      Allowance answer = source.apply(place.organization(), place.environment());
      last.put(place, answer);
      return answer;
    } catch (RuntimeException failure) {
      LOG.debug("Quotas of {} cannot be read; those known hold", place, failure);
      Allowance known = last.getIfPresent(place);
      return known == null ? plan : known;
    }
  }
}
