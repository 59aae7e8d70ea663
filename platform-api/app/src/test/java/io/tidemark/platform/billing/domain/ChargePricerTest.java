package io.tidemark.platform.billing.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prices of quantities, checked by hand and against a unit-by-unit count. */
class ChargePricerTest {

  private static BigDecimal number(String text) {
    return text == null ? null : new BigDecimal(text);
  }

  private static Tier tier(String upTo, String price, String flat) {
    return new Tier(number(upTo), number(price), number(flat));
  }

  private static Charge charge(TierMode mode, String included, Tier... tiers) {
    return new Charge("points", new BigDecimal("1000"), number(included), mode, List.of(tiers));
  }

  private static final Tier[] THREE = {
    tier("10000", "0.50", "1"), tier("50000", "0.40", "0"), tier(null, "0.10", "2.5")
  };

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "500, 0",
    "1000, 0",
    "1001, 1.0005",
    "11000, 6",
    "11001, 6.0004",
    "51000, 22",
    "51001, 24.5001",
    "1051000, 124.5",
  })
  void graduatedTiersPriceEveryPartByItsOwn(String quantity, String amount) {
    assertThat(
            ChargePricer.price(
                    charge(TierMode.GRADUATED, "1000", THREE), number(quantity), Share.WHOLE)
                .amount())
        .isEqualByComparingTo(amount);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1000, 0", "2000, 1.5", "11000, 6", "11001, 4.0004", "61000, 8.5"})
  void volumeTiersPriceTheWholeByTheTierItEndsIn(String quantity, String amount) {
    assertThat(
            ChargePricer.price(
                    charge(TierMode.VOLUME, "1000", THREE), number(quantity), Share.WHOLE)
                .amount())
        .isEqualByComparingTo(amount);
  }

  /** Each unit alone, by its place: slow, and obviously right. */
  @Test
  void graduatedAmountsAreTheSumOfTheirUnits() {
    Random random = new Random(20);
    for (int i = 0; i < 200; i++) {
      List<Tier> tiers = new ArrayList<>();
      long upTo = 0;
      for (int t = random.nextInt(4); t > 0; t--) {
        upTo += 1 + random.nextInt(400);
        tiers.add(tier(Long.toString(upTo), "0." + random.nextInt(100), "0"));
      }
      tiers.add(tier(null, "0." + random.nextInt(100), "0"));
      long included = random.nextInt(300);
      long quantity = random.nextInt(2_000);
      Charge charge =
          new Charge(
              "points", BigDecimal.ONE, BigDecimal.valueOf(included), TierMode.GRADUATED, tiers);

      ChargePricer.Priced priced =
          ChargePricer.price(charge, BigDecimal.valueOf(quantity), Share.WHOLE);

      BigDecimal expected = BigDecimal.ZERO;
      for (long unit = 1; unit <= quantity - included; unit++) {
        BigDecimal place = BigDecimal.valueOf(unit);
        expected =
            expected.add(
                tiers.stream()
                    .filter(one -> one.upTo() == null || place.compareTo(one.upTo()) <= 0)
                    .findFirst()
                    .orElseThrow()
                    .price());
      }
      assertThat(priced.amount()).isEqualByComparingTo(expected);
      assertThat(
              priced.parts().stream()
                  .map(ChargePricer.TierPart::quantity)
                  .reduce(BigDecimal.ZERO, BigDecimal::add))
          .as("parts are the billed quantity")
          .isEqualByComparingTo(priced.billed());
    }
  }

  @Test
  void aShareOfAMonthHasItsShareOfWhatIsIncluded() {
    Share third = new Share(240, 720);
    ChargePricer.Priced priced =
        ChargePricer.price(
            charge(TierMode.GRADUATED, "3000", tier(null, "1", "6")), number("2000"), third);

    assertThat(priced.included()).isEqualByComparingTo("1000");
    assertThat(priced.amount()).as("1 and a third of the flat fee").isEqualByComparingTo("3");
  }

  @Test
  void aPlanNamesEveryFaultyField() {
    PricePlan plan =
        new PricePlan(
            "own",
            "EUX",
            number("-1"),
            BigDecimal.ZERO,
            number("101"),
            Tax.NONE,
            List.of(
                charge(TierMode.GRADUATED, "-5", tier("10", "1", "0"), tier("10", "1", "0")),
                new Charge(
                    "points",
                    number("7"),
                    BigDecimal.ZERO,
                    TierMode.VOLUME,
                    List.of(tier(null, "1", "0"), tier(null, "-1", "0"))),
                new Charge("series", BigDecimal.ONE, BigDecimal.ZERO, TierMode.VOLUME, List.of())));

    assertThat(plan.faults(Set.of("points", "bytes")))
        .satisfiesExactlyInAnyOrder(
            fault -> assertThat(fault).startsWith("currency is 'EUX'"),
            fault -> assertThat(fault).startsWith("base_fee must not be negative"),
            fault -> assertThat(fault).startsWith("discount_percent must be at most 100"),
            fault -> assertThat(fault).startsWith("charges[0].included must not be negative"),
            fault -> assertThat(fault).startsWith("charges[0].tiers[1].up_to leaves a gap"),
            fault -> assertThat(fault).startsWith("charges[0].tiers[1].up_to must be more"),
            fault -> assertThat(fault).startsWith("charges[1].per must be 1, 10, 100"),
            fault -> assertThat(fault).startsWith("charges[1].tiers[0].up_to is missing"),
            fault -> assertThat(fault).startsWith("charges[1].tiers[1].price must not be negative"),
            fault -> assertThat(fault).startsWith("charges[1].meter is priced by another"),
            fault -> assertThat(fault).startsWith("charges[2].meter is 'series'"),
            fault -> assertThat(fault).startsWith("charges[2].tiers must have at least one"));
  }

  /** A further unit never makes a graduated amount smaller, in a whole month and in any share. */
  @Test
  void graduatedAmountsNeverFall() {
    Random random = new Random(21);
    for (int i = 0; i < 200; i++) {
      Share share = new Share(1 + random.nextInt(744), 744);
      Charge charge = charge(TierMode.GRADUATED, "" + random.nextInt(5_000), THREE);
      BigDecimal before = BigDecimal.ZERO;
      BigDecimal quantity = BigDecimal.ZERO;
      for (int step = 0; step < 20; step++) {
        quantity = quantity.add(BigDecimal.valueOf(random.nextInt(9_000)));
        ChargePricer.Priced priced = ChargePricer.price(charge, quantity, share);
        assertThat(priced.amount()).isGreaterThanOrEqualTo(before);
        assertThat(
                priced.parts().stream()
                    .map(ChargePricer.TierPart::quantity)
                    .reduce(BigDecimal.ZERO, BigDecimal::add))
            .as("every billed unit is in one tier")
            .isEqualByComparingTo(priced.billed());
        before = priced.amount();
      }
    }
  }
}
