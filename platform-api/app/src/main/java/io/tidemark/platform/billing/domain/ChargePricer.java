package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Prices a quantity by a charge. Exact but for shares of a period; rounding comes after. */
public final class ChargePricer {

  private ChargePricer() {}

  /**
   * A part of the quantity in one tier.
   *
   * @param amount price and flat fee, not rounded
   */
  public record TierPart(
      BigDecimal quantity, BigDecimal price, BigDecimal flat, BigDecimal amount) {}

  /**
   * A priced quantity.
   *
   * @param included of the share
   * @param billed what is left of the quantity after it
   * @param amount sum of the parts, not rounded
   */
  public record Priced(
      BigDecimal quantity,
      BigDecimal included,
      BigDecimal billed,
      List<TierPart> parts,
      BigDecimal amount) {}

  /**
   * Prices a quantity that was used in a share of a period: what is included, the bounds of tiers
   * and flat fees are divided by that share.
   */
  public static Priced price(Charge charge, BigDecimal quantity, Share share) {
    if (quantity.signum() < 0) {
      throw new IllegalArgumentException("A quantity is not negative: " + quantity);
    }
    BigDecimal included = share.of(charge.included());
    BigDecimal billed = quantity.subtract(included).max(BigDecimal.ZERO);
    List<TierPart> parts =
        switch (charge.mode()) {
          case GRADUATED -> graduated(charge, billed, share);
          case VOLUME -> volume(charge, billed, share);
        };
    return new Priced(
        quantity,
        included,
        billed,
        parts,
        parts.stream().map(TierPart::amount).reduce(BigDecimal.ZERO, BigDecimal::add));
  }

  private static List<TierPart> graduated(Charge charge, BigDecimal billed, Share share) {
    List<TierPart> parts = new ArrayList<>();
    BigDecimal lower = BigDecimal.ZERO;
    for (Tier tier : charge.tiers()) {
      if (billed.compareTo(lower) <= 0) {
        break;
      }
      BigDecimal upper = tier.upTo() == null ? billed : billed.min(share.of(tier.upTo()));
      parts.add(part(charge, tier, upper.subtract(lower), share));
      lower = upper;
    }
    return parts;
  }

  private static List<TierPart> volume(Charge charge, BigDecimal billed, Share share) {
    if (billed.signum() == 0) {
      return List.of();
    }
    for (Tier tier : charge.tiers()) {
      if (tier.upTo() == null || billed.compareTo(share.of(tier.upTo())) <= 0) {
        return List.of(part(charge, tier, billed, share));
      }
    }
    throw new IllegalArgumentException("The last tier of " + charge.meter() + " has an end");
  }

  private static TierPart part(Charge charge, Tier tier, BigDecimal quantity, Share share) {
    BigDecimal flat = share.of(tier.flat());
    // Exact: the divisor is a power of ten.
    BigDecimal amount = quantity.multiply(tier.price()).divide(charge.per()).add(flat);
    return new TierPart(quantity, tier.price(), flat, amount);
  }
}
