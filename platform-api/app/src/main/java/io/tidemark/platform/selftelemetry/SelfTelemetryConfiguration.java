package io.tidemark.platform.selftelemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reports only when there is an address, and is scraped only when there is a port. */
@Configuration(proxyBeanMethods = false)
class SelfTelemetryConfiguration {

  private static final String SCRAPED = "'${tidemark.scrape.port:-1}' != '-1'";

  @Bean
  @ConditionalOnExpression("!'${tidemark.self-telemetry.url:}'.isEmpty()")
  OtlpMeterRegistry otlpMeterRegistry(SelfTelemetryProperties properties) {
    return new OtlpMeterRegistry(new OtlpReporting(properties), Clock.SYSTEM);
  }

  @Bean
  @ConditionalOnExpression(SCRAPED)
  PrometheusMeterRegistry prometheusMeterRegistry() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  @Bean
  @ConditionalOnExpression(SCRAPED)
  ScrapeServer scrapeServer(ScrapeProperties properties, PrometheusMeterRegistry registry) {
    return new ScrapeServer(properties, registry);
  }
}
