package io.tidemark.platform.billing.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CreditAllocatorTest {

  private static final BillingPeriod MARCH = BillingPeriod.of("2026-03").orElseThrow();
  private static final PricePlan PLAN =
      new PricePlan(
          "a", "EUR", BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, Tax.NONE, List.of());

  private static Credit credit(
      String id, Credit.Kind kind, String amount, String from, String until) {
    return new Credit(
        id,
        kind,
        new BigDecimal(amount),
        "EUR",
        "Credit " + id,
        LocalDate.parse(from),
        until == null ? null : LocalDate.parse(until));
  }

  private static List<String> lines(String subtotal, Credit... credits) {
    return CreditAllocator.lines(List.of(credits), new BigDecimal(subtotal), MARCH, PLAN).stream()
        .map(line -> line.id() + " " + line.amount())
        .toList();
  }

  @Test
  void whatIsGrantedAndEndsFirstPaysFirst() {
    Credit paid = credit("paid", Credit.Kind.PREPAID, "1000", "2026-01-01", "2026-03-31");
    Credit endless = credit("endless", Credit.Kind.PROMOTIONAL, "20", "2026-01-01", null);
    Credit soon = credit("soon", Credit.Kind.PROMOTIONAL, "5", "2026-03-31", "2026-04-01");

    assertThat(lines("30.00", paid, endless, soon))
        .containsExactly("credit-soon -5.00", "credit-endless -20.00", "credit-paid -5.00");
    assertThat(lines("0.00", paid)).isEmpty();
    assertThat(lines("-3.00", paid)).as("nothing is owed").isEmpty();
  }

  @Test
  void aCreditPaysMonthsOfItsTimeAndCurrencyOnly() {
    Credit over = credit("over", Credit.Kind.PROMOTIONAL, "5", "2026-01-01", "2026-02-28");
    Credit later = credit("later", Credit.Kind.PROMOTIONAL, "5", "2026-04-01", null);
    Credit foreign =
        new Credit(
            "foreign",
            Credit.Kind.PROMOTIONAL,
            BigDecimal.TEN,
            "USD",
            "Foreign",
            LocalDate.parse("2026-01-01"),
            null);

    assertThat(lines("30.00", over, later, foreign)).isEmpty();
  }

  /**
   * Months one after another: no credit pays more than it is, no month is paid more than it costs.
   */
  @Test
  void creditsAreUsedUpAndNeverOverdrawn() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Credit> left = new ArrayList<>();
      BigDecimal granted = BigDecimal.ZERO;
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        Credit credit =
            credit(
                "c" + i,
                Credit.Kind.values()[random.nextInt(2)],
                random.nextInt(200) + ".07",
                "2026-01-01",
                null);
        left.add(credit);
        granted = granted.add(credit.amount());
      }
      BigDecimal paid = BigDecimal.ZERO;
      BigDecimal cost = BigDecimal.ZERO;
      for (int month = 0; month < 6; month++) {
        BigDecimal subtotal = new BigDecimal(random.nextInt(20_000)).movePointLeft(2);
        cost = cost.add(subtotal);
        BigDecimal paidNow = BigDecimal.ZERO;
        for (InvoiceLine line : CreditAllocator.lines(left, subtotal, MARCH, PLAN)) {
          BigDecimal part = line.amount().negate();
          paidNow = paidNow.add(part);
          left.replaceAll(one -> line.id().equals("credit-" + one.id()) ? one.less(part) : one);
        }
        assertThat(paidNow).isLessThanOrEqualTo(subtotal);
        paid = paid.add(paidNow);
      }
      assertThat(left).allSatisfy(one -> assertThat(one.amount()).isNotNegative());
      assertThat(paid).as("seed %s", seed).isLessThanOrEqualTo(granted.min(cost));
      assertThat(
              paid.add(left.stream().map(Credit::amount).reduce(BigDecimal.ZERO, BigDecimal::add)))
          .isEqualByComparingTo(granted);
    }
  }
}
