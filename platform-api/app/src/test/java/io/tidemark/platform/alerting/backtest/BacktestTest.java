package io.tidemark.platform.alerting.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.platform.alerting.AlertCondition;
import io.tidemark.platform.alerting.backtest.BacktestReport.Incident;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BacktestTest {

  private static final Instant START = Instant.parse("2026-11-23T10:00:00Z");
  private static final String ORDERS = "metric.queue\u0000orders";

  private static AlertCondition condition(
      String kind, List<String> groupBy, double threshold, int holds) {
    return new AlertCondition(
        kind,
        "queue",
        "sum",
        List.of(),
        false,
        groupBy,
        1,
        "gt",
        threshold,
        null,
        holds,
        0,
        5,
        0,
        false,
        "ratio".equals(kind) ? "requests" : null,
        null,
        0,
        0,
        null,
        null);
  }

  private static AlertRule rule(AlertCondition condition) {
    return BacktestRule.of(new TenantId("org-a"), new EnvironmentId("env-a"), condition, START);
  }

  private static long at(int minute) {
    return START.plusSeconds(60L * minute).toEpochMilli();
  }

  private static Instant time(int minute) {
    return Instant.ofEpochMilli(at(minute));
  }

  /** Sums by minute from the first on; NaN for a minute without rows. */
  private static Map<String, NavigableMap<Long, MinuteTotals>> rows(
      String group, int first, double... sums) {
    NavigableMap<Long, MinuteTotals> minutes = new TreeMap<>();
    for (int i = 0; i < sums.length; i++) {
      if (!Double.isNaN(sums[i])) {
        minutes.put(
            at(first + i), MinuteTotals.of(sums[i], 1, sums[i], sums[i], sums[i], at(first + i)));
      }
    }
    return new HashMap<>(Map.of(group, minutes));
  }

  @Test
  void incidentsAreThoseThatTheEvaluatorTells() {
    Backtest backtest =
        new Backtest(
            rule(condition("threshold", List.of("metric.queue"), 10, 2)), at(8), new TreeMap<>());
    backtest.stretch(rows(ORDERS, 0, 1, 11, 12, 13, 1, 20, 20), Map.of(), at(8));

    BacktestReport report = backtest.report();
    assertThat(report.incidents())
        .containsExactly(
            new Incident(Map.of("metric.queue", "orders"), time(2), time(4), 12.0, false),
            new Incident(Map.of("metric.queue", "orders"), time(6), null, 20.0, false));
    assertThat(report.firstRow()).isEqualTo(START);
    assertThat(report.decided()).isEqualTo(8);
    BacktestReport.Group group = report.groups().get(0);
    assertThat(group.firingMinutes()).isEqualTo(4);
    assertThat(group.points()).hasSize(8);
    assertThat(group.points().get(1).state()).isEqualTo("pending");
    assertThat(group.points().get(2).state()).isEqualTo("firing");
    assertThat(group.points().get(7).value()).isNull();
  }

  @Test
  void aRuleWithOneGroupSeesSilenceWithoutARow() {
    Backtest backtest =
        new Backtest(rule(condition("absence", List.of(), 2, 0)), at(6), new TreeMap<>());
    backtest.stretch(Map.of(), Map.of(), at(6));

    BacktestReport report = backtest.report();
    assertThat(report.incidentsTotal()).isEqualTo(1);
    assertThat(report.incidents().get(0).start()).isEqualTo(time(3));
    assertThat(report.firstRow()).isNull();
  }

  @Test
  void aRatioHasBothSides() {
    Backtest backtest =
        new Backtest(
            rule(condition("ratio", List.of("metric.queue"), 0.5, 0)), at(3), new TreeMap<>());
    backtest.stretch(rows(ORDERS, 0, 1, 8, 1), rows(ORDERS, 0, 10, 10, 10), at(3));

    assertThat(backtest.report().incidents())
        .extracting(Incident::start, Incident::end)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(time(1), time(2)));
  }

  @Test
  void whatLateRowsChangedIsMarked() {
    Backtest backtest =
        new Backtest(
            rule(condition("threshold", List.of("metric.queue"), 10, 0)),
            at(6),
            new TreeMap<>(Map.of(at(4), 3L)));
    backtest.stretch(rows(ORDERS, 0, 11, 1, 1, 1, 12, 1), Map.of(), at(6));

    BacktestReport report = backtest.report();
    assertThat(report.incidents()).extracting(Incident::revised).containsExactly(false, true);
    assertThat(report.revised()).isEqualTo(1);
  }

  @Test
  void aGroupThatWasSilentForLongBeginsAnew() {
    Backtest backtest =
        new Backtest(
            rule(condition("threshold", List.of("metric.queue"), 10, 0)), at(200), new TreeMap<>());
    backtest.stretch(rows(ORDERS, 0, 1), Map.of(), at(100));
    backtest.stretch(rows(ORDERS, 150, 11, 1), Map.of(), at(200));

    BacktestReport report = backtest.report();
    assertThat(report.incidents()).extracting(Incident::start).containsExactly(time(150));
    // Not the minutes in which nobody would have had the group.
    assertThat(report.decided()).isLessThan(180);
  }

  @Test
  void stretchesDecideNothing() {
    Random random = new Random(7);
    double[] sums = new double[600];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = random.nextInt(12) == 0 ? Double.NaN : random.nextInt(20);
    }
    AlertRule rule = rule(condition("threshold", List.of("metric.queue"), 15, 2));
    Backtest whole = new Backtest(rule, at(600), new TreeMap<>());
    whole.stretch(rows(ORDERS, 0, sums), Map.of(), at(600));
    Backtest pieces = new Backtest(rule, at(600), new TreeMap<>());
    int from = 0;
    while (from < 600) {
      int to = Math.min(600, from + 1 + random.nextInt(90));
      pieces.stretch(
          rows(ORDERS, from, java.util.Arrays.copyOfRange(sums, from, to)), Map.of(), at(to));
      from = to;
    }

    BacktestReport report = pieces.report();
    assertThat(report).isEqualTo(whole.report());
    assertThat(report.incidentsTotal()).isGreaterThan(5);
    assertThat(report.stepMinutes()).isEqualTo(3);
  }
}
