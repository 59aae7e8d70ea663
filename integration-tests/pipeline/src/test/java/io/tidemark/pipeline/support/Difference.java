package io.tidemark.pipeline.support;

import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** Says where stored rows differ from a ledger. Sums of tests are whole numbers: exact. */
public final class Difference {
  private static final RowFigures NOTHING =
      new RowFigures(0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

  private Difference() {}

  /** One line per bucket, with how many points are missing or come twice; empty when equal. */
  public static List<String> between(
      TreeMap<Bucket, RowFigures> expected, TreeMap<Bucket, RowFigures> actual) {
    List<String> lines = new ArrayList<>();
    TreeSet<Bucket> buckets = new TreeSet<>(expected.keySet());
    buckets.addAll(actual.keySet());
    for (Bucket bucket : buckets) {
      RowFigures wanted = expected.getOrDefault(bucket, NOTHING);
      RowFigures found = actual.getOrDefault(bucket, NOTHING);
      if (!wanted.equals(found)) {
        long missing = wanted.count() - found.count();
        lines.add(
            "%s %s: %s; expected %s, found %s"
                .formatted(
                    bucket.time(),
                    bucket.group(),
                    missing > 0
                        ? missing + " points missing"
                        : missing < 0 ? -missing + " points twice" : "other values",
                    wanted,
                    found));
      }
    }
    return lines;
  }

  /** The same of sums alone. */
  public static List<String> ofSums(
      TreeMap<Bucket, Double> expected, TreeMap<Bucket, Double> actual) {
    TreeSet<Bucket> buckets = new TreeSet<>(expected.keySet());
    buckets.addAll(actual.keySet());
    return buckets.stream()
        .filter(bucket -> !Objects.equals(expected.get(bucket), actual.get(bucket)))
        .map(
            bucket ->
                "%s %s: expected %s, found %s"
                    .formatted(
                        bucket.time(), bucket.group(), expected.get(bucket), actual.get(bucket)))
        .toList();
  }
}
