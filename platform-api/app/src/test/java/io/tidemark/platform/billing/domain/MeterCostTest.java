package io.tidemark.platform.billing.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.DailyUse.Subject;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeterCostTest {

  private static final Instant FROM = Instant.parse("2026-03-01T00:00:00Z");
  private static final Subject KAFKA = new Subject("production", "kafka", "lkc-1");
  private static final Subject OTHER = new Subject("production", "kafka", "lkc-2");

  private static Cost cost(
      Cost.Kind kind, String meter, Subject subject, String quantity, String original) {
    return new Cost(
        meter,
        kind,
        LocalDate.parse("2026-03-01"),
        FROM,
        FROM.plusSeconds(86_400),
        "standard",
        meter,
        "tier",
        "text",
        subject,
        new BigDecimal(quantity),
        BigDecimal.ONE,
        BigDecimal.ONE,
        new BigDecimal(original),
        new BigDecimal("10"));
  }

  @Test
  void useOfAResourceIsAddedUpByMeterAfterTheDiscount() {
    List<Cost> costs =
        List.of(
            cost(Cost.Kind.USAGE, "points", KAFKA, "10", "1.25"),
            cost(Cost.Kind.USAGE, "points", KAFKA, "5", "0"),
            cost(Cost.Kind.USAGE, "bytes", KAFKA, "7", "0.5"),
            cost(Cost.Kind.USAGE, "points", OTHER, "100", "9"),
            cost(Cost.Kind.TIER_FEE, "points", KAFKA, "1", "25"),
            cost(Cost.Kind.BASE_FEE, null, null, "1", "99"));
    List<MeterCost> found = MeterCost.of(costs, KAFKA::equals);
    assertThat(found).extracting(MeterCost::meter).containsExactly("bytes", "points");
    assertThat(found.get(0).amount()).isEqualByComparingTo("0.45");
    assertThat(found.get(1).quantity()).isEqualByComparingTo("15");
    assertThat(found.get(1).amount()).isEqualByComparingTo("1.125");
    assertThat(MeterCost.of(costs, subject -> false)).isEmpty();
  }
}
