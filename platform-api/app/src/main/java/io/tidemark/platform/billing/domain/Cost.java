package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a line of an invoice: a day, what used it, and one price. What does not belong to its
 * kind is null.
 *
 * @param line of the invoice; null for the rounding, which belongs to several
 * @param day in UTC that it counts for
 * @param from of what is charged; a fee is for longer than its day
 * @param tier name of the price within the charge, as in {@code points-tier-1}
 * @param per how many units the price is for
 * @param original before the discount of the plan, exact
 * @param discountPercent of the plan
 */
public record Cost(
    @Nullable String line,
    Kind kind,
    LocalDate day,
    Instant from,
    Instant to,
    @Nullable String plan,
    @Nullable String meter,
    @Nullable String tier,
    String description,
    DailyUse.@Nullable Subject subject,
    @Nullable BigDecimal quantity,
    @Nullable BigDecimal per,
    @Nullable BigDecimal price,
    BigDecimal original,
    BigDecimal discountPercent) {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /** What a cost is for. */
  public enum Kind {
    USAGE,
    TIER_FEE,
    BASE_FEE,
    MINIMUM,
    ADJUSTMENT,
    CREDIT,
    ROUNDING
  }

  /** What the plan takes off, exact. */
  public BigDecimal discount() {
    return original.multiply(discountPercent).divide(HUNDRED);
  }

  public BigDecimal amount() {
    return original.subtract(discount());
  }

  /** The price after the discount, exact. */
  public BigDecimal contractedPrice() {
    return Objects.requireNonNull(price)
        .multiply(HUNDRED.subtract(discountPercent))
        .divide(HUNDRED);
  }
}
