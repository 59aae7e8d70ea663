package io.tidemark.flink.model.rollup;

import io.tidemark.flink.model.point.SourcePosition;

/**
 * The not yet emitted part of one series in one minute. State of the rollup job: fields are never
 * renamed or removed without a migration.
 *
 * @param sum sum so far, NaN when no point had one
 * @param count values so far
 * @param min least value so far, or NaN
 * @param max greatest value so far, or NaN
 * @param last value with the greatest point time so far, or NaN
 * @param lastTimeUnixNano time of {@code last}
 * @param contributions points combined; 0 while only cumulative readings wait for their order
 * @param pendingReadings cumulative readings that wait
 * @param first position of the first point; makes the pane's id unique without a counter in state
 * @param emitAt processing time, in milliseconds, at which the pane is emitted whatever the
 *     watermark
 */
public record Pane(
    double sum,
    long count,
    double min,
    double max,
    double last,
    long lastTimeUnixNano,
    long contributions,
    int pendingReadings,
    SourcePosition first,
    long emitAt) {

  private static final double ABSENT = Contribution.ABSENT;

  public static Pane open(SourcePosition first, long emitAt) {
    return new Pane(ABSENT, 0, ABSENT, ABSENT, ABSENT, 0, 0, 0, first, emitAt);
  }

  /**
   * An empty pane that takes the place of this one, with its time to go and its waiting readings.
   */
  public Pane reopened(SourcePosition newFirst) {
    return new Pane(ABSENT, 0, ABSENT, ABSENT, ABSENT, 0, 0, pendingReadings, newFirst, emitAt);
  }

  /**
   * Whether the sum stays finite and the count a long; otherwise emit this pane and open another.
   */
  public boolean hasRoomFor(Contribution point) {
    return (count + point.count()) >= 0 && !Double.isInfinite(added(sum, point.sum()));
  }

  /** The pane with one more point. Of equal point times the later arrival is the last. */
  public Pane plus(Contribution point, long timeUnixNano) {
    boolean newer = Contribution.isPresent(point.last()) && !isLastAfter(timeUnixNano);
    return new Pane(
        added(sum, point.sum()),
        count + point.count(),
        least(min, point.min()),
        greatest(max, point.max()),
        newer ? point.last() : last,
        newer ? timeUnixNano : lastTimeUnixNano,
        contributions + 1,
        pendingReadings,
        first,
        emitAt);
  }

  public Pane withPendingReading() {
    return new Pane(
        sum,
        count,
        min,
        max,
        last,
        lastTimeUnixNano,
        contributions,
        pendingReadings + 1,
        first,
        emitAt);
  }

  private boolean isLastAfter(long timeUnixNano) {
    return Contribution.isPresent(last) && lastTimeUnixNano > timeUnixNano;
  }

  private static double added(double left, double right) {
    if (!Contribution.isPresent(left)) {
      return right;
    }
    return Contribution.isPresent(right) ? left + right : left;
  }

  private static double least(double left, double right) {
    if (!Contribution.isPresent(left)) {
      return right;
    }
    return Contribution.isPresent(right) ? Math.min(left, right) : left;
  }

  private static double greatest(double left, double right) {
    if (!Contribution.isPresent(left)) {
      return right;
    }
    return Contribution.isPresent(right) ? Math.max(left, right) : left;
  }
}
