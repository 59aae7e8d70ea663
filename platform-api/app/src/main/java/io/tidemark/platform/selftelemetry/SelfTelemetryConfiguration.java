package io.tidemark.platform.selftelemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reports only when there is an address, and is scraped only when there is a port. */
@Configuration(proxyBeanMethods = false)
class SelfTelemetryConfiguration {

  private static final String SCRAPED = "'${tidemark.scrape.port:-1}' != '-1'";

  @Bean
  ProcessIdentity processIdentity(
      ProcessProperties properties,
      @Value("${server.port:8080}") int port,
      ObjectProvider<BuildProperties> build) {
    BuildProperties known = build.getIfAvailable();
    String version = known == null ? null : known.getVersion();
    return ProcessIdentity.of(
        properties, ProcessIdentity::hostName, port, version == null ? "unknown" : version);
  }

  @Bean
  @ConditionalOnExpression("!'${tidemark.self-telemetry.url:}'.isEmpty()")
  OtlpMeterRegistry otlpMeterRegistry(SelfTelemetryProperties properties, ProcessIdentity process) {
    return new OtlpMeterRegistry(new OtlpReporting(properties, process), Clock.SYSTEM);
  }

  @Bean
  @ConditionalOnExpression(SCRAPED)
  PrometheusMeterRegistry prometheusMeterRegistry(ProcessIdentity process) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Info.builder()
        .name("tidemark_build_info")
        .help("Which process of which build this is")
        .labelNames("instance", "version")
        .register(registry.getPrometheusRegistry())
        .addLabelValues(process.instance(), process.version());
    return registry;
  }

  @Bean
  @ConditionalOnExpression(SCRAPED)
  ScrapeServer scrapeServer(ScrapeProperties properties, PrometheusMeterRegistry registry) {
    return new ScrapeServer(properties, registry);
  }
}
