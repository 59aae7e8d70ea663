package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.tenancy.EffectiveBudgets;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the memory of quotas and budgets before the database. */
@Configuration(proxyBeanMethods = false)
class QuotasConfiguration {

  @Bean
  EffectiveQuotas effectiveQuotas(
      QuotaLookup quotas, QuotaProperties properties, RowChanges changes) {
    return new CachedQuotas(quotas::of, properties.plan(), changes, Ticker.systemTicker());
  }

  @Bean
  SeriesBudgetStatus seriesBudgetStatus(
      BudgetViolations told, EffectiveBudgets budgets, RowChanges changes, Clock clock) {
    return new SeriesBudgetGate(
        told,
        (organization, environment) ->
            budgets.ofEnvironment(organization, environment.value()).inForce(),
        changes,
        clock,
        Ticker.systemTicker());
  }
}
