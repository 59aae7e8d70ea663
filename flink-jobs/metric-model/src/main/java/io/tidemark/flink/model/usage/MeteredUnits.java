package io.tidemark.flink.model.usage;

/**
 * Quantities by the meters of vocabulary/meters.yaml, version {@link #VERSION}. All are whole and
 * none is negative.
 */
public record MeteredUnits(long points, long bytes, long pointsSetAside, long pointsWithoutValue) {

  /** Of the vocabulary that these quantities follow. */
  public static final int VERSION = 1;

  public static final MeteredUnits NONE = new MeteredUnits(0, 0, 0, 0);

  /**
   * @throws ArithmeticException when a quantity does not fit 63 bits
   */
  public MeteredUnits plus(MeteredUnits other) {
    return new MeteredUnits(
        Math.addExact(points, other.points),
        Math.addExact(bytes, other.bytes),
        Math.addExact(pointsSetAside, other.pointsSetAside),
        Math.addExact(pointsWithoutValue, other.pointsWithoutValue));
  }

  public boolean isNone() {
    return equals(NONE);
  }
}
