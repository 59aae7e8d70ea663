package io.tidemark.platform.retention;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * What queries must not show any more, whether it is removed already or not. Policies are
 * remembered for two seconds.
 */
@Component
public class HiddenRows {

  private final Retention retention;
  private final Clock clock;
  private final Cache<TenantId, Map<EnvironmentId, RetentionPolicy>> policies =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofSeconds(2)).build();

  HiddenRows(Retention retention, Clock clock) {
    this.retention = retention;
    this.clock = clock;
  }

  /**
   * A filter of Druid's native queries, as maps and lists, that every query of rows of the level
   * has to fulfil beside that of the tenant; empty when nothing is hidden.
   */
  public Optional<Map<String, Object>> filter(TenantId organization, Level level) {
    List<Map<String, Object>> hidden = new ArrayList<>();
    policies
        .get(organization, retention::all)
        .forEach(
            (environment, policy) -> {
              List<Expired> rules = policy.expired(level, clock.instant());
              if (!rules.isEmpty()) {
                hidden.add(RowFilters.expired(environment, rules));
              }
            });
    return hidden.isEmpty() ? Optional.empty() : Optional.of(RowFilters.not(RowFilters.or(hidden)));
  }
}
