package io.tidemark.flink.model.usage;

/**
 * Quantities by the meters of vocabulary/meters.yaml, version {@link #VERSION}. All are whole and
 * none is negative.
 *
 * @param rowsOfMinutes committed rows of a minute; those of split metrics at full detail are {@code
 *     rowsInDetail}
 */
public record MeteredUnits(
    long points,
    long bytes,
    long pointsSetAside,
    long pointsWithoutValue,
    long activeSeries,
    long newSeries,
    long rowsOfMinutes,
    long rowsInDetail,
    long rowsOfHours,
    long rowsOfDays) {

  /** Of the vocabulary that these quantities follow. */
  public static final int VERSION = 3;

  public static final MeteredUnits NONE = new MeteredUnits(0, 0, 0, 0);

  /** Of accepted batches. */
  public MeteredUnits(long points, long bytes, long pointsSetAside, long pointsWithoutValue) {
    this(points, bytes, pointsSetAside, pointsWithoutValue, 0, 0, 0, 0, 0, 0);
  }

  /** A series that is active in an hour. */
  public static MeteredUnits ofSeries(boolean isNew) {
    return new MeteredUnits(0, 0, 0, 0, 1, isNew ? 1 : 0, 0, 0, 0, 0);
  }

  /** Committed rows of a level. */
  public static MeteredUnits ofRows(RowLevel level, long rows) {
    return switch (level) {
      case MINUTES -> new MeteredUnits(0, 0, 0, 0, 0, 0, rows, 0, 0, 0);
      case MINUTES_IN_DETAIL -> new MeteredUnits(0, 0, 0, 0, 0, 0, 0, rows, 0, 0);
      case HOURS -> new MeteredUnits(0, 0, 0, 0, 0, 0, 0, 0, rows, 0);
      case DAYS -> new MeteredUnits(0, 0, 0, 0, 0, 0, 0, 0, 0, rows);
    };
  }

  /**
   * @throws ArithmeticException when a quantity does not fit 63 bits
   */
  public MeteredUnits plus(MeteredUnits other) {
    return new MeteredUnits(
        Math.addExact(points, other.points),
        Math.addExact(bytes, other.bytes),
        Math.addExact(pointsSetAside, other.pointsSetAside),
        Math.addExact(pointsWithoutValue, other.pointsWithoutValue),
        Math.addExact(activeSeries, other.activeSeries),
        Math.addExact(newSeries, other.newSeries),
        Math.addExact(rowsOfMinutes, other.rowsOfMinutes),
        Math.addExact(rowsInDetail, other.rowsInDetail),
        Math.addExact(rowsOfHours, other.rowsOfHours),
        Math.addExact(rowsOfDays, other.rowsOfDays));
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /** Whether a quantity is none that a job counts. */
  public boolean isAnyNegative() {
    return (points
            | bytes
            | pointsSetAside
            | pointsWithoutValue
            | activeSeries
            | newSeries
            | rowsOfMinutes
            | rowsInDetail
            | rowsOfHours
            | rowsOfDays)
        < 0;
  }
}
