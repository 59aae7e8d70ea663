package io.tidemark.platform.retention;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * What queries must not show any more, whether it is removed already or not: what is expired, and
 * all of environments whose deletion is final. Remembered for two seconds.
 */
@Component
public class RetentionFilter {

  private record CachedPolicies(
      Map<EnvironmentId, RetentionPolicy> policies, List<EnvironmentId> deleted) {}

  private final Retention retention;
  private final Environments environments;
  private final Clock clock;
  private final Cache<TenantId, CachedPolicies> remembered =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofSeconds(2)).build();

  RetentionFilter(Retention retention, Environments environments, Clock clock) {
    this.retention = retention;
    this.environments = environments;
    this.clock = clock;
  }

  private CachedPolicies know(TenantId organization) {
    return new CachedPolicies(retention.all(organization), environments.deleted(organization));
  }

  /**
   * A filter of Druid's native queries, as maps and lists, that every query of rows of the level
   * has to fulfil beside that of the tenant; empty when nothing is hidden.
   */
  public Optional<Map<String, Object>> filter(TenantId organization, Level level) {
    List<Map<String, Object>> hidden = new ArrayList<>();
    CachedPolicies known = remembered.get(organization, this::know);
    known
        .deleted()
        .forEach(
            environment -> hidden.add(RowFilters.equal("environment_id", environment.value())));
    known
        .policies()
        .forEach(
            (environment, policy) -> {
              List<Expired> rules = policy.expired(level, clock.instant());
              if (!rules.isEmpty()) {
                hidden.add(RowFilters.expired(environment, rules));
              }
            });
    return hidden.isEmpty() ? Optional.empty() : Optional.of(RowFilters.not(RowFilters.or(hidden)));
  }

  /** From when on rows of an environment's metric are shown. */
  @FunctionalInterface
  public interface VisibleFrom {

    /**
     * Rows of windows that began before it are hidden, in milliseconds since the epoch; {@link
     * Long#MIN_VALUE} when all are shown, {@link Long#MAX_VALUE} when none is.
     */
    long of(String environment, String metric);
  }

  /** The same as {@link #filter}, for a store whose rows are looked at one by one. */
  public VisibleFrom shownFrom(TenantId organization, Level level) {
    CachedPolicies known = remembered.get(organization, this::know);
    long now = clock.millis();
    return (environment, metric) -> {
      EnvironmentId id = new EnvironmentId(environment);
      if (known.deleted().contains(id)) {
        return Long.MAX_VALUE;
      }
      RetentionPolicy policy = known.policies().get(id);
      Integer days = policy == null ? null : policy.days(metric, level);
      return days == null ? Long.MIN_VALUE : now - Duration.ofDays(days).toMillis();
    };
  }

  /** Environments of which nothing may be shown. */
  public Set<String> environments(TenantId organization) {
    return remembered.get(organization, this::know).deleted().stream()
        .map(EnvironmentId::value)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The latest time before which rows of a metric are hidden, of one of these environments at
   * least; empty when none are.
   */
  public Optional<Instant> before(
      TenantId organization, Predicate<String> environments, Level level, String metric) {
    return remembered.get(organization, this::know).policies().entrySet().stream()
        .filter(policy -> environments.test(policy.getKey().value()))
        .map(policy -> policy.getValue().days(metric, level))
        .filter(Objects::nonNull)
        .min(Integer::compare)
        .map(days -> clock.instant().minus(Duration.ofDays(days)));
  }
}
