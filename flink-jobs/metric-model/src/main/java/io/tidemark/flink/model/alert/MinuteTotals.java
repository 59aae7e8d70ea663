package io.tidemark.flink.model.alert;

import io.tidemark.flink.model.distribution.Distribution;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a group add up to in one minute, or over several. State of jobs.
 *
 * @param min NaN without one, like max and last
 * @param lastTime milliseconds since the Unix epoch of the value in last
 * @param buckets numbers of the distribution's buckets, ascending; empty without one
 * @param counts of these buckets
 */
@SuppressWarnings("ArrayRecordComponent") // State; never compared.
public record MinuteTotals(
    double sum,
    long count,
    double min,
    double max,
    double last,
    long lastTime,
    int[] buckets,
    long[] counts) {

  public static final long MINUTE_MS = 60_000;

  static final int[] NO_BUCKETS = {};
  static final long[] NO_COUNTS = {};

  /** Totals without a distribution. */
  public static MinuteTotals of(
      double sum, long count, double min, double max, double last, long lastTime) {
    return new MinuteTotals(sum, count, min, max, last, lastTime, NO_BUCKETS, NO_COUNTS);
  }

  /** Whether rows took away what rows had given. */
  boolean isEmpty() {
    return count == 0 && sum == 0 && buckets.length == 0;
  }

  /** Both together; null is nothing. */
  public static MinuteTotals add(@Nullable MinuteTotals one, MinuteTotals other) {
    return one == null ? other : one.plus(other);
  }

  private MinuteTotals plus(MinuteTotals other) {
    boolean isOthersLast =
        Double.isNaN(last) || (!Double.isNaN(other.last) && other.lastTime >= lastTime);
    int[] bothBuckets = buckets;
    long[] bothCounts = counts;
    if (other.buckets.length > 0) {
      Distribution both = distribution();
      both.add(other.distribution());
      bothBuckets = new int[both.size()];
      bothCounts = new long[both.size()];
      for (int i = 0; i < both.size(); i++) {
        bothBuckets[i] = both.bucket(i);
        bothCounts[i] = both.count(i);
      }
    }
    return new MinuteTotals(
        sum + other.sum,
        count + other.count,
        least(min, other.min),
        max(max, other.max),
        isOthersLast ? other.last : last,
        isOthersLast ? other.lastTime : lastTime,
        bothBuckets,
        bothCounts);
  }

  private static double least(double one, double other) {
    return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.min(one, other);
  }

  private static double max(double one, double other) {
    return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
  }

  Distribution distribution() {
    Distribution all = new Distribution();
    for (int i = 0; i < buckets.length; i++) {
      all.append(buckets[i], counts[i]);
    }
    return all;
  }
}
