package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The part of a period in which a version of a plan is in force.
 *
 * @param hours of that part
 * @param all hours of the period
 */
public record Share(long hours, long all) {

  public static final Share WHOLE = new Share(1, 1);

  /** Digits after the point that a part of an amount or quantity is rounded to, half up. */
  static final int SCALE = 12;

  public Share {
    if (hours < 0 || all <= 0 || hours > all) {
      throw new IllegalArgumentException("A share is 0 to all of a period");
    }
  }

  BigDecimal of(BigDecimal whole) {
    return hours == all
        ? whole
        : whole
            .multiply(BigDecimal.valueOf(hours))
            .divide(BigDecimal.valueOf(all), SCALE, RoundingMode.HALF_UP);
  }
}
