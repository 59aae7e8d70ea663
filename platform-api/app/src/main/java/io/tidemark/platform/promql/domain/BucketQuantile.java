package io.tidemark.platform.promql.domain;

import io.tidemark.platform.promql.domain.Value.Numbers;
import io.tidemark.platform.promql.domain.Value.Vector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Quantiles of classic histograms: of series with cumulative counts and their bounds in {@code le}.
 */
public final class BucketQuantile {

  private static final String BOUND = "le";

  private record Bucket(double bound, double count) {}

  private BucketQuantile() {}

  /** A quantile for each group of buckets, by linear interpolation within the bucket. */
  public static Vector of(Numbers quantiles, Vector buckets) {
    Map<SortedMap<String, String>, TreeMap<Double, List<SeriesValues>>> groups =
        new LinkedHashMap<>();
    for (SeriesValues series : buckets.series()) {
      double bound = bound(series.labels().get(BOUND));
      if (!Double.isNaN(bound)) {
        SortedMap<String, String> labels = series.nameless();
        labels.remove(BOUND);
        groups
            .computeIfAbsent(labels, ignored -> new TreeMap<>())
            // One bound may be written as 1 and as 1.0.
            .computeIfAbsent(bound, ignored -> new ArrayList<>())
            .add(series);
      }
    }
    List<SeriesValues> results = new ArrayList<>();
    groups.forEach(
        (labels, members) -> {
          SeriesValues result = new SeriesValues(labels, quantiles.values().length);
          for (int step = 0; step < result.steps(); step++) {
            List<Bucket> present = new ArrayList<>();
            for (var member : members.entrySet()) {
              int at = step;
              List<SeriesValues> there =
                  member.getValue().stream().filter(series -> series.has(at)).toList();
              if (!there.isEmpty()) {
                double count = there.stream().mapToDouble(series -> series.at(at)).sum();
                present.add(new Bucket(member.getKey(), count));
              }
            }
            if (!present.isEmpty()) {
              result.put(step, quantile(quantiles.values()[step], present));
            }
          }
          results.add(result);
        });
    return new Vector(results);
  }

  private static double bound(@Nullable String text) {
    if (text == null) {
      return Double.NaN;
    }
    try {
      return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    } catch (NumberFormatException noBound) {
      return Double.NaN;
    }
  }

  private static double quantile(double quantile, List<Bucket> cumulative) {
    if (Double.isNaN(quantile)) {
      return Double.NaN;
    }
    if (quantile < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (quantile > 1) {
      return Double.POSITIVE_INFINITY;
    }
    int last = cumulative.size() - 1;
    if (last < 1 || cumulative.get(last).bound() != Double.POSITIVE_INFINITY) {
      return Double.NaN;
    }
    double[] counts = new double[cumulative.size()];
    double most = 0;
    for (int i = 0; i < counts.length; i++) {
      // Buckets that were not read at the same moment may seem to shrink.
      most = Math.max(most, cumulative.get(i).count());
      counts[i] = most;
    }
    double total = counts[last];
    if (total == 0) {
      return Double.NaN;
    }
    double rank = quantile * total;
    int found = 0;
    while (found < last && counts[found] < rank) {
      found++;
    }
    if (found == last) {
      return cumulative.get(last - 1).bound();
    }
    double end = cumulative.get(found).bound();
    if (found == 0 && end <= 0) {
      return end;
    }
    double start = found == 0 ? 0 : cumulative.get(found - 1).bound();
    double before = found == 0 ? 0 : counts[found - 1];
    double count = counts[found] - before;
    return start + (end - start) * ((rank - before) / count);
  }
}
