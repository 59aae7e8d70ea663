package io.tidemark.platform.billing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsageReductionTest {

  private static final BigDecimal UNITS = BigDecimal.valueOf(1_000);

  private static String lost(UsageReduction less, String meter) {
    return less.lostOf("cpu", meter, UNITS).stripTrailingZeros().toPlainString();
  }

  @Test
  void fewerPointsLeaveTheSeriesAndNoPointsLeaveNone() {
    UsageReduction fewer = new UsageReduction(Map.of("cpu", 10), Map.of(), Map.of(), Map.of());
    assertThat(lost(fewer, "points")).isEqualTo("900");
    assertThat(lost(fewer, "active_series")).isEqualTo("0");
    UsageReduction none = new UsageReduction(Map.of("cpu", 0), Map.of(), Map.of(), Map.of());
    assertThat(lost(none, "active_series")).isEqualTo("1000");
    assertThat(lost(none, "rollup_rows_1h")).isEqualTo("1000");
    assertThat(lost(none, "queries")).isEqualTo("0");
  }

  @Test
  void aDroppedLabelLeavesThePoints() {
    UsageReduction dropped =
        new UsageReduction(Map.of(), Map.of("cpu", 25), Map.of("rollup_1m", 50), Map.of());
    assertThat(lost(dropped, "points")).isEqualTo("0");
    assertThat(lost(dropped, "new_series")).isEqualTo("750");
    assertThat(dropped.metrics()).containsExactly("cpu");
    assertThat(dropped.lostOfStore("rollup_1m", UNITS)).isEqualByComparingTo("500");
    assertThat(dropped.lostOfStore("raw_points", UNITS)).isEqualByComparingTo("0");
  }
}
