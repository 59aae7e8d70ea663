package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prices of a month.
 *
 * @param currency ISO 4217
 * @param baseFee of a month, whatever is used
 * @param minimum what a month costs at least, before discount and tax
 * @param discountPercent of fee, usage and minimum
 */
public record PricePlan(
    String name,
    String currency,
    BigDecimal baseFee,
    BigDecimal minimum,
    BigDecimal discountPercent,
    Tax tax,
    List<Charge> charges) {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final int MAX_DIGITS_AFTER_POINT = 12;
  private static final int MAX_DIGITS = 24;

  public PricePlan {
    charges = List.copyOf(charges);
  }

  /**
   * What is wrong, one sentence each, with the field named; empty for a plan that can be used.
   *
   * @param meters that can be priced
   */
  public List<String> faults(Set<String> meters) {
    List<String> faults = new ArrayList<>();
    if (name.isBlank()) {
      faults.add("name must not be empty.");
    }
    if (!isCurrency(currency)) {
      faults.add("currency is '" + currency + "'; it must be an ISO 4217 code such as EUR.");
    }
    checkAmount(faults, "base_fee", baseFee);
    checkAmount(faults, "minimum", minimum);
    checkPercent(faults, "discount_percent", discountPercent);
    checkPercent(faults, "tax.rate_percent", tax.ratePercent());
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < charges.size(); i++) {
      String place = "charges[" + i + "]";
      faults.addAll(charges.get(i).faults(place, meters));
      if (!seen.add(charges.get(i).meter())) {
        faults.add(place + ".meter is priced by another charge already.");
      }
    }
    return faults;
  }

  /** The same plan for nothing: what is metered stays on the invoice. */
  public PricePlan trial() {
    return new PricePlan(
        name + "-trial",
        currency,
        BigDecimal.ZERO,
        BigDecimal.ZERO,
        BigDecimal.ZERO,
        tax,
        charges.stream().map(Charge::free).toList());
  }

  /** Digits after the point of an amount on an invoice. */
  public int scale() {
    return Currency.getInstance(currency).getDefaultFractionDigits();
  }

  static boolean isCurrency(String code) {
    try {
      return Currency.getInstance(code).getDefaultFractionDigits() >= 0;
    } catch (IllegalArgumentException unknown) {
      return false;
    }
  }

  static void checkAmount(List<String> faults, String field, BigDecimal amount) {
    if (amount.signum() < 0) {
      faults.add(field + " must not be negative.");
    }
    if (amount.scale() > MAX_DIGITS_AFTER_POINT
        || amount.precision() - amount.scale() > MAX_DIGITS) {
      faults.add(field + " must have at most 24 digits before and 12 after the point.");
    }
  }

  private static void checkPercent(List<String> faults, String field, BigDecimal percent) {
    checkAmount(faults, field, percent);
    if (percent.compareTo(HUNDRED) > 0) {
      faults.add(field + " must be at most 100.");
    }
  }
}
