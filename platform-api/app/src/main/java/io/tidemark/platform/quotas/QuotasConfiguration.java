package io.tidemark.platform.quotas;

import com.github.benmanes.caffeine.cache.Ticker;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the memory of quotas before the database. */
@Configuration(proxyBeanMethods = false)
class QuotasConfiguration {

  @Bean
  QuotasInForce quotasInForce(Quotas quotas, QuotaProperties properties) {
    return new RememberedQuotas(quotas::allowance, properties.plan(), Ticker.systemTicker());
  }
}
