package io.tidemark.platform.metricstore;

import java.util.TreeMap;

/**
 * Observations by bucket, added up from the texts of rows ({@code events/rollup-row.schema.json}:
 * {@code 3|<first bucket>:<count>,<count>|…}). Counts are whole numbers, so the order of adding
 * does not matter. Mutable.
 */
public final class Distribution {

  private static final int SCALE = 3;
  private static final int NUMBER_OF_INDEX_0 = 1025;

  /** Values up to it by magnitude are in bucket 0. */
  private static final double MIN = bound(0);

  private final TreeMap<Integer, Long> counts = new TreeMap<>();

  /**
   * Adds what a text says, {@code times} times.
   *
   * @throws IllegalArgumentException when it is not of the contract's form
   */
  public void add(String text, long times) {
    String[] runs = text.split("\\|");
    if (runs.length < 2 || !runs[0].equals(Integer.toString(SCALE))) {
      throw new IllegalArgumentException("Not a distribution of scale 3: " + text);
    }
    for (int i = 1; i < runs.length; i++) {
      int colon = runs[i].indexOf(':');
      int bucket = Integer.parseInt(runs[i].substring(0, Math.max(colon, 0)));
      for (String count : runs[i].substring(colon + 1).split(",")) {
        add(bucket++, Math.multiplyExact(Long.parseLong(count), times));
      }
    }
  }

  /** Numbers of the buckets that have observations, ascending. */
  public int[] buckets() {
    return counts.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Observations of {@link #buckets}, in their order. */
  public long[] counts() {
    return counts.values().stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * The bound of a bucket that is nearer to minus infinity. Values of buckets above 0 are greater
   * than it, those of buckets below may be it.
   */
  public static double lower(int bucket) {
    if (bucket == 0) {
      return -MIN;
    }
    return bucket > 0 ? bound(bucket - 1) : -bound(-bucket);
  }

  /** The other bound of a bucket; mirrors {@link #lower}. */
  public static double upper(int bucket) {
    return bucket == 0 ? MIN : -lower(-bucket);
  }

  /** The greatest magnitude of a bucket above 0, and the least one of the next. */
  private static double bound(int bucket) {
    return StrictMath.pow(2, (bucket - NUMBER_OF_INDEX_0 + 1) / (double) (1 << SCALE));
  }

  void add(Distribution other) {
    other.counts.forEach(this::add);
  }

  private void add(int bucket, long count) {
    long total = counts.merge(bucket, count, Long::sum);
    if (total == 0) {
      counts.remove(bucket);
    }
  }

  /**
   * The value below or at which the part {@code quantile} of all observations lies, by nearest
   * rank: the geometric middle of its bucket, off by 4.4 % at most. NaN when there is no
   * observation.
   */
  public double quantile(double quantile) {
    long total = counts.values().stream().mapToLong(Long::longValue).sum();
    if (total <= 0) {
      return Double.NaN;
    }
    long rank = Math.max(1, (long) Math.ceil(quantile * total));
    long passed = 0;
    for (var entry : counts.entrySet()) {
      passed += entry.getValue();
      if (passed >= rank) {
        return middle(entry.getKey());
      }
    }
    return middle(counts.lastKey());
  }

  private static double middle(int bucket) {
    if (bucket == 0) {
      return 0;
    }
    int index = Math.abs(bucket) - NUMBER_OF_INDEX_0;
    return Math.signum(bucket) * StrictMath.pow(2, (2 * index + 1) / (double) (2 << SCALE));
  }
}
