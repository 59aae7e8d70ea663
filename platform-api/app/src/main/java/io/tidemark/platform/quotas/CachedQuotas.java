package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.replicas.RowChanges.Kind;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quotas as the database said at most two seconds ago, and after any change that was heard of.
 * While it cannot be asked, what it said last holds, and for an environment never asked for the
 * plan.
 */
final class CachedQuotas implements EffectiveQuotas {

  private static final Logger LOG = LoggerFactory.getLogger(CachedQuotas.class);
  private static final int MAX_NUMBER = 10_000;

  private record EnvironmentRef(TenantId organization, EnvironmentId environment) {}

  private final BiFunction<TenantId, EnvironmentId, Allowance> source;
  private final Allowance plan;
  private final EnvironmentLimits<Allowance> fresh;
  private final Cache<EnvironmentRef, Allowance> last =
      Caffeine.newBuilder().maximumSize(MAX_NUMBER).build();

  CachedQuotas(
      BiFunction<TenantId, EnvironmentId, Allowance> source,
      QuotaAmounts plan,
      RowChanges changes,
      Ticker ticker) {
    this.source = source;
    this.plan = new Allowance(plan, null);
    this.fresh = new EnvironmentLimits<>(this::read, changes, Kind.QUOTA, ticker);
  }

  @Override
  public Allowance of(TenantId organization, EnvironmentId environment) {
    return fresh.of(organization, environment);
  }

  private Allowance read(TenantId organization, EnvironmentId environment) {
    EnvironmentRef place = new EnvironmentRef(organization, environment);
    try {
      Allowance answer = source.apply(organization, environment);
      last.put(place, answer);
      return answer;
    } catch (RuntimeException failure) {
      LOG.debug("Quotas of {} cannot be read; those known hold", place, failure);
      Allowance known = last.getIfPresent(place);
      return known == null ? plan : known;
    }
  }
}
