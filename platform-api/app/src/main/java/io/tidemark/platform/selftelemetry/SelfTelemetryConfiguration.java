package io.tidemark.platform.selftelemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reports only when there is an address. */
@Configuration(proxyBeanMethods = false)
class SelfTelemetryConfiguration {

  @Bean
  @ConditionalOnExpression("!'${tidemark.self-telemetry.url:}'.isEmpty()")
  OtlpMeterRegistry otlpMeterRegistry(SelfTelemetryProperties properties) {
    return new OtlpMeterRegistry(new OtlpReporting(properties), Clock.SYSTEM);
  }
}
