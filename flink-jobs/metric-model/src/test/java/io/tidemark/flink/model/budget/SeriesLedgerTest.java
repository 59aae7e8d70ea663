package io.tidemark.flink.model.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesLedgerTest {

  private static final TenantLimits LIMITS = new TenantLimits(5, 3, 4, 2, 10);

  private final SeriesLedger ledger = new SeriesLedger(1, 1, PlanDefaults.ORGANIZATION);

  static SeriesDescriptor series(String metric, Map<String, String> labels) {
    return new SeriesDescriptor(
        "org-a", "env-a", metric, MetricKind.GAUGE, "1", Map.of("host", "h"), labels);
  }

  private Budget refused(SeriesDescriptor series, long now) {
    Excess excess = ledger.admit(series, LIMITS, now);
    return excess == null ? null : excess.budget();
  }

  @Test
  void everyBudgetIsHeld() {
    assertNull(refused(series("a", Map.of("x", "1")), 0));
    assertNull(refused(series("a", Map.of("x", "2", "y", "1")), 0));
    assertEquals(
        Budget.LABEL_KEYS_PER_METRIC, refused(series("a", Map.of("z", "1")), 0), "x, y and z");
    assertEquals(
        Budget.LABELS_PER_SERIES,
        refused(series("b", Map.of("p", "1", "q", "1", "r", "1", "s", "1")), 0));
    assertEquals(Budget.LABEL_VALUE_LENGTH, refused(series("b", Map.of("p", "12345678901")), 0));
    assertEquals(Budget.LABEL_VALUE_LENGTH, refused(series("b2345678901", Map.of()), 0));
    assertNull(refused(series("b", Map.of()), 0));
    assertEquals(Budget.NEW_SERIES_PER_MINUTE, refused(series("c", Map.of()), 59_999));
    assertNull(refused(series("c", Map.of()), 60_000));
    assertNull(refused(series("d", Map.of()), 60_000));
    assertEquals(Budget.ACTIVE_SERIES, refused(series("e", Map.of()), 60_000));
  }

  @Test
  void whatLeavesMakesRoom() {
    SeriesDescriptor gone = series("a", Map.of("x", "1", "y", "1"));
    assertNull(ledger.admit(gone, LIMITS, 0));
    ledger.left(gone);
    assertTrue(ledger.isEmpty());

    assertNull(refused(series("a", Map.of("p", "1", "q", "1")), 60_000));
  }

  /**
   * Columns are shared by all tenants: each metric within its own budget, and all beyond theirs.
   */
  @Test
  void differentLabelKeysAreLimitedPerEnvironmentAndOrganization() {
    SeriesLedger small = new SeriesLedger(1, 1, new OrganizationLimits(1_000, 8, 5));
    TenantLimits wide = new TenantLimits(1_000, 1_000, 64, 64, 64);
    for (int i = 0; i < 4; i++) {
      assertNull(small.admit(in("env-a", "m" + i, "host", "key-" + i), wide, 0));
    }
    assertNull(small.admit(in("env-a", "n", "host", "key-0"), wide, 0), "no key is new");

    assertEquals(
        new Excess(Budget.LABEL_KEYS_PER_ENVIRONMENT, 5, 6),
        small.admit(in("env-a", "m4", "host", "key-4"), wide, 0));
    assertEquals(
        new Excess(Budget.LABEL_KEYS_PER_ENVIRONMENT, 5, 6),
        small.admit(in("env-a", "m4", "zone", "key-0"), wide, 0),
        "of the resource too");
    assertEquals(5, small.labelKeys());

    assertNull(small.admit(in("env-b", "m", "host", "key-5"), wide, 0));
    assertNull(small.admit(in("env-b", "m", "rack", "key-6"), wide, 0));
    assertEquals(
        new Excess(Budget.LABEL_KEYS_PER_ORGANIZATION, 8, 9),
        small.admit(in("env-b", "m", "host", "key-7"), wide, 0));
    assertNull(small.admit(in("env-b", "m", "host", "key-3"), wide, 0), "env-a has it");
    assertEquals(8, small.labelKeys());
  }

  /** Environments are many, and the memory is one. */
  @Test
  void environmentsTogetherHaveNoMoreThanTheirOrganization() {
    SeriesLedger small = new SeriesLedger(1, 1, new OrganizationLimits(3, 100, 100));
    TenantLimits wide = new TenantLimits(1_000, 1_000, 64, 64, 64);
    for (int i = 0; i < 3; i++) {
      assertNull(small.admit(in("env-" + i, "m", "host", "k"), wide, 0));
    }

    assertEquals(
        new Excess(Budget.ACTIVE_SERIES_PER_ORGANIZATION, 3, 4),
        small.admit(in("env-3", "m", "host", "k"), wide, 0));
    small.left(in("env-0", "m", "host", "k"));
    assertNull(small.admit(in("env-3", "m", "host", "k"), wide, 0));
  }

  @Test
  void overflowSeriesKeepNoResourceWhoseKeysHaveNoRoom() {
    SeriesLedger small = new SeriesLedger(1, 1, new OrganizationLimits(1_000, 2, 2));
    TenantLimits wide = new TenantLimits(1_000, 1_000, 64, 64, 64);
    SeriesDescriptor first = in("env-a", "m", "host", "x");
    assertNull(small.admit(first, wide, 0));

    SeriesDescriptor other = in("env-a", "m", "made-up", "x");
    assertFalse(small.admitOverflow(Overflow.RESOURCE.of(other), wide));
    assertTrue(small.admitOverflow(Overflow.METRIC.of(other), wide));
    assertTrue(small.admitOverflow(Overflow.RESOURCE.of(first), wide));
    assertEquals(2, small.labelKeys());

    small.left(first);
    small.left(Overflow.METRIC.of(other));
    assertFalse(small.isEmpty(), "the overflow series has a resource");
    small.left(Overflow.RESOURCE.of(first));
    assertTrue(small.isEmpty());
    assertEquals(0, small.labelKeys());
  }

  private static SeriesDescriptor in(
      String environment, String metric, String resourceKey, String key) {
    return new SeriesDescriptor(
        "org-a",
        environment,
        metric,
        MetricKind.GAUGE,
        "1",
        Map.of(resourceKey, "h"),
        Map.of(key, "1"));
  }

  /** The hash spreads series so evenly that nobody within the budget meets a share of it. */
  @Test
  void nobodyWithinTheBudgetIsFoldedByAnUnevenShare() {
    int keyGroups = 128;
    for (int parallelism : new int[] {2, 8, 128}) {
      List<SeriesLedger> subtasks = new ArrayList<>();
      for (int i = 0; i < parallelism; i++) {
        subtasks.add(
            new SeriesLedger(keyGroups / parallelism, keyGroups, PlanDefaults.ORGANIZATION));
      }
      for (int budget : new int[] {1, 20, 1_000, 20_000}) {
        TenantLimits limits = new TenantLimits(budget, budget, 64, 64, 64);
        Map<Integer, Integer> admitted = new HashMap<>();
        for (int i = 0; i < budget; i++) {
          SeriesDescriptor series = series("m" + budget, Map.of("i", "" + i));
          SeriesKey key = SeriesKey.of(series);
          int group = (int) Long.remainderUnsigned(key.high() ^ key.low(), keyGroups);
          int subtask = group * parallelism / keyGroups;
          assertNull(
              subtasks.get(subtask).admit(series, limits, budget * 60_000L),
              () -> limits + " over " + parallelism);
          admitted.merge(subtask, 1, Integer::sum);
        }
        for (SeriesLedger ledger : subtasks) {
          for (int i = 0; i < budget; i++) {
            SeriesDescriptor series = series("m" + budget, Map.of("i", "" + i));
            SeriesKey key = SeriesKey.of(series);
            int group = (int) Long.remainderUnsigned(key.high() ^ key.low(), keyGroups);
            if (subtasks.indexOf(ledger) == group * parallelism / keyGroups) {
              ledger.left(series);
            }
          }
        }
      }
    }
  }

  @Test
  void aSubtaskTakesLittleMoreThanItsShare() {
    SeriesLedger quarter = new SeriesLedger(32, 128, PlanDefaults.ORGANIZATION);
    TenantLimits limits = new TenantLimits(10_000, 1_000_000, 64, 64, 64);
    int taken = 0;
    while (quarter.admit(series("a", Map.of("i", "" + taken)), limits, 0) == null) {
      taken++;
    }

    assertTrue(taken >= 2_500 && taken < 2_800, taken + " of 10,000 in a quarter of the groups");
    assertNotNull(quarter.admit(series("a", Map.of("i", "next")), limits, 0));
  }
}
