package io.tidemark.platform.query.application;

import java.time.Clock;

/** The use cases of Prometheus' API, put together. */
public record PrometheusQueries(EvaluatingPromQl evaluating, BrowsingSeries browsing) {

  /** Use cases that read through the ones of the Metrics API. */
  public PrometheusQueries(
      QueryingMetrics metrics,
      ListingAttributes attributes,
      ReadSeries series,
      PipelineProgress progress,
      Clock clock) {
    this(
        metrics,
        attributes,
        new KnownNames(series, progress, clock),
        new ListingSeries(metrics),
        clock);
  }

  private PrometheusQueries(
      QueryingMetrics metrics,
      ListingAttributes attributes,
      KnownNames names,
      ListingSeries listing,
      Clock clock) {
    this(
        new EvaluatingPromQl(new ReadingWindows(metrics, names, listing)),
        new BrowsingSeries(names, listing, attributes, clock));
  }
}
