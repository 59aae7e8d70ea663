package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.GroupOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values of several computations by group and bucket, in the order of groups. Mutable. */
public final class ResultMatrix {

  private final int width;
  private final NavigableMap<List<@Nullable String>, Map<Instant, double[]>> groups =
      new TreeMap<>(GroupOrder.GROUPS);
  private final Map<Instant, Distribution> distributions = new HashMap<>();

  /**
   * Nothing yet.
   *
   * @param width number of computations
   */
  public ResultMatrix(int width) {
    this.width = width;
  }

  /** Notes one value of each bucket of a group; NaN and infinities are none. */
  public void put(
      List<@Nullable String> labels,
      Map<Instant, AggregateState> buckets,
      int place,
      AggregationFunction function) {
    Map<Instant, double[]> group = groups.computeIfAbsent(labels, ignored -> new BucketMap<>());
    buckets.forEach(
        (bucket, figures) -> {
          double value = figures.value(function);
          if (Double.isFinite(value)) {
            group.computeIfAbsent(bucket, ignored -> none())[place] = value;
          }
        });
  }

  /** Notes how the observations of each bucket of the only group are spread. */
  public void putDistributions(Map<Instant, AggregateState> buckets) {
    buckets.forEach(
        (bucket, figures) -> {
          if (figures.distribution != null) {
            distributions.put(bucket, figures.distribution);
          }
        });
  }

  /** How the observations of a bucket are spread; null when that is not known. */
  public @Nullable Distribution distribution(Instant bucket) {
    return distributions.get(bucket);
  }

  private double[] none() {
    double[] values = new double[width];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  /** Groups with or without values. */
  public List<List<@Nullable String>> groups() {
    return new ArrayList<>(groups.keySet());
  }

  /** Values by bucket, ascending. */
  public Map<Instant, double[]> of(List<@Nullable String> labels) {
    return Objects.requireNonNull(groups.get(labels));
  }

  /** The groups by one value of their only bucket; groups without it come last. */
  public List<List<@Nullable String>> orderedBy(MetricQuery.ValueOrder order) {
    List<List<@Nullable String>> sorted = groups();
    sorted.sort(
        (List<@Nullable String> one, List<@Nullable String> other) -> {
          double left = only(one, order.aggregation());
          double right = only(other, order.aggregation());
          if (Double.isNaN(left) || Double.isNaN(right)) {
            return Boolean.compare(Double.isNaN(left), Double.isNaN(right));
          }
          return order.descending() ? Double.compare(right, left) : Double.compare(left, right);
        });
    return sorted;
  }

  private double only(List<@Nullable String> labels, int place) {
    Map<Instant, double[]> buckets = of(labels);
    return buckets.isEmpty() ? Double.NaN : buckets.values().iterator().next()[place];
  }
}
