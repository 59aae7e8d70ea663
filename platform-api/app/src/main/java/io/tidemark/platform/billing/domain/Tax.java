package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;

/** A tax on the subtotal of an invoice. */
public record Tax(String name, BigDecimal ratePercent) {

  public static final Tax NONE = new Tax("none", BigDecimal.ZERO);
}
