package io.tidemark.platform.billing.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostCalculatorTest {

  private static final BillingPeriod MARCH = BillingPeriod.of("2026-03").orElseThrow();
  private static final List<String> METERS = List.of("points", "bytes");

  private static BigDecimal number(String text) {
    return new BigDecimal(text);
  }

  private static Instant start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  static Invoice invoice(PlanTimeline plans, List<DailyUse> use) {
    InvoiceCalculator.Quantities used =
        (from, to) -> {
          Map<String, BigDecimal> sums = new HashMap<>();
          use.stream()
              .filter(one -> !start(one.day()).isBefore(from) && start(one.day()).isBefore(to))
              .forEach(one -> sums.merge(one.meter(), one.units(), BigDecimal::add));
          return sums;
        };
    return new InvoiceCalculator(plans)
        .draft(MARCH, used, List.of(), 9, Instant.parse("2026-04-02T00:00:00Z"));
  }

  private static PricePlan plan(String name, Random random) {
    List<Charge> charges = new ArrayList<>();
    for (String meter : METERS) {
      charges.add(
          new Charge(
              meter,
              BigDecimal.TEN.pow(random.nextInt(4)),
              BigDecimal.valueOf(random.nextInt(3) * 700L),
              random.nextBoolean() ? TierMode.GRADUATED : TierMode.VOLUME,
              List.of(
                  new Tier(
                      BigDecimal.valueOf(1 + random.nextInt(900)),
                      new BigDecimal(random.nextInt(5_000)).movePointLeft(4),
                      BigDecimal.ZERO),
                  new Tier(
                      BigDecimal.valueOf(1_000 + random.nextInt(2_000)),
                      new BigDecimal(5_000 + random.nextInt(5_000)).movePointLeft(5),
                      BigDecimal.valueOf(random.nextInt(3))),
                  new Tier(
                      null,
                      new BigDecimal(10_000 + random.nextInt(5_000)).movePointLeft(5),
                      BigDecimal.valueOf(random.nextInt(3))))));
    }
    return new PricePlan(
        name,
        "EUR",
        new BigDecimal(random.nextInt(2) * 1_999).movePointLeft(2),
        BigDecimal.valueOf(random.nextInt(2) * 400L),
        new BigDecimal(random.nextInt(3) * 125).movePointLeft(1),
        new Tax("VAT", number("19")),
        charges);
  }

  private static List<DailyUse> use(Random random) {
    List<DailyUse> use = new ArrayList<>();
    for (LocalDate day = MARCH.firstDay(); day.getMonthValue() == 3; day = day.plusDays(1)) {
      for (String meter : METERS) {
        for (int resource = 0; resource < random.nextInt(4); resource++) {
          use.add(
              new DailyUse(
                  meter,
                  day,
                  new DailyUse.Subject("env-a", "kafka", "lkc-" + resource),
                  BigDecimal.valueOf(1 + random.nextInt(120))));
        }
      }
    }
    return use;
  }

  /** Whatever plan, use and change of plan: every unit and every cent is in exactly one cost. */
  @Test
  void costsAddUpToTheInvoiceAndUnitsToTheUse() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      List<PlanVersion> versions =
          random.nextBoolean()
              ? List.of()
              : List.of(
                  new PlanVersion(
                      1, LocalDate.of(2026, 3, 2 + random.nextInt(29)), plan("later", random)));
      PlanTimeline plans = new PlanTimeline(plan("first", random), versions);
      List<DailyUse> use = use(random);
      Invoice invoice = invoice(plans, use);

      List<Cost> costs = new CostCalculator(plans).divide(MARCH, invoice, use);

      assertThat(costs.stream().map(Cost::amount).reduce(BigDecimal.ZERO, BigDecimal::add))
          .as("seed %s", seed)
          .isEqualByComparingTo(invoice.subtotal());
      for (String meter : METERS) {
        assertThat(
                costs.stream()
                    .filter(cost -> cost.kind() == Cost.Kind.USAGE && cost.meter().equals(meter))
                    .map(Cost::quantity)
                    .reduce(BigDecimal.ZERO, BigDecimal::add))
            .as("seed %s, %s", seed, meter)
            .isEqualByComparingTo(
                use.stream()
                    .filter(one -> one.meter().equals(meter))
                    .map(DailyUse::units)
                    .reduce(BigDecimal.ZERO, BigDecimal::add));
      }
      for (InvoiceLine line : invoice.lines()) {
        if (line.kind() == InvoiceLine.Kind.USAGE) {
          assertThat(
                  costs.stream()
                      .filter(cost -> line.id().equals(cost.line()))
                      .map(Cost::original)
                      .reduce(BigDecimal.ZERO, BigDecimal::add))
              .as("seed %s, line %s", seed, line.id())
              .isEqualByComparingTo(line.exactAmount());
        }
      }
    }
  }

  @Test
  void earlierDaysUseUpWhatIsIncluded() {
    PricePlan plan =
        new PricePlan(
            "a",
            "EUR",
            BigDecimal.ZERO,
            BigDecimal.ZERO,
            BigDecimal.TEN,
            Tax.NONE,
            List.of(
                new Charge(
                    "points",
                    number("10"),
                    number("100"),
                    TierMode.GRADUATED,
                    List.of(
                        new Tier(number("50"), number("2"), BigDecimal.ZERO),
                        new Tier(null, number("1"), number("3"))))));
    PlanTimeline plans = new PlanTimeline(plan, List.of());
    DailyUse.Subject one = new DailyUse.Subject("env-a", "kafka", "lkc-1");
    DailyUse.Subject two = new DailyUse.Subject("env-a", "kafka", "lkc-2");
    LocalDate first = MARCH.firstDay();
    List<DailyUse> use =
        List.of(
            new DailyUse("points", first, two, number("30")),
            new DailyUse("points", first, one, number("80")),
            new DailyUse("points", first.plusDays(1), one, number("60")));

    List<Cost> costs = new CostCalculator(plans).divide(MARCH, invoice(plans, use), use);

    assertThat(
            costs.stream()
                .map(
                    cost ->
                        cost.day().getDayOfMonth()
                            + " "
                            + cost.tier()
                            + " "
                            + (cost.subject() == null ? "" : cost.subject().resourceId())
                            + " "
                            + cost.amount().stripTrailingZeros().toPlainString()))
        .containsExactly(
            "1 points-included lkc-1 0",
            "1 points-included lkc-2 0",
            "1 points-tier-1 lkc-2 1.8",
            "2 points-tier-2-fee  2.7",
            "2 points-tier-1 lkc-1 7.2",
            "2 points-tier-2 lkc-1 1.8");
  }
}
