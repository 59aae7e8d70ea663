package io.tidemark.platform.promql.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.query.application.LabelValueService;
import io.tidemark.platform.query.application.MetricsQueryService;
import java.time.Clock;

/** The use cases of Prometheus' API, put together. */
public record PrometheusQueryService(PromQlEvaluator evaluating, PrometheusMetadata browsing) {

  /** Use cases that read through the ones of the Metrics API. */
  public PrometheusQueryService(
      MetricsQueryService metrics,
      LabelValueService attributes,
      SeriesStore series,
      PipelineProgress progress,
      Clock clock) {
    this(
        metrics,
        attributes,
        new PrometheusNameIndex(series, progress, clock),
        new SeriesService(metrics),
        clock);
  }

  private PrometheusQueryService(
      MetricsQueryService metrics,
      LabelValueService attributes,
      PrometheusNameIndex names,
      SeriesService listing,
      Clock clock) {
    this(
        new PromQlEvaluator(
            new SelectorResolver(names), new RangeVectorReader(metrics, names, listing)),
        new PrometheusMetadata(names, listing, attributes, clock));
  }
}
