package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of an invoice. What does not belong to its kind is null.
 *
 * @param id unique in the invoice
 * @param reason of an adjustment
 * @param exactAmount before rounding
 * @param amount rounded; negative for discounts, credits and adjustments that give back
 */
public record InvoiceLine(
    String id,
    Kind kind,
    String description,
    @Nullable String meter,
    String plan,
    Instant from,
    Instant to,
    @Nullable String reason,
    @Nullable BigDecimal quantity,
    @Nullable BigDecimal included,
    @Nullable BigDecimal billedQuantity,
    @Nullable BigDecimal per,
    @Nullable List<ChargePricer.TierPart> parts,
    BigDecimal exactAmount,
    BigDecimal amount) {

  /** What a line is for. */
  public enum Kind {
    USAGE,
    BASE_FEE,
    MINIMUM,
    DISCOUNT,
    ADJUSTMENT,
    CREDIT
  }
}
