/**
 * Prometheus' HTTP API: parses PromQL, evaluates it over minutes through the Metrics API's query
 * service, and lists metadata and alert rules under the names that Prometheus takes.
 *
 * <p>It reads no store itself ({@code query}). Guarded by {@code PromQlAnswersTest}, {@code
 * CoveredPageTest} and {@code PrometheusApiIT}.
 */
@ApplicationModule(
    allowedDependencies = {
      "shared",
      "metricstore",
      "completeness",
      "alerting",
      "tenancy",
      "query",
      "query :: application",
      "query :: domain"
    })
@NullMarked
package io.tidemark.platform.promql;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
