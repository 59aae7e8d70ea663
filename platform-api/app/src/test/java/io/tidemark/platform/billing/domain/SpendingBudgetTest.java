package io.tidemark.platform.billing.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpendingBudgetTest {

  private static SpendingBudget budget(String amount, Long quota, Integer... thresholds) {
    return new SpendingBudget(
        amount == null ? null : new BigDecimal(amount), List.of(thresholds), quota, List.of());
  }

  @Test
  void thresholdsAreReachedAtTheirAmount() {
    SpendingBudget budget = budget("33.33", null, 100, 50, 90);
    assertThat(budget.reached(new BigDecimal("16.66"))).isEmpty();
    assertThat(budget.reached(new BigDecimal("16.67"))).containsExactly(50);
    assertThat(budget.reached(new BigDecimal("33.33"))).containsExactly(50, 90, 100);
    assertThat(budget.isSpent(new BigDecimal("33.32"))).isFalse();
    assertThat(budget.isSpent(new BigDecimal("33.33"))).isTrue();
    assertThat(budget.percent(new BigDecimal("33.32"))).isEqualTo(99);
    assertThat(SpendingBudget.NONE.reached(BigDecimal.TEN)).isEmpty();
    assertThat(SpendingBudget.NONE.isSpent(BigDecimal.TEN)).isFalse();
  }

  @Test
  void faultsNameTheirField() {
    assertThat(SpendingBudget.NONE.faults()).isEmpty();
    assertThat(budget("0", null, 50).faults()).singleElement().asString().startsWith("amount");
    assertThat(budget("-1", null, 50).faults()).singleElement().asString().startsWith("amount");
    assertThat(budget("1", null).faults()).singleElement().asString().startsWith("thresholds");
    assertThat(budget("1", null, 0).faults()).singleElement().asString().startsWith("thresholds");
    assertThat(budget(null, 5L, 50).faults())
        .singleElement()
        .asString()
        .startsWith("points_per_second");
  }
}
