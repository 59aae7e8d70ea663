package io.tidemark.platform.promql;

import io.tidemark.platform.alerting.AlertRules;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.promql.application.PrometheusAlerts;
import io.tidemark.platform.promql.application.PrometheusQueryService;
import io.tidemark.platform.query.application.LabelValueService;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the use cases of Prometheus' API to those of the Metrics API. */
@Configuration(proxyBeanMethods = false)
class PromQlConfiguration {

  @Bean
  PrometheusAlerts prometheusAlerts(AlertRules rules, Environments environments) {
    return new PrometheusAlerts(rules, environments);
  }

  @Bean
  PrometheusQueryService prometheusQueryService(
      MetricsQueryService metrics,
      LabelValueService attributes,
      SeriesStore series,
      PipelineProgress progress,
      Clock clock) {
    return new PrometheusQueryService(metrics, attributes, series, progress, clock);
  }
}
