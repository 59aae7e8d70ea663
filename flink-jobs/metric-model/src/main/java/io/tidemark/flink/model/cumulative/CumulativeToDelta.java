package io.tidemark.flink.model.cumulative;

import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns the running totals of one series, taken in event order, into what happened between them.
 *
 * <ul>
 *   <li>Same life, not smaller: the difference.
 *   <li>A later start time, or a smaller total: the sender restarted; the whole total is new.
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
        new CumulativeReference(start, timeUnixNano, reading.sum(), reading.count());
    if (last == null) {
      boolean youngLife = start != 0 && timeUnixNano - start <= FIRST_LIFE.toNanos();
      return youngLife
          ? counted(kind, reading.sum(), reading.count(), reference)
          : new Baseline(reference);
    }
    if (timeUnixNano == last.timeUnixNano()) {
      return isSame(last, reference) ? new Repeated() : new OutOfOrder();
    }
    if (timeUnixNano < last.timeUnixNano() || isEarlierLife(start, last)) {
      return new OutOfOrder();
    }
    if (isRestart(kind, start, reading, last)) {
      return counted(kind, reading.sum(), reading.count(), reference);
    }
    return counted(kind, reading.sum() - last.sum(), reading.count() - last.count(), reference);
  }

  private static Outcome counted(
      MetricKind kind, double sum, long count, CumulativeReference reference) {
    if (Double.isInfinite(sum)) {
      return new Overflow();
    }
    Contribution contribution =
        hasObservations(kind)
            ? Contribution.ofObservations(count, sum, Contribution.ABSENT, Contribution.ABSENT)
            : Contribution.ofValue(sum);
    return new Counted(contribution, reference);
  }

  /** A start after the reading itself says nothing. */
  private static long believableStart(long start, long time) {
    return start > 0 && start <= time ? start : 0;
  }

  private static boolean isEarlierLife(long start, CumulativeReference last) {
    return start != 0 && last.startUnixNano() != 0 && start < last.startUnixNano();
  }

  private static boolean isRestart(
      MetricKind kind, long start, CumulativeReading reading, CumulativeReference last) {
    if (start != 0 && last.startUnixNano() != 0 && start > last.startUnixNano()) {
      return true;
    }
    // The sum of a histogram may shrink by negative observations; its count may not.
    return hasObservations(kind) ? reading.count() < last.count() : reading.sum() < last.sum();
  }

  private static boolean isSame(CumulativeReference last, CumulativeReference reading) {
    return last.startUnixNano() == reading.startUnixNano()
        && Double.compare(last.sum(), reading.sum()) == 0
        && last.count() == reading.count();
  }

  private static boolean hasObservations(MetricKind kind) {
    return switch (kind) {
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> true;
      case GAUGE, COUNTER, UPDOWN_COUNTER -> false;
    };
  }
}
