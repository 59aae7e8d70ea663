package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.panes.combine.Combiner;
import java.time.Duration;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Series over a budget fold into the overflow series, and no figure is lost. */
class OverflowPanesTest {

  private static final long MINUTE = 60_000;
  private static final String OVERFLOW = "req{tidemark.overflow=true}";

  private final TestingPanes group = new TestingPanes();

  private void budgetOf(int series) {
    group.limits = new TenantLimits(series, 1_000_000, 64, 64, 64);
  }

  private void values(int series, long time) {
    for (int i = 0; i < series; i++) {
      group.value("req#" + i, time, i);
    }
  }

  @Test
  void totalsStayExact() {
    budgetOf(10);
    values(100, 10);
    group.watermark(MINUTE);

    assertEquals(new TestingPanes.Added(4950, 100, 0, 99), group.added.get("req MINUTE 0"));
    assertEquals(11, group.seriesWithRows.size(), "ten series and the overflow");
    assertTrue(group.seriesWithRows.contains(OVERFLOW));
    assertEquals(90, group.folded.size());
    assertEquals("req ACTIVE_SERIES 11", group.folded.get(0));
  }

  @Test
  void totalsOfRunningTotalsStayExact() {
    budgetOf(10);
    for (int minute = 0; minute < 3; minute++) {
      for (int i = 0; i < 100; i++) {
        group.total("req#" + i, 1, minute * MINUTE + 10 + i, (minute + 1) * 1_000.0 + i);
      }
      group.watermark((minute + 1) * MINUTE);
    }

    assertEquals(100 * 1_000 + 4950, group.added.get("req MINUTE 0").sum());
    assertEquals(100 * 1_000, group.added.get("req MINUTE 60000").sum());
    assertEquals(100 * 1_000, group.added.get("req MINUTE 120000").sum());
    assertEquals(100, group.added.get("req MINUTE 120000").count());
    assertEquals(11, group.seriesWithRows.size());
  }

  @Test
  void overflowSurvivesARestart() {
    budgetOf(10);
    values(20, 10);
    for (int i = 0; i < 20; i++) {
      group.total("sent#" + i, 1, 10, 100);
    }
    group.watermark(MINUTE);
    Set<String> before = Set.copyOf(group.seriesWithRows);
    group.save();
    group.restart();

    // In another order: those that were apart stay apart, by the state.
    for (int i = 19; i >= 0; i--) {
      group.value("req#" + i, MINUTE + 10, i);
      group.total("sent#" + i, 1, MINUTE + 10, 150);
    }
    group.watermark(2 * MINUTE);

    assertEquals(before, group.seriesWithRows);
    assertEquals(190, group.added.get("req MINUTE 60000").sum());
    assertEquals(20 * 50, group.added.get("sent MINUTE 60000").sum());
  }

  @Test
  void nothingIsLeftOfWhatWasFolded() {
    budgetOf(10);
    values(100, 10);
    for (int i = 0; i < 100; i++) {
      group.total("sent#" + i, 1, 10, 100);
    }
    group.watermark(Duration.ofDays(2).toMillis());
    group.save();
    for (int hour = 0; hour < 30; hour++) {
      group.clock(Duration.ofHours(1).toMillis());
    }
    group.save();

    assertTrue(group.panes.isEmpty(), "series");
    assertTrue(group.ledger.isEmpty(), "ledger");
    assertEquals(new TreeMap<>(), new TreeMap<>(group.stored));
  }

  @Test
  void foldedSeriesAreKeptApartWhenTheBudgetIsRaised() {
    budgetOf(10);
    values(20, 10);
    for (int i = 0; i < 20; i++) {
      group.total("req#" + i, 1, 10, 100);
    }
    group.watermark(MINUTE);
    assertEquals(11, group.seriesWithRows.size());

    budgetOf(100);
    group.announceAgain();
    values(20, MINUTE + 10);
    group.watermark(2 * MINUTE);

    assertEquals(21, group.seriesWithRows.size());
    assertEquals(190, group.added.get("req MINUTE 60000").sum());
  }

  @Test
  void newSeriesPerMinuteAreLimitedAndTriedAgain() {
    group.limits = new TenantLimits(1_000, 10, 64, 64, 64);
    values(20, 10);
    group.flush();
    assertEquals(10, group.folded.size());
    assertEquals("req NEW_SERIES_PER_MINUTE 11", group.folded.get(0));

    group.clock(Combiner.SECOND_TIME.toMillis());
    values(20, 20);
    group.watermark(MINUTE);

    assertEquals(10, group.folded.size());
    assertEquals(380, group.added.get("req MINUTE 0").sum());
  }

  /** Neither metrics nor resources made up without end fill the memory. */
  @Test
  void namesWithoutEndStayBounded() {
    budgetOf(1);
    int made = 30_000;
    for (int i = 0; i < made; i++) {
      group.value("made-up-" + i + "#1", 10, 1);
    }
    group.watermark(MINUTE);

    double sum =
        group.added.entrySet().stream()
            .filter(row -> row.getKey().endsWith("MINUTE 0"))
            .mapToDouble(row -> row.getValue().sum())
            .sum();
    assertEquals(made, sum);
    assertTrue(group.seriesWithRows.size() < 9_000, () -> group.seriesWithRows.size() + " series");
  }

  /** Each metric is within its own budget of label keys, the environment is not. */
  @Test
  void labelKeysWithoutEndStayBounded() {
    group.limits = new TenantLimits(100_000, 100_000, 64, 64, 64);
    int made = 3_000;
    for (int i = 0; i < made; i++) {
      group.labelled("req-" + i % 100, "key-" + i, 10, 1);
    }
    group.watermark(MINUTE);

    assertEquals(PlanDefaults.ORGANIZATION.labelKeysPerEnvironment(), group.ledger.labelKeys());
    double sum =
        group.added.entrySet().stream()
            .filter(row -> row.getKey().endsWith("MINUTE 0"))
            .mapToDouble(row -> row.getValue().sum())
            .sum();
    assertEquals(made, sum);
    assertTrue(
        group.folded.get(0).contains(" LABEL_KEYS_PER_ENVIRONMENT 1001"), group.folded.get(0));
  }

  @Test
  void otherTenantIsUntouched() {
    budgetOf(10);
    TestingPanes alone = new TestingPanes();
    for (TestingPanes one : new TestingPanes[] {group, alone}) {
      one.limits = group.limits;
      if (one == group) {
        values(1_000, 10);
      }
      one.organization = "org-b";
      for (int i = 0; i < 10; i++) {
        one.value("req#" + i, 10, i);
      }
      one.watermark(Duration.ofDays(1).toMillis());
    }

    assertEquals(alone.others, group.others);
    assertEquals(30, group.others.size(), "ten series, three levels");
  }
}
