package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What pays invoices instead of money.
 *
 * @param validFrom a day; its whole month is paid
 * @param validUntil the last day, likewise; null for no end
 */
public record Credit(
    String id,
    Kind kind,
    BigDecimal amount,
    String currency,
    String description,
    LocalDate validFrom,
    @Nullable LocalDate validUntil) {

  /** Where a credit comes from. */
  public enum Kind {
    /** Granted. */
    PROMOTIONAL,
    /** Paid ahead: a commitment that months use up. */
    PREPAID
  }

  /** What is granted pays before what was paid, and what ends first before the others. */
  static final Comparator<Credit> ORDER =
      Comparator.comparing(Credit::kind)
          .thenComparing(Credit::validUntil, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(Credit::id);

  private static final int LONGEST_DESCRIPTION = 200;

  /** One sentence a fault, naming the field. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    PricePlan.checkAmount(faults, "amount", amount);
    if (amount.signum() == 0) {
      faults.add("amount must be more than 0.");
    }
    if (!PricePlan.isCurrency(currency)) {
      faults.add("currency is '" + currency + "'; it must be an ISO 4217 code such as EUR.");
    } else if (amount.stripTrailingZeros().scale()
        > Currency.getInstance(currency).getDefaultFractionDigits()) {
      faults.add("amount has more digits after the point than " + currency + " has.");
    }
    if (description.isBlank() || description.length() > LONGEST_DESCRIPTION) {
      faults.add("description must be 1 to " + LONGEST_DESCRIPTION + " characters.");
    }
    if (validUntil != null && validUntil.isBefore(validFrom)) {
      faults.add("valid_until must not be before valid_from.");
    }
    return faults;
  }

  /** The same with what is left of it. */
  public Credit less(BigDecimal used) {
    return new Credit(
        id, kind, amount.subtract(used), currency, description, validFrom, validUntil);
  }

  boolean pays(BillingPeriod period, String invoiceCurrency) {
    return currency.equals(invoiceCurrency)
        && amount.signum() > 0
        && validFrom.isBefore(period.next().firstDay())
        && (validUntil == null || !validUntil.isBefore(period.firstDay()));
  }
}
