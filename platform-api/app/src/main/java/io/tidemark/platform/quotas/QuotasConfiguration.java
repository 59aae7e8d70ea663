package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.tenancy.BudgetsInForce;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the memory of quotas and budgets before the database. */
@Configuration(proxyBeanMethods = false)
class QuotasConfiguration {

  @Bean
  QuotasInForce quotasInForce(Quotas quotas, QuotaProperties properties) {
    return new RememberedQuotas(quotas::allowance, properties.plan(), Ticker.systemTicker());
  }

  @Bean
  RefusedSeries refusedSeries(ToldExcess told, BudgetsInForce budgets, Clock clock) {
    return new RefusingSeries(
        told,
        (organization, environment) ->
            budgets.ofEnvironment(organization, environment.value()).inForce(),
        clock,
        Ticker.systemTicker());
  }
}
