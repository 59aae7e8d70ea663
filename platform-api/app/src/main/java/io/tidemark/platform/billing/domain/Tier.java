package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A price for a range of a quantity.
 *
 * @param upTo last unit of the tier, counted after what is included; null for no end
 * @param price for as many units as the charge says
 * @param flat once when the quantity reaches into the tier
 */
public record Tier(@Nullable BigDecimal upTo, BigDecimal price, BigDecimal flat) {}
