package io.tidemark.platform.sizing.domain;

/** Whole nodes and whole gigabytes. */
final class Rounding {

  /** What floating-point arithmetic may add to a whole number. */
  private static final double SLACK = 1e-9;

  private Rounding() {}

  /** The least whole number that is not less. */
  static long up(double value) {
    return (long) Math.ceil(value - SLACK);
  }
}
