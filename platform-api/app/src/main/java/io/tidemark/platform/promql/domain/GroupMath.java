package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Expression.GroupFunction;
import io.tidemark.platform.promql.domain.Expression.Grouping;
import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Groups of series of which some are chosen, or that are described, as Prometheus does it. */
public final class GroupMath {

  private GroupMath() {}

  /**
   * Groups of series.
   *
   * @param parameter of the function, a number for each step; null for functions without one
   */
  public static Vector apply(
      GroupFunction function, @Nullable Numbers parameter, Grouping grouping, Vector vector) {
    Map<SortedMap<String, String>, List<SeriesValues>> groups = new LinkedHashMap<>();
    for (SeriesValues series : vector.series()) {
      groups.computeIfAbsent(series.labels(grouping), ignored -> new ArrayList<>()).add(series);
    }
    List<SeriesValues> results = new ArrayList<>();
    groups.forEach(
        (labels, members) -> {
          if (function.isChoice()) {
            results.addAll(chosen(function, parameter, members));
          } else {
            results.add(described(function, parameter, labels, members));
          }
        });
    return function.isChoice()
        ? VectorFunctions.sorted(new Vector(results), function == GroupFunction.TOPK)
        : new Vector(results);
  }

  /** How many series of a group have each value, which a label tells. */
  public static Vector countValues(String label, Grouping grouping, Vector vector) {
    VectorFunctions.checkLabel(label);
    Map<SortedMap<String, String>, SeriesValues> counts = new LinkedHashMap<>();
    for (SeriesValues series : vector.series()) {
      SortedMap<String, String> group = series.labels(grouping);
      for (int step = 0; step < series.steps(); step++) {
        if (series.has(step)) {
          SortedMap<String, String> labels = new TreeMap<>(group);
          labels.put(label, plain(series.at(step)));
          SeriesValues count =
              counts.computeIfAbsent(labels, each -> new SeriesValues(each, series.steps()));
          count.put(step, count.has(step) ? count.at(step) + 1 : 1);
        }
      }
    }
    return new Vector(List.copyOf(counts.values()));
  }

  /** Never with an exponent. */
  private static String plain(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    String sign = value == 0 && 1 / value < 0 ? "-" : "";
    return sign + new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  private static List<SeriesValues> chosen(
      GroupFunction function, @Nullable Numbers number, List<SeriesValues> members) {
    Comparator<Double> order = VectorFunctions.order(function == GroupFunction.TOPK);
    List<SeriesValues> kept =
        members.stream().map(series -> new SeriesValues(series.labels(), series.steps())).toList();
    for (int step = 0; step < members.get(0).steps(); step++) {
      int at = step;
      List<Integer> present = new ArrayList<>();
      for (int i = 0; i < members.size(); i++) {
        if (members.get(i).has(step)) {
          present.add(i);
        }
      }
      present.sort(Comparator.comparing(i -> members.get(i).at(at), order));
      double most = Objects.requireNonNull(number).values()[step];
      if (Double.isNaN(most) || most < 1) {
        continue;
      }
      for (int i : present.subList(0, (int) Math.min(most, present.size()))) {
        kept.get(i).put(step, members.get(i).at(step));
      }
    }
    return kept;
  }

  private static SeriesValues described(
      GroupFunction function,
      @Nullable Numbers parameter,
      SortedMap<String, String> labels,
      List<SeriesValues> members) {
    SeriesValues result = new SeriesValues(labels, members.get(0).steps());
    for (int step = 0; step < result.steps(); step++) {
      int at = step;
      double[] values =
          members.stream()
              .filter(member -> member.has(at))
              .mapToDouble(member -> member.at(at))
              .toArray();
      if (values.length > 0) {
        result.put(
            step,
            switch (function) {
              case GROUP -> 1;
              case STDVAR -> variance(values);
              case STDDEV -> Math.sqrt(variance(values));
              case QUANTILE -> quantile(Objects.requireNonNull(parameter).values()[step], values);
              case TOPK, BOTTOMK, COUNT_VALUES ->
                  throw new IllegalArgumentException(function + " makes other series");
            });
      }
    }
    return result;
  }

  /** Of all values, not of a sample of them; by Welford's way, which loses no digits. */
  static double variance(double[] values) {
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      double delta = values[i] - mean;
      mean += delta / (i + 1);
      squares += delta * (values[i] - mean);
    }
    return squares / values.length;
  }

  /** Between the two values nearest to the rank; sorts the values. */
  static double quantile(double quantile, double[] values) {
    if (Double.isNaN(quantile)) {
      return Double.NaN;
    }
    if (quantile < 0 || quantile > 1) {
      return quantile < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    Arrays.sort(values);
    double rank = quantile * (values.length - 1);
    int lower = (int) Math.floor(rank);
    int upper = Math.min(lower + 1, values.length - 1);
    double weight = rank - lower;
    return values[lower] * (1 - weight) + values[upper] * weight;
  }
}
