package io.tidemark.flink.rollup.bench;

import java.util.Locale;

/**
 * One measured run.
 *
 * @param points points that came in
 * @param rows rows written on all levels
 * @param cpuSeconds user and system time of the Flink processes
 * @param wallSeconds from order to end
 * @param checkpoints what Flink tells of them
 */
record Result(
    long points,
    long rows,
    double cpuSeconds,
    double wallSeconds,
    FlinkRest.Checkpoints checkpoints) {

  /** Millions of points per core-second. */
  double rate() {
    return points / cpuSeconds / 1e6;
  }

  /** Millions of rows per core-second. */
  double rowRate() {
    return rows / cpuSeconds / 1e6;
  }

  /** Both runs as one. */
  Result and(Result other) {
    return new Result(
        points + other.points,
        rows + other.rows,
        cpuSeconds + other.cpuSeconds,
        wallSeconds + other.wallSeconds,
        checkpoints.and(other.checkpoints));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.3f M points per core-second (%,d points, %,d rows, %.2f CPU-s, %.1f s wall, %d"
            + " checkpoints, longest %d ms, longest stall %d ms)",
        rate(),
        points,
        rows,
        cpuSeconds,
        wallSeconds,
        checkpoints.completed(),
        checkpoints.longestMs(),
        checkpoints.longestStallMs());
  }
}
