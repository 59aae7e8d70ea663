package io.tidemark.flink.model.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SenderBudgetsTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final TenantLimits LIMITS = new TenantLimits(10, 1_000, 8, 8, 16);

  private final SenderBudgets budgets = new SenderBudgets(PlanDefaults.ORGANIZATION);

  private static SeriesDescriptor series(String metric, String id) {
    return new SeriesDescriptor(
        "org-a", "env-a", metric, MetricKind.COUNTER, "", Map.of("host", "h"), Map.of("id", id));
  }

  private @Nullable Excess excess(SeriesDescriptor series, long now) {
    return budgets.excess(SeriesKey.of(series), series, LIMITS, now);
  }

  @Test
  void firstComeAreSentUnderTheirNames() {
    for (int i = 0; i < 10; i++) {
      assertNull(excess(series("a", "" + i), 0));
    }

    assertEquals(new Excess(Budget.ACTIVE_SERIES, 10, 11), excess(series("a", "10"), 0));
    assertNull(excess(series("a", "3"), 0), "known ones go on");
  }

  @Test
  void environmentsTogetherHaveNoMoreThanTheirOrganization() {
    SenderBudgets small = new SenderBudgets(new OrganizationLimits(12, 10, 10));
    for (int i = 0; i < 12; i++) {
      SeriesDescriptor series = in("env-" + i % 3, "" + i);
      assertNull(small.excess(SeriesKey.of(series), series, LIMITS, 0));
      assertTrue(small.keepsReference(SeriesKey.of(series), series, LIMITS, 0));
    }

    SeriesDescriptor next = in("env-3", "12");
    assertEquals(
        new Excess(Budget.ACTIVE_SERIES_PER_ORGANIZATION, 12, 13),
        small.excess(SeriesKey.of(next), next, LIMITS, 0));
    assertFalse(small.keepsReference(SeriesKey.of(next), next, LIMITS, 0));
    SeriesDescriptor known = in("env-1", "1");
    assertNull(small.excess(SeriesKey.of(known), known, LIMITS, 0), "known ones go on");
  }

  private static SeriesDescriptor in(String environment, String id) {
    return new SeriesDescriptor(
        "org-a", environment, "a", MetricKind.COUNTER, "", Map.of(), Map.of("id", id));
  }

  @Test
  void roomComesBackWhenOthersWereSilentForTwoHours() {
    for (int i = 0; i < 10; i++) {
      assertNull(excess(series("a", "" + i), 0));
    }
    assertNull(excess(series("a", "0"), HOUR));
    assertNotNull(excess(series("a", "10"), HOUR), "silent for an hour only");

    assertNull(excess(series("a", "10"), 2 * HOUR));
    assertNull(excess(series("a", "0"), 2 * HOUR));
  }

  @Test
  void referencesOfFoldedSeriesHaveTheirOwnLimit() {
    for (int i = 0; i < 10; i++) {
      assertTrue(
          budgets.keepsReference(SeriesKey.of(series("a", "" + i)), series("a", ""), LIMITS, 0));
    }
    assertFalse(
        budgets.keepsReference(SeriesKey.of(series("a", "10")), series("a", ""), LIMITS, 0));
  }

  @Test
  void overflowOfMetricsWithoutEndEndsInOneSeries() {
    Set<SeriesDescriptor> overflow = new HashSet<>();
    SeriesDescriptor last = series("a", "");
    for (int i = 0; i < 20_000; i++) {
      last = budgets.overflowOf(series("metric-" + i, "1"), LIMITS, 0);
      overflow.add(last);
    }

    assertEquals(Overflow.ANY_METRIC, last.metric());
    assertEquals(2 * (4_096 + 2) + 1, overflow.size());
  }

  @Test
  void overflowKeepsAsMuchOfTheNameAsTheLimitsAllow() {
    SeriesDescriptor wide =
        new SeriesDescriptor(
            "org-a", "env-a", "m", MetricKind.GAUGE, "1", Map.of("host", "x".repeat(17)), Map.of());
    SeriesDescriptor nameless =
        new SeriesDescriptor(
            "org-a", "env-a", "m".repeat(17), MetricKind.GAUGE, "1", Map.of(), Map.of());

    assertEquals(Overflow.RESOURCE, Overflow.of(series("m", "1"), LIMITS));
    assertEquals(Overflow.METRIC, Overflow.of(wide, LIMITS));
    assertEquals(Overflow.TENANT, Overflow.of(nameless, LIMITS));
  }
}
