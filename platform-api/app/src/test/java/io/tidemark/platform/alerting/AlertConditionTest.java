package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A condition that can never hold, or always does, is refused with its field named. */
class AlertConditionTest {

  private static AlertCondition condition(
      String kind, String aggregation, String operator, double threshold) {
    return new AlertCondition(
        kind,
        "queue",
        aggregation,
        List.of(),
        false,
        List.of(),
        5,
        operator,
        threshold,
        null,
        0,
        0,
        5,
        0,
        false,
        null,
        null,
        0,
        0,
        kind.equals("forecast") ? 100.0 : null,
        null);
  }

  @ParameterizedTest
  @CsvSource({
    "threshold, count, lt, 0, never",
    "threshold, count, lte, -1, never",
    "threshold, count, gt, -1, always",
    "threshold, count, gte, 0, always",
    "absence, sum, gte, 0, always",
    "absence, sum, lt, 0, never",
    "forecast, avg, lt, 0, never",
    "forecast, avg, gte, 0, always",
    "absence, sum, gt, 1441, at most 1440"
  })
  void anImpossibleThresholdIsRefused(
      String kind, String aggregation, String operator, double threshold, String why) {
    assertThat(condition(kind, aggregation, operator, threshold).faults())
        .singleElement()
        .asString()
        .startsWith("condition.threshold must")
        .contains(why);
  }

  @ParameterizedTest
  @CsvSource({
    "threshold, count, lt, 1",
    "threshold, count, lte, 0",
    "threshold, count, gt, 0",
    "threshold, sum, lt, 0",
    "threshold, avg, lte, -40",
    "change, count, lt, -5",
    "absence, sum, gte, 5",
    "absence, sum, lt, 1",
    "absence, sum, gte, 1440",
    "forecast, avg, lt, 60"
  })
  void aThresholdWithNumbersOnBothSidesIsTaken(
      String kind, String aggregation, String operator, double threshold) {
    AlertCondition condition = condition(kind, aggregation, operator, threshold);
    assertThat(condition.faults())
        .allSatisfy(fault -> assertThat(fault).startsWith("condition.offset_minutes"));
  }

  @Test
  void aRecoveryBeyondTheThresholdIsRefused() {
    AlertCondition beyond =
        new AlertCondition(
            "threshold",
            "queue",
            "sum",
            List.of(),
            false,
            List.of(),
            1,
            "lt",
            10,
            9.0,
            0,
            0,
            5,
            0,
            false,
            null,
            null,
            0,
            0,
            null,
            null);
    assertThat(beyond.faults()).singleElement().asString().contains("recovery_threshold");
  }
}
