package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.replicas.RowChanges.Kind;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Budgets;
import io.tidemark.platform.tenancy.SeriesOverrunPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An environment is refused while what the pipeline told of its excess counts, its budgets say so,
 * and none was raised since. Budgets are asked for only of environments in excess, and remembered
 * for two seconds, or until a change is heard of; where they cannot be read nobody is refused.
 */
final class SeriesBudgetGate implements SeriesBudgetStatus {

  private static final Logger LOG = LoggerFactory.getLogger(SeriesBudgetGate.class);

  private final BudgetViolations told;
  private final BiFunction<TenantId, EnvironmentId, Budgets> source;
  private final Clock clock;
  private final EnvironmentLimits<Budgets> inForce;

  SeriesBudgetGate(
      BudgetViolations told,
      BiFunction<TenantId, EnvironmentId, Budgets> source,
      RowChanges changes,
      Clock clock,
      Ticker ticker) {
    this.told = told;
    this.source = source;
    this.clock = clock;
    this.inForce = new EnvironmentLimits<>(this::read, changes, Kind.ORGANIZATION, ticker);
  }

  @Override
  public Optional<Refusal> of(TenantId organization, EnvironmentId environment) {
    Refusal longest = null;
    for (Budget budget : Budget.values()) {
      Refusal refusal =
          told.last(organization, environment, budget)
              .flatMap(last -> refusal(organization, environment, budget, last))
              .orElse(null);
      if (longest == null
          || (refusal != null && refusal.retryAfter().compareTo(longest.retryAfter()) > 0)) {
        longest = refusal;
      }
    }
    return Optional.ofNullable(longest);
  }

  private Optional<Refusal> refusal(
      TenantId organization,
      EnvironmentId environment,
      Budget budget,
      BudgetViolations.ReportedViolation last) {
    Instant now = clock.instant();
    if (!now.isBefore(last.until())) {
      return Optional.empty();
    }
    Budgets budgets = inForce.of(organization, environment);
    long limit =
        switch (budget) {
          case ACTIVE_SERIES -> budgets.activeSeries();
          case NEW_SERIES_PER_MINUTE -> budgets.newSeriesPerMinute();
        };
    if (budgets.seriesOverrunPolicy() != SeriesOverrunPolicy.REFUSE || limit > last.limit()) {
      return Optional.empty();
    }
    long seconds = Duration.between(now, last.until()).plusMillis(999).toSeconds();
    return Optional.of(new Refusal(budget, limit, Duration.ofSeconds(Math.max(1, seconds))));
  }

  private Budgets read(TenantId organization, EnvironmentId environment) {
    try {
      return source.apply(organization, environment);
    } catch (RuntimeException failure) {
      LOG.debug(
          "Budgets of {}/{} cannot be read; nothing is refused",
          organization,
          environment,
          failure);
      return Budgets.PLAN;
    }
  }
}
