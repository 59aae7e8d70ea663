package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Pays a subtotal with credits, and never more than it. */
final class CreditAllocator {

  static final String LINE = "credit-";

  private CreditAllocator() {}

  /**
   * A line for each credit that pays a part.
   *
   * @param credits with what is left of them
   * @param plan that gives the currency
   */
  static List<InvoiceLine> lines(
      List<Credit> credits, BigDecimal subtotal, BillingPeriod period, PricePlan plan) {
    List<InvoiceLine> lines = new ArrayList<>();
    BigDecimal owed = subtotal;
    for (Credit credit :
        credits.stream()
            .filter(one -> one.pays(period, plan.currency()))
            .sorted(Credit.ORDER)
            .toList()) {
      BigDecimal paid = owed.min(credit.amount()).setScale(plan.scale(), RoundingMode.DOWN);
      if (paid.signum() > 0) {
        lines.add(line(credit, period, plan, paid.negate()));
        owed = owed.subtract(paid);
      }
    }
    return lines;
  }

  private static InvoiceLine line(
      Credit credit, BillingPeriod period, PricePlan plan, BigDecimal amount) {
    return new InvoiceLine(
        LINE + credit.id(),
        InvoiceLine.Kind.CREDIT,
        (credit.kind() == Credit.Kind.PREPAID ? "Paid ahead: " : "Credit: ") + credit.description(),
        null,
        plan.name(),
        period.start(),
        period.end(),
        null,
        null,
        null,
        null,
        null,
        null,
        amount,
        amount);
  }
}
