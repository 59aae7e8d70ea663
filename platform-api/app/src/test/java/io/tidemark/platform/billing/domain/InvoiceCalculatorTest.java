package io.tidemark.platform.billing.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.InvoiceCalculator.Late;
import io.tidemark.platform.billing.domain.InvoiceCalculator.Quantities;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InvoiceCalculatorTest {

  private static final BillingPeriod MARCH = BillingPeriod.of("2026-03").orElseThrow();
  private static final Instant CLOSES = Instant.parse("2026-04-02T00:00:00Z");

  private static BigDecimal number(String text) {
    return new BigDecimal(text);
  }

  private static PricePlan plan(
      String name, String price, String fee, String minimum, String discount) {
    return new PricePlan(
        name,
        "EUR",
        number(fee),
        number(minimum),
        number(discount),
        new Tax("VAT", number("19")),
        List.of(
            new Charge(
                "points",
                number("1000"),
                BigDecimal.ZERO,
                TierMode.GRADUATED,
                List.of(new Tier(null, number(price), BigDecimal.ZERO)))));
  }

  /** So many points every hour. */
  private static Quantities hourly(long points) {
    return (from, to) ->
        Map.of("points", BigDecimal.valueOf(ChronoUnit.HOURS.between(from, to) * points));
  }

  private static Invoice draft(PlanTimeline plans, Quantities used, Late... late) {
    return new InvoiceCalculator(plans).draft(MARCH, used, List.of(late), 9, CLOSES);
  }

  @Test
  void linesAreRoundedOnceAndThePrintedNumbersAddUp() {
    Invoice invoice =
        draft(new PlanTimeline(plan("a", "0.333", "10", "0", "10"), List.of()), hourly(1));

    // March has 744 hours in UTC, whatever clocks do.
    assertThat(invoice.lines().stream().map(line -> line.id() + " " + line.amount()))
        .containsExactly("base-fee 10.00", "points 0.25", "discount -1.03");
    assertThat(invoice.lines().get(1).exactAmount()).isEqualByComparingTo("0.247752");
    assertThat(invoice.subtotal()).isEqualTo("9.22");
    assertThat(invoice.taxAmount()).isEqualTo("1.75");
    assertThat(invoice.total()).isEqualTo("10.97");
  }

  @Test
  void aMinimumIsFilledUpBeforeTheDiscount() {
    Invoice invoice =
        draft(new PlanTimeline(plan("a", "1", "0", "100", "50"), List.of()), hourly(100));

    assertThat(invoice.lines().stream().map(line -> line.id() + " " + line.amount()))
        .containsExactly("points 74.40", "minimum 25.60", "discount -50.00");
  }

  @Test
  void aPlanThatChangesWithinTheMonthDividesItByHours() {
    PlanTimeline plans =
        new PlanTimeline(
            plan("a", "1", "31", "0", "0"),
            List.of(
                new PlanVersion(1, LocalDate.parse("2026-03-11"), plan("b", "2", "62", "0", "0")),
                new PlanVersion(2, LocalDate.parse("2026-04-01"), plan("c", "3", "0", "0", "0"))));

    Invoice invoice = draft(plans, hourly(1000));

    assertThat(invoice.lines().stream().map(line -> line.id() + " " + line.amount()))
        .containsExactly(
            "1-base-fee 10.00", "1-points 240.00", "2-base-fee 42.00", "2-points 1008.00");
  }

  @Test
  void choosingTheSamePlanAgainChangesNothing() {
    PricePlan same = plan("a", "0.017", "7", "0", "3");
    for (int day = 1; day <= 31; day++) {
      PlanTimeline plans =
          new PlanTimeline(same, List.of(new PlanVersion(1, LocalDate.of(2026, 3, day), same)));

      assertThat(draft(plans, hourly(12_345)))
          .isEqualTo(draft(new PlanTimeline(same, List.of()), hourly(12_345)));
    }
  }

  @Test
  void lateUsageCostsWhatItWouldHaveCostThenAndNothingBelowTheMinimum() {
    BillingPeriod february = MARCH.previous();
    Late late = new Late(february, "PERIOD_CLOSED", hourly(100), hourly(150));
    Quantities nothing = (from, to) -> Map.of();

    Invoice priced =
        draft(new PlanTimeline(plan("a", "1", "0", "0", "0"), List.of()), nothing, late);
    // 672 hours of 50 points more.
    assertThat(priced.lines().stream().map(line -> line.id() + " " + line.amount()))
        .containsExactly("points 0.00", "adjustment-2026-02-points 33.60");
    assertThat(priced.lines().get(1).reason()).isEqualTo("PERIOD_CLOSED");

    Invoice withMinimum =
        draft(new PlanTimeline(plan("a", "1", "0", "500", "0"), List.of()), nothing, late);
    assertThat(
            withMinimum.lines().stream()
                .filter(line -> line.kind() == InvoiceLine.Kind.ADJUSTMENT)
                .map(InvoiceLine::amount)
                .reduce(BigDecimal.ZERO, BigDecimal::add))
        .as("the minimum of February had paid for it")
        .isEqualByComparingTo("0");
  }

  @Test
  void hoursOfEveryMonthAreThoseOfItsDays() {
    BillingPeriod period = BillingPeriod.of("2024-01").orElseThrow();
    for (int i = 0; i < 48; i++) {
      assertThat(period.hours()).isEqualTo(24L * period.month().lengthOfMonth());
      period = period.next();
    }
    assertThat(BillingPeriod.of("2026-13")).isEmpty();
    assertThat(BillingPeriod.of("2026-1")).isEmpty();
  }

  /** Versions on random days, in months in which clocks of countries change and in others. */
  @Test
  void partsOfAMonthHaveEveryHourOnceWhateverChangesWithin() {
    Random random = new Random(3);
    for (int round = 0; round < 400; round++) {
      BillingPeriod period = BillingPeriod.of("2026-%02d".formatted(1 + round % 12)).orElseThrow();
      PlanTimeline plans = changed(random, period, random.nextInt(6));
      Instant at = period.start();
      long hours = 0;
      BigDecimal shares = BigDecimal.ZERO;
      List<PlanTimeline.Segment> segments = plans.segments(period);
      for (PlanTimeline.Segment segment : segments) {
        assertThat(segment.from()).isEqualTo(at);
        at = segment.to();
        hours += ChronoUnit.HOURS.between(segment.from(), segment.to());
        shares = shares.add(segment.share().of(number("1000000")));
      }
      assertThat(at).isEqualTo(period.end());
      assertThat(hours).isEqualTo(period.hours());
      // Each share is rounded to 12 digits.
      assertThat(shares.subtract(number("1000000")).abs())
          .isLessThanOrEqualTo(number("0.000000000001").multiply(number("" + segments.size())));
    }
  }

  private static PlanTimeline changed(Random random, BillingPeriod period, int changes) {
    List<PlanVersion> versions = new ArrayList<>();
    for (int i = 1; i <= changes; i++) {
      int day = 1 + random.nextInt(period.month().lengthOfMonth());
      versions.add(
          new PlanVersion(i, period.month().atDay(day), plan("plan-" + i, "0.017", "0", "0", "0")));
    }
    return new PlanTimeline(plan("first", "0.017", "0", "0", "0"), versions);
  }

  /** Names of plans change, prices do not: however a month is cut, its units cost the same. */
  @Test
  void aPriceWithoutTiersCostsTheSameHoweverTheMonthIsCut() {
    Random random = new Random(4);
    BigDecimal whole =
        draft(changed(random, MARCH, 0), hourly(12_347)).lines().get(0).exactAmount();
    for (int round = 0; round < 100; round++) {
      Invoice cut = draft(changed(random, MARCH, 1 + random.nextInt(8)), hourly(12_347));
      assertThat(
              cut.lines().stream()
                  .map(InvoiceLine::exactAmount)
                  .reduce(BigDecimal.ZERO, BigDecimal::add))
          .isEqualByComparingTo(whole);
    }
  }

  /** Currencies with no, two and three digits after the point. */
  @Test
  void everyLineIsWithinHalfAUnitAndWhatIsPrintedAddsUp() {
    Random random = new Random(5);
    for (String currency : List.of("JPY", "EUR", "BHD")) {
      for (int round = 0; round < 100; round++) {
        PricePlan shape =
            plan(
                "a",
                "0." + (1 + random.nextInt(99_999)),
                "" + random.nextInt(50),
                "" + random.nextInt(90),
                "" + random.nextInt(100));
        PricePlan own =
            new PricePlan(
                shape.name(),
                currency,
                shape.baseFee(),
                shape.minimum(),
                shape.discountPercent(),
                shape.tax(),
                shape.charges());
        Invoice invoice = draft(new PlanTimeline(own, List.of()), hourly(random.nextInt(5_000)));
        BigDecimal half = BigDecimal.ONE.movePointLeft(own.scale()).divide(number("2"));
        BigDecimal sum = BigDecimal.ZERO;
        for (InvoiceLine line : invoice.lines()) {
          assertThat(line.amount().scale()).isEqualTo(own.scale());
          assertThat(line.amount().subtract(line.exactAmount()).abs()).isLessThanOrEqualTo(half);
          sum = sum.add(line.amount());
        }
        assertThat(invoice.subtotal()).isEqualByComparingTo(sum);
        assertThat(invoice.total()).isEqualByComparingTo(sum.add(invoice.taxAmount()));
      }
    }
  }
}
