package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.promql.application.PrometheusNameIndex.Known;
import io.tidemark.platform.promql.application.PrometheusNameIndex.Meaning;
import io.tidemark.platform.promql.domain.Expression.Aggregate;
import io.tidemark.platform.promql.domain.Expression.Aggregator;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.MetricLabels;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.promql.domain.RangeFunctions;
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
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Reads the windows of a selector at each step. An aggregation is left to the store where that
 * gives the same: where it adds up as the window does, or where each window is one bucket. Else
 * series are read one by one and brought together here.
 */
final class RangeVectorReader {

  /** More series are no answer that anybody looks at. */
  static final int MAX_SERIES = 10_000;

  private static final int MAX_VALUES = 200_000;

  /** So many metrics may one selector without a name fit. */
  private static final int MAX_METRICS = 20;

  /** Of functions without a number beside the window. */
  private static final double[] NO_PARAMETERS = {};

  private static final long MINUTE = 60_000;

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

  /** A selector whose metric is known. */
  record Found(Window window, Known known, List<TimeInterval> intervals) {

    Instant start() {
      return intervals.get(0).start();
    }
  }

  /** The metric of a window; empty when nobody sent one of that name. */
  Optional<Found> find(Reader reader, Window window) {
    List<TimeInterval> intervals = reader.times().intervals(window);
    Optional<LabelMatcher> name = name(window.selector().matchers());
    if (intervals.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    Instant start = intervals.get(0).start();
    Optional<Found> found =
        names
            .resolve(reader.organization(), name.get(), start)
            .map(known -> found(reader, window, known));
    if (found.isEmpty()) {
      List<String> nearest = names.nearest(reader.organization(), name.get().text(), start);
      reader
          .notes()
          .add(
              "no metric has a name that the query gives"
                  + (nearest.isEmpty() ? "" : "; there are: " + String.join(", ", nearest)));
    }
    return found;
  }

  /** A level has readings, of which other minutes are read. */
  private static Found found(Reader reader, Window window, Known known) {
    Window own =
        known.meaning() == Meaning.LEVEL
            ? new Window(window.selector(), window.value().ofLevel())
            : window;
    return new Found(own, known, reader.times().intervals(own));
  }

  /** All metrics that a selector without the name of one fits, but distributions as a whole. */
  List<Found> findAll(Reader reader, Window window) {
    List<TimeInterval> intervals = reader.times().intervals(window);
    if (intervals.isEmpty()) {
      return List.of();
    }
    List<Known> fitting =
        names
            .fitting(reader.organization(), window.selector().matchers(), intervals.get(0).start())
            .stream()
            .filter(known -> known.meaning() != Meaning.DISTRIBUTION)
            .toList();
    if (fitting.size() > MAX_METRICS) {
      throw PromQlFault.unsupported(
          "a selector that fits more than " + MAX_METRICS + " metrics; name one");
    }
    return fitting.stream().map(known -> found(reader, window, known)).toList();
  }

  /** The matcher that names one metric; empty when several may fit. */
  static Optional<LabelMatcher> name(List<LabelMatcher> matchers) {
    List<LabelMatcher> ofName =
        matchers.stream().filter(matcher -> matcher.label().equals(LabelMatcher.NAME)).toList();
    return ofName.size() == 1
            && ofName.get(0).operator() == LabelMatcher.Operator.EQUAL
            && !ofName.get(0).text().isEmpty()
        ? Optional.of(ofName.get(0))
        : Optional.empty();
  }

  /** The value of each window, aggregated where that is asked for. */
  Vector read(Reader reader, Found found, Optional<Aggregate> aggregate) {
    return read(reader, found, aggregate, NO_PARAMETERS);
  }

  /**
   * The value of each window, aggregated where that is asked for.
   *
   * @param parameters a number for each step; none for functions without one
   */
  Vector read(Reader reader, Found found, Optional<Aggregate> aggregate, double[] parameters) {
    AggregationFunction figure = figure(found);
    note(reader, found);
    MetricLabels labels =
        names.labels(reader.organization(), found.known().metric(), found.start());
    if (aggregate.isPresent()) {
      Optional<Computation> pushed = pushed(reader, found, figure, aggregate.get());
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
  Vector quantiles(Reader reader, Found found, Optional<Aggregate> aggregate, double[] quantiles) {
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
    // Any quantile reads distributions.
    read(reader, found, query, AggregationFunction.P50, Optional.empty())
        .forEach(
            (group, buckets) -> {
              SeriesValues result =
                  new SeriesValues(labelled(groups, group), reader.times().size());
              windows(
                  reader,
                  found,
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

  /** Which stored figure makes the value of a window. */
  private static AggregationFunction figure(Found found) {
    Known known = found.known();
    WindowValue value = found.window().value();
    if (known.meaning() == Meaning.DISTRIBUTION) {
      throw PromQlFault.unsupported(
          "the histogram "
              + known.name()
              + " as a value; take histogram_quantile(φ, rate(…)), "
              + known.name()
              + "_count or "
              + known.name()
              + "_sum");
    }
    boolean isLevel = known.meaning() == Meaning.LEVEL;
    return switch (value) {
      case RATE, INCREASE, INSTANT_RATE -> growth(known);
      case RISE_RATE, RISE, INSTANT_RISE_RATE -> AggregationFunction.LAST;
      case CURRENT -> isLevel ? AggregationFunction.LAST : growth(known);
      case PRESENT, ABSENT -> AggregationFunction.COUNT;
      case CHANGES, DEVIATION, VARIANCE, QUANTILE ->
          throw new IllegalArgumentException(value + " is not stored");
      case SUM, MEAN, MIN, MAX, COUNT, LAST, DELTA, INSTANT_DELTA, SLOPE, PREDICTION -> {
        if (!isLevel) {
          throw PromQlFault.unsupported(
              "functions of levels of "
                  + known.name()
                  + ", which is a counter stored as what it grew by; take increase");
        }
        yield switch (value) {
          case SUM -> AggregationFunction.SUM;
          case MEAN -> AggregationFunction.AVG;
          case MIN -> AggregationFunction.MIN;
          case MAX -> AggregationFunction.MAX;
          case COUNT -> AggregationFunction.COUNT;
          default -> AggregationFunction.LAST;
        };
      }
    };
  }

  private static AggregationFunction growth(Known known) {
    return known.meaning() == Meaning.OBSERVATIONS
        ? AggregationFunction.COUNT
        : AggregationFunction.SUM;
  }

  private static void note(Reader reader, Found found) {
    String name = found.known().name();
    Window window = found.window();
    if (window.value() == WindowValue.CURRENT && found.known().meaning() != Meaning.LEVEL) {
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

  /** What the store computes when it does the aggregation; empty when it cannot. */
  private static Optional<Computation> pushed(
      Reader reader, Found found, AggregationFunction figure, Aggregate aggregate) {
    WindowValue value = found.window().value();
    boolean isGrowth = found.known().meaning() != Meaning.LEVEL;
    if (value == WindowValue.PRESENT
        || value.isOfReadings()
        || (value == WindowValue.CURRENT && isGrowth)
        || aggregate.grouping().keeps(LabelMatcher.NAME)) {
      return Optional.empty();
    }
    Aggregator aggregator = aggregate.aggregator();
    boolean addsUp =
        switch (figure) {
          case SUM, COUNT -> aggregator == Aggregator.SUM;
          case MIN -> aggregator == Aggregator.MIN;
          case MAX -> aggregator == Aggregator.MAX;
          default -> false;
        };
    String metric = found.known().metric();
    if (addsUp) {
      return Optional.of(new Computation(metric, figure, Optional.empty()));
    }
    if (!reader.times().isBuckets(found.window())) {
      return Optional.empty();
    }
    TimeFunction ofSeries =
        switch (figure) {
          case SUM -> TimeFunction.SUM;
          case COUNT -> TimeFunction.COUNT;
          case MIN -> TimeFunction.MIN;
          case MAX -> TimeFunction.MAX;
          case AVG -> TimeFunction.MEAN;
          default -> TimeFunction.LAST;
        };
    return Optional.of(
        new Computation(
            metric, AggregationFunction.valueOf(aggregator.name()), Optional.of(ofSeries)));
  }

  private Vector values(
      Reader reader,
      Found found,
      MetricLabels labels,
      Map<String, LabelKey> groups,
      Computation computation,
      double[] parameters) {
    boolean isLatest =
        found.window().value() == WindowValue.CURRENT && found.known().meaning() != Meaning.LEVEL;
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
    List<SeriesValues> results = new ArrayList<>();
    read(reader, found, query, computation.function(), computation.timeFunction())
        .forEach(
            (group, buckets) -> {
              SortedMap<String, String> named = labelled(groups, group);
              if (found.window().value().keepsName() && computation.timeFunction().isEmpty()) {
                named.put(LabelMatcher.NAME, found.known().name());
              }
              SeriesValues result = new SeriesValues(named, reader.times().size());
              if (found.window().value().isOfReadings()) {
                readings(reader, found, buckets, value, parameters, result);
              } else if (isLatest) {
                latest(reader, found, buckets, value, result);
              } else {
                windows(
                    reader,
                    found,
                    buckets,
                    (step, figures) -> put(result, step, value.applyAsDouble(figures)));
              }
              results.add(result);
            });
    return new Vector(results);
  }

  private static void put(SeriesValues result, int step, double value) {
    if (Double.isFinite(value)) {
      result.put(step, value);
    }
  }

  private interface OfWindow {
    void take(int step, AggregateState figures);
  }

  private static void windows(
      Reader reader, Found found, NavigableMap<Instant, AggregateState> buckets, OfWindow each) {
    long[] ends = reader.times().ends(found.window());
    AggregateState figures = null;
    for (int step = 0; step < ends.length; step++) {
      if (step == 0 || ends[step] != ends[step - 1]) {
        figures = null;
        for (AggregateState bucket : window(found, buckets, ends[step]).values()) {
          if (figures == null) {
            figures = new AggregateState();
          }
          figures.add(bucket);
        }
      }
      if (figures != null) {
        each.take(step, figures);
      }
    }
  }

  /** A reading stands at the end of its minute. */
  private static void readings(
      Reader reader,
      Found found,
      NavigableMap<Instant, AggregateState> buckets,
      ToDoubleFunction<AggregateState> value,
      double[] parameters,
      SeriesValues result) {
    long[] ends = reader.times().ends(found.window());
    for (int step = 0; step < ends.length; step++) {
      NavigableMap<Instant, AggregateState> minutes = window(found, buckets, ends[step]);
      RangeFunctions.Samples samples =
          new RangeFunctions.Samples(
              minutes.keySet().stream().mapToLong(time -> time.toEpochMilli() + MINUTE).toArray(),
              minutes.values().stream().mapToDouble(value).toArray());
      OptionalDouble number =
          RangeFunctions.ofReadings(
              found.window().value(),
              samples,
              found.window().rounded(),
              parameters.length == 0 ? Double.NaN : parameters[step],
              reader.times().times()[step]);
      if (number.isPresent()) {
        put(result, step, number.getAsDouble());
      }
    }
  }

  private static void latest(
      Reader reader,
      Found found,
      NavigableMap<Instant, AggregateState> buckets,
      ToDoubleFunction<AggregateState> value,
      SeriesValues result) {
    long[] ends = reader.times().ends(found.window());
    for (int step = 0; step < ends.length; step++) {
      var last = window(found, buckets, ends[step]).lastEntry();
      if (last != null) {
        put(result, step, value.applyAsDouble(last.getValue()));
      }
    }
  }

  private static NavigableMap<Instant, AggregateState> window(
      Found found, NavigableMap<Instant, AggregateState> buckets, long end) {
    return buckets.subMap(
        Instant.ofEpochMilli(end - found.window().length()),
        true,
        Instant.ofEpochMilli(end),
        false);
  }

  private MetricQuery query(
      Reader reader, Found found, MetricLabels labels, Map<String, LabelKey> groups) {
    WindowValue value = found.window().value();
    boolean isOfMinutes =
        value.isOfReadings()
            || value == WindowValue.CURRENT && found.known().meaning() != Meaning.LEVEL;
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

  private Map<List<String>, NavigableMap<Instant, AggregateState>> read(
      Reader reader,
      Found found,
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
    Map<List<String>, NavigableMap<Instant, AggregateState>> ordered = new LinkedHashMap<>();
    read.groups().forEach((labels, buckets) -> ordered.put(labels, new TreeMap<>(buckets)));
    return ordered;
  }

  private static SortedMap<String, String> labelled(
      Map<String, LabelKey> groups, List<String> values) {
    return SeriesService.labelled(groups.keySet(), values);
  }
}
