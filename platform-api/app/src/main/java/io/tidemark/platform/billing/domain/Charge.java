package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The price of one meter.
 *
 * @param per how many units a price is for, a power of ten
 * @param included units of a whole month that cost nothing
 * @param tiers the lowest first; the last has no end
 */
public record Charge(
    String meter, BigDecimal per, BigDecimal included, TierMode mode, List<Tier> tiers) {

  public Charge {
    tiers = List.copyOf(tiers);
  }

  /** The same meter at no price. */
  Charge free() {
    return new Charge(
        meter,
        per,
        BigDecimal.ZERO,
        TierMode.GRADUATED,
        List.of(new Tier(null, BigDecimal.ZERO, BigDecimal.ZERO)));
  }

  /**
   * What is wrong, one sentence each.
   *
   * @param place of the charge in its plan, as in {@code charges[0]}
   * @param meters that can be priced
   */
  List<String> faults(String place, Set<String> meters) {
    List<String> faults = new ArrayList<>();
    if (!meters.contains(meter)) {
      faults.add(place + ".meter is '" + meter + "'; it must be one of " + sorted(meters) + ".");
    }
    BigDecimal digits = per.stripTrailingZeros();
    if (!digits.unscaledValue().equals(BigInteger.ONE) || digits.scale() > 0) {
      faults.add(place + ".per must be 1, 10, 100 and so on, so that prices divide exactly.");
    }
    PricePlan.checkAmount(faults, place + ".included", included);
    if (tiers.isEmpty()) {
      faults.add(place + ".tiers must have at least one tier, the last without up_to.");
    }
    BigDecimal before = BigDecimal.ZERO;
    for (int i = 0; i < tiers.size(); i++) {
      String name = place + ".tiers[" + i + "]";
      Tier tier = tiers.get(i);
      PricePlan.checkAmount(faults, name + ".price", tier.price());
      PricePlan.checkAmount(faults, name + ".flat", tier.flat());
      boolean isLast = i == tiers.size() - 1;
      if (tier.upTo() == null && !isLast) {
        faults.add(name + ".up_to is missing: only the last tier has no end, or tiers overlap.");
      } else if (tier.upTo() != null && isLast) {
        faults.add(name + ".up_to leaves a gap above it: the last tier must be without up_to.");
      }
      if (tier.upTo() != null) {
        if (tier.upTo().compareTo(before) <= 0) {
          faults.add(name + ".up_to must be more than that of the tier before, or tiers overlap.");
        }
        PricePlan.checkAmount(faults, name + ".up_to", tier.upTo());
        before = tier.upTo();
      }
    }
    return faults;
  }

  private static List<String> sorted(Set<String> meters) {
    return meters.stream().sorted().toList();
  }
}
