package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.MetricLabels;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.promql.domain.SeriesValues;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.promql.domain.Value.Vector;
import io.tidemark.platform.promql.domain.VectorMath;
import io.tidemark.platform.promql.domain.Window;
import io.tidemark.platform.promql.domain.WindowValue;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the windows of a metric at each step. An aggregation is left to the store where that gives
 * the same: where it adds up as the window does, or where each window is one bucket. Else series
 * are read one by one and brought together here.
 */
final class RangeVectorReader {

  /** More series are no answer that anybody looks at. */
  static final int MAX_SERIES = 10_000;

  private static final int MAX_VALUES = 200_000;

  /** Of functions without a number beside the window. */
  private static final double[] NO_PARAMETERS = {};

  private final MetricsQueryService metrics;
  private final PrometheusNameIndex names;
  private final SeriesService series;

  RangeVectorReader(MetricsQueryService metrics, PrometheusNameIndex names, SeriesService series) {
    this.metrics = metrics;
    this.names = names;
    this.series = series;
  }

  /** Who asks, when, and what is to be said beside the answer. */
  record Reader(TenantId organization, StepTimes times, ResponseAnnotations notes) {}

  /** The value of each window, aggregated where that is asked for. */
  Vector read(Reader reader, SelectedMetric found, Optional<Aggregate> aggregate) {
    return read(reader, found, aggregate, NO_PARAMETERS);
  }

  /**
   * The value of each window, aggregated where that is asked for.
   *
   * @param parameters a number for each step; none for functions without one
   */
  Vector read(
      Reader reader, SelectedMetric found, Optional<Aggregate> aggregate, double[] parameters) {
    AggregationFunction figure = WindowComputation.figure(found);
    note(reader, found);
    MetricLabels labels =
        names.labels(reader.organization(), found.known().metric(), found.start());
    if (aggregate.isPresent()) {
      Optional<Computation> pushed =
          WindowComputation.pushed(reader.times(), found, figure, aggregate.get());
      if (pushed.isPresent()) {
        SortedMap<String, LabelKey> groups = new TreeMap<>(labels.keys());
        groups.keySet().removeIf(label -> !aggregate.get().grouping().keeps(label));
        return values(reader, found, labels, groups, pushed.get(), parameters);
      }
    }
    Vector all =
        values(
            reader,
            found,
            labels,
            labels.keys(),
            new Computation(found.known().metric(), figure, Optional.empty()),
            parameters);
    return aggregate
        .map(each -> VectorMath.aggregate(each.aggregator(), each.grouping(), all))
        .orElse(all);
  }

  /** A quantile of each window's distribution. */
  Vector quantiles(
      Reader reader, SelectedMetric found, Optional<Aggregate> aggregate, double[] quantiles) {
    if (found.window().value() != WindowValue.RATE
        && found.window().value() != WindowValue.INCREASE) {
      throw PromQlFault.unsupported(
          "quantiles of "
              + found.known().name()
              + " without a window; take rate(…[5m]) or increase(…[5m])");
    }
    if (aggregate.isPresent() && aggregate.get().aggregator() != Aggregator.SUM) {
      throw PromQlFault.unsupported("quantiles of distributions that are not summed");
    }
    note(reader, found);
    MetricLabels labels =
        names.labels(reader.organization(), found.known().metric(), found.start());
    SortedMap<String, LabelKey> groups = new TreeMap<>(labels.keys());
    aggregate.ifPresent(each -> groups.keySet().removeIf(label -> !each.grouping().keeps(label)));
    List<SeriesValues> results = new ArrayList<>();
    MetricQuery query = query(reader, found, labels, groups);
    StepWindows windows = new StepWindows(reader.times(), found);
    // Any quantile reads distributions.
    read(reader, found, query, AggregationFunction.P50, Optional.empty())
        .forEach(
            (List<@Nullable String> group, NavigableMap<Instant, AggregateState> buckets) -> {
              SeriesValues result =
                  new SeriesValues(labelled(groups, group), reader.times().size());
              windows.each(
                  buckets,
                  (step, figures) -> {
                    if (figures.distribution != null) {
                      result.put(step, quantile(figures, quantiles[step]));
                    }
                  });
              results.add(result);
            });
    return new Vector(results);
  }

  private static double quantile(AggregateState figures, double quantile) {
    if (Double.isNaN(quantile)) {
      return Double.NaN;
    }
    return quantile < 0
        ? Double.NEGATIVE_INFINITY
        : quantile > 1 ? Double.POSITIVE_INFINITY : figures.quantile(quantile);
  }

  private static void note(Reader reader, SelectedMetric found) {
    String name = found.known().name();
    Window window = found.window();
    if (found.isLatestGrowth()) {
      reader
          .notes()
          .add(
              name
                  + " is a counter: a value is what the last minute with data added, not a running"
                  + " total; take rate or increase");
    }
    if (window.value() == WindowValue.RISE_RATE
        || window.value() == WindowValue.RISE
        || window.value() == WindowValue.INSTANT_RISE_RATE) {
      reader
          .notes()
          .add(name + " is a gauge: where it falls, it is taken for a counter that began again");
    }
    if (window.value().isOfReadings()) {
      reader.notes().add(name + " is read once a minute, at the end of each");
    }
    if (window.selector().range() > 0 && window.rounded() != window.selector().range()) {
      reader
          .notes()
          .add(
              "the range of "
                  + name
                  + " was rounded up to "
                  + window.rounded() / 60_000
                  + "m: stored time is whole minutes");
    }
  }

  private Vector values(
      Reader reader,
      SelectedMetric found,
      MetricLabels labels,
      Map<String, LabelKey> groups,
      Computation computation,
      double[] parameters) {
    // What a counted series comes to is a number of series, which no window scales.
    double scale =
        computation.timeFunction().isPresent()
                && computation.function() == AggregationFunction.COUNT
            ? 1
            : found.window().scale();
    ToDoubleFunction<AggregateState> value =
        found.window().value() == WindowValue.PRESENT
            ? figures -> figures.count > 0 ? 1 : Double.NaN
            : figures -> figures.value(computation.function()) * scale;
    MetricQuery query = query(reader, found, labels, groups);
    StepWindows windows = new StepWindows(reader.times(), found);
    List<SeriesValues> results = new ArrayList<>();
    read(reader, found, query, computation.function(), computation.timeFunction())
        .forEach(
            (List<@Nullable String> group, NavigableMap<Instant, AggregateState> buckets) -> {
              SortedMap<String, String> named = labelled(groups, group);
              if (found.window().value().keepsName() && computation.timeFunction().isEmpty()) {
                named.put(LabelMatcher.NAME, found.known().name());
              }
              SeriesValues result = new SeriesValues(named, reader.times().size());
              if (found.window().value().isOfReadings()) {
                windows.readings(buckets, value, parameters, result);
              } else if (found.isLatestGrowth()) {
                windows.latest(buckets, value, result);
              } else {
                windows.each(
                    buckets,
                    (step, figures) -> StepWindows.put(result, step, value.applyAsDouble(figures)));
              }
              results.add(result);
            });
    return new Vector(results);
  }

  private MetricQuery query(
      Reader reader, SelectedMetric found, MetricLabels labels, Map<String, LabelKey> groups) {
    boolean isOfMinutes = found.window().value().isOfReadings() || found.isLatestGrowth();
    Granularity granularity =
        isOfMinutes ? Granularity.PT1M : reader.times().granularity(found.window());
    MatcherTranslator filters =
        new MatcherTranslator(
            labels,
            key ->
                series.values(
                    reader.organization(), found.known().metric(), key, found.intervals()));
    Optional<LabelFilter> filter = filters.filter(found.window().selector().matchers());
    return SeriesService.query(filter, granularity, groups.values(), found.intervals());
  }

  private Map<List<@Nullable String>, NavigableMap<Instant, AggregateState>> read(
      Reader reader,
      SelectedMetric found,
      MetricQuery query,
      AggregationFunction function,
      Optional<TimeFunction> ofSeries) {
    MetricsQueryService.Read read =
        metrics.read(
            reader.organization(),
            query,
            new Computation(found.known().metric(), function, ofSeries));
    reader.notes().add(read.completeness());
    if (read.groups().size() > MAX_SERIES) {
      throw PromQlFault.unsupported(
          "more than " + MAX_SERIES + " series; narrow the selector or aggregate");
    }
    if ((long) read.groups().size() * reader.times().size() > MAX_VALUES) {
      throw PromQlFault.unsupported(
          "more than " + MAX_VALUES + " values; narrow the selector or widen the step");
    }
    Map<List<@Nullable String>, NavigableMap<Instant, AggregateState>> ordered =
        new LinkedHashMap<>();
    read.groups()
        .forEach(
            (List<@Nullable String> labels, Map<Instant, AggregateState> buckets) ->
                ordered.put(labels, new TreeMap<>(buckets)));
    return ordered;
  }

  private static SortedMap<String, String> labelled(
      Map<String, LabelKey> groups, List<@Nullable String> values) {
    return SeriesService.labelled(groups.keySet(), values);
  }
}
