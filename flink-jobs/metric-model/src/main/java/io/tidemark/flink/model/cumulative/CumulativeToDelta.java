package io.tidemark.flink.model.cumulative;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened between two running totals of one series that follow each other in event order. A
 * difference has no least, greatest or last value: those would tell how often the series was read.
 *
 * <ul>
 *   <li>Same life, not smaller: the difference, also of buckets if both have the same layout.
 *   <li>A later start time, or a smaller total: the sender restarted; the whole total is new. Of
 *       histograms, a smaller count of any comparable bucket is a smaller total too.
 *   <li>First reading of a series: the whole total if the sender says it started at most {@link
 *       #FIRST_LIFE} before; otherwise 0, because nobody knows how much of it was counted before.
 *   <li>Not after the last used reading: out of order, unless it repeats that reading.
 * </ul>
 *
 * The first-reading rule reads nothing but the point, so a replay decides the same.
 */
public final class CumulativeToDelta {

  /** Longest life before its first reading for which a sender's total is taken whole. */
  public static final Duration FIRST_LIFE = Duration.ofMinutes(10);

  /** What became of a reading. */
  public sealed interface Outcome permits Counted, Baseline, Repeated, OutOfOrder, Overflow {}

  /** It adds {@code contribution}, and is the reference of the next reading. */
  public record Counted(Contribution contribution, CumulativeReference reference)
      implements Outcome {}

  /** It adds nothing and is the reference of the next reading. */
  public record Baseline(CumulativeReference reference) implements Outcome {}

  /** It is the last used reading once more, and adds nothing. */
  public record Repeated() implements Outcome {}

  /** It is older than, or contradicts, a reading already used. */
  public record OutOfOrder() implements Outcome {}

  /** The difference is not a finite number. */
  public record Overflow() implements Outcome {}

  private CumulativeToDelta() {}

  /**
   * @param last the last used reading of the series; null when there is none
   * @param kind of the series
   * @param timeUnixNano point time of the reading
   * @param reading the total
   */
  public static Outcome next(
      @Nullable CumulativeReference last,
      MetricKind kind,
      long timeUnixNano,
      CumulativeReading reading) {
    long start = believableStart(reading.startUnixNano(), timeUnixNano);
    CumulativeReference reference =
        new CumulativeReference(
            start,
            timeUnixNano,
            reading.sum(),
            reading.count(),
            reading.distribution(),
            reading.layout());
    return next(last, kind, reference);
  }

  /** The same for a reading that was found believable before. */
  static Outcome next(
      @Nullable CumulativeReference last, MetricKind kind, CumulativeReference reading) {
    long start = reading.startUnixNano();
    long timeUnixNano = reading.timeUnixNano();
    if (last == null) {
      boolean youngLife = start != 0 && timeUnixNano - start <= FIRST_LIFE.toNanos();
      return youngLife ? whole(kind, reading) : new Baseline(reading);
    }
    if (timeUnixNano == last.timeUnixNano()) {
      return isSame(last, reading) ? new Repeated() : new OutOfOrder();
    }
    if (timeUnixNano < last.timeUnixNano() || isEarlierLife(start, last)) {
      return new OutOfOrder();
    }
    if (isRestart(kind, reading, last)) {
      return whole(kind, reading);
    }
    return counted(
        kind,
        reading.sum() - last.sum(),
        reading.count() - last.count(),
        difference(last, reading),
        reading);
  }

  private static Outcome whole(MetricKind kind, CumulativeReference reading) {
    return counted(kind, reading.sum(), reading.count(), reading.distribution(), reading);
  }

  private static Outcome counted(
      MetricKind kind,
      double sum,
      long count,
      @Nullable Distribution distribution,
      CumulativeReference reference) {
    if (Double.isInfinite(sum)) {
      return new Overflow();
    }
    // Of a counter, the points are counted; of the others, what the sender counted.
    long counted = hasObservations(kind) ? count : 1;
    Contribution contribution =
        Contribution.ofObservations(counted, sum, Contribution.ABSENT, Contribution.ABSENT);
    return new Counted(contribution.with(distribution), reference);
  }

  /** Null when the buckets of the two cannot be compared. */
  private static @Nullable Distribution difference(
      CumulativeReference last, CumulativeReference reading) {
    Distribution before = last.distribution();
    Distribution now = reading.distribution();
    if (before == null || now == null || last.layout() != reading.layout()) {
      return null;
    }
    Distribution difference = now.copy();
    difference.subtract(before);
    return difference;
  }

  /** Buckets that cannot be compared say nothing. */
  private static boolean hasShrunkBuckets(CumulativeReference last, CumulativeReference reading) {
    Distribution before = last.distribution();
    Distribution now = reading.distribution();
    return before != null
        && now != null
        && last.layout() == reading.layout()
        && !now.isAtLeast(before);
  }

  /** A start after the reading itself says nothing. */
  private static long believableStart(long start, long time) {
    return start > 0 && start <= time ? start : 0;
  }

  private static boolean isEarlierLife(long start, CumulativeReference last) {
    return start != 0 && last.startUnixNano() != 0 && start < last.startUnixNano();
  }

  private static boolean isRestart(
      MetricKind kind, CumulativeReference reading, CumulativeReference last) {
    long start = reading.startUnixNano();
    if (start != 0 && last.startUnixNano() != 0 && start > last.startUnixNano()) {
      return true;
    }
    if (!hasObservations(kind)) {
      return reading.sum() < last.sum();
    }
    // The sum of a histogram may shrink by negative observations; its counts may not.
    return reading.count() < last.count() || hasShrunkBuckets(last, reading);
  }

  private static boolean isSame(CumulativeReference last, CumulativeReference reading) {
    return last.startUnixNano() == reading.startUnixNano()
        && Double.compare(last.sum(), reading.sum()) == 0
        && last.count() == reading.count()
        && last.layout() == reading.layout()
        && Objects.equals(last.distribution(), reading.distribution());
  }

  private static boolean hasObservations(MetricKind kind) {
    return switch (kind) {
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> true;
      case GAUGE, COUNTER, UPDOWN_COUNTER -> false;
    };
  }
}
