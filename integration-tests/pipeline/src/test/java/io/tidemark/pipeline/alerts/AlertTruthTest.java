package io.tidemark.pipeline.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.alerts.AlertFaultRule.Comparison;
import io.tidemark.pipeline.alerts.AlertStream.Point;
import io.tidemark.pipeline.alerts.AlertTruth.Incident;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertTruthTest {
  private static final long BEGIN = 100;

  private static AlertFaultRule rule(String kind, int holds, int recovers, int noData) {
    return new AlertFaultRule(
        1,
        kind,
        AlertStream.LEVEL,
        kind.equals("absence") ? "" : "max",
        List.of(),
        "",
        1,
        0,
        false,
        "",
        0,
        "gt",
        kind.equals("absence") ? 1.5 : 10,
        kind.equals("absence") ? 1.5 : 8,
        holds,
        recovers,
        noData,
        false);
  }

  /** One point a minute; a negative value is none. */
  private static List<Point> points(long... values) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] >= 0) {
        points.add(
            new Point(
                AlertStream.LEVEL,
                "q0",
                "z0",
                Instant.ofEpochSecond((BEGIN + i) * AlertStream.MINUTE_SECONDS + i),
                values[i]));
      }
    }
    return points;
  }

  private static List<Incident> incidents(AlertFaultRule rule, int minutes, List<Point> points) {
    return new AlertTruth(rule, List.of(rule.comparison()), points)
        .incidents(BEGIN, BEGIN + minutes);
  }

  private static Incident incident(long start, long end) {
    return new Incident(BEGIN + start, end < 0 ? AlertTruth.OPEN : BEGIN + end);
  }

  @Test
  void firesAfterMinutesInARowAndEndsBeyondTheRecoveryThreshold() {
    assertThat(incidents(rule("threshold", 2, 2, 9), 9, points(11, 5, 11, 11, 9, 5, 9, 5, 5)))
        .containsExactly(incident(3, 8));
  }

  @Test
  void aMinuteWithoutValueNeitherCountsNorBreaksUntilThereIsNoData() {
    AlertFaultRule rule = rule("threshold", 2, 1, 2);
    assertThat(incidents(rule, 3, points(11, -1, 11))).containsExactly(incident(2, -1));
    assertThat(incidents(rule, 4, points(11, -1, -1, 11))).isEmpty();
    assertThat(incidents(rule, 5, points(11, 11, -1, -1, -1))).containsExactly(incident(1, -1));
  }

  @Test
  void absenceIsMinutesInARowWithoutRows() {
    AlertFaultRule rule = rule("absence", 0, 0, 2);
    assertThat(incidents(rule, 5, points(5, -1, -1, -1, 5))).containsExactly(incident(2, 4));
    assertThat(incidents(rule, 5, points(5, -1, 5, -1, 5))).as("a late point").isEmpty();
  }

  @Test
  void minutesAreDecidedByTheComparisonInForce() {
    AlertFaultRule rule = rule("threshold", 1, 1, 2);
    List<Comparison> comparisons = List.of(rule.comparison(), new Comparison(BEGIN + 2, 4, 4));
    assertThat(new AlertTruth(rule, comparisons, points(5, 5, 5, 5)).incidents(BEGIN, BEGIN + 4))
        .containsExactly(incident(2, -1));
  }
}
