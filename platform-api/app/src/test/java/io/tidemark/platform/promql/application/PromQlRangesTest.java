package io.tidemark.platform.promql.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.promql.domain.SeriesValues;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.promql.domain.Value.Vector;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.testing.TestingProgress;
import io.tidemark.platform.testing.TestingPromQl;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readings, subqueries, fixed times and selectors of many metrics, recomputed from raw points. */
class PromQlRangesTest {

  private static final Instant BEGIN = Instant.parse("2026-03-10T00:00:00Z");
  private static final long START = BEGIN.toEpochMilli();
  private static final long MINUTE = 60_000;
  private static final Caller CALLER = TestingPromQl.caller("org-a");

  private final Random random = new Random(20261123);
  private final List<RawPoint> points = new ArrayList<>();
  private TestingPromQl queries;

  @BeforeEach
  void storePoints() {
    List<String> metrics = List.of("cpu.level", "cpu_level", "disk_free", "requests_total");
    for (int i = 0; i < 4_000; i++) {
      points.add(
          new RawPoint(
              "org-a",
              "env-1",
              metrics.get(random.nextInt(metrics.size())),
              Map.of("metric.topic", "t" + random.nextInt(2)),
              BEGIN.plusMillis(random.nextInt(6 * 3_600_000)),
              random.nextInt(1_000),
              null));
    }
    TestingProgress progress = new TestingProgress();
    progress.completeUntil(BEGIN.plus(Duration.ofDays(1)));
    queries =
        new TestingPromQl(
            points,
            List.of(),
            List.of(
                new StoredMetric("cpu.level", "gauge", "1", "kafka"),
                new StoredMetric("cpu_level", "gauge", "1", "kafka"),
                new StoredMetric("disk_free", "gauge", "1", "kafka"),
                new StoredMetric("requests_total", "counter", "1", "kafka")),
            Set.of("metric.topic"),
            progress,
            BEGIN.plus(Duration.ofDays(1)));
  }

  private Vector at(String text, long time) {
    return (Vector) queries.evaluate(CALLER, text, StepTimes.at(time)).value();
  }

  private Map<String, Double> byTopic(String text, long time) {
    Map<String, Double> found = new HashMap<>();
    for (SeriesValues series : at(text, time).series()) {
      found.put(series.labels().get("topic"), series.at(0));
    }
    return found;
  }

  /** What stands at the ends of minutes: the last value of a gauge, what a counter grew by. */
  private TreeMap<Long, Double> readings(String metric, String topic, long from, long to) {
    boolean isGrowth = metric.equals("requests_total");
    TreeMap<Long, Double> readings = new TreeMap<>();
    points.stream()
        .filter(point -> point.metric().equals(metric))
        .filter(point -> point.labels().containsValue(topic))
        .sorted(Comparator.comparing(RawPoint::time))
        .forEach(
            point -> {
              long end = (point.time().toEpochMilli() / MINUTE + 1) * MINUTE;
              if (end >= from && end <= to) {
                readings.merge(
                    end, point.value(), isGrowth ? Double::sum : (before, after) -> after);
              }
            });
    return readings;
  }

  @Test
  void readingsOfAWindowIncludeTheOneAtItsBeginning() {
    int values = 0;
    for (int i = 0; i < 200; i++) {
      long time = START + random.nextInt(6 * 3_600_000);
      int minutes = List.of(1, 2, 5, 30).get(random.nextInt(4));
      long end = time / MINUTE * MINUTE;
      for (String function : List.of("delta", "idelta", "deriv", "irate", "rate", "increase")) {
        String metric = function.equals("irate") ? "requests_total" : "disk_free";
        Map<String, Double> found = byTopic(function + "(" + metric + "[" + minutes + "m])", time);
        for (String topic : List.of("t0", "t1")) {
          TreeMap<Long, Double> readings = readings(metric, topic, end - minutes * MINUTE, end);
          if (readings.size() < 2) {
            assertThat(found).doesNotContainKey(topic);
            continue;
          }
          values++;
          double last = readings.lastEntry().getValue();
          var before = readings.lowerEntry(readings.lastKey());
          double expected =
              switch (function) {
                case "delta" -> last - readings.firstEntry().getValue();
                case "idelta" -> last - before.getValue();
                case "irate" -> last / ((readings.lastKey() - before.getKey()) / 1_000.0);
                case "increase" -> rise(readings);
                case "rate" -> rise(readings) / (minutes * 60);
                default -> slope(readings);
              };
          assertThat(found.get(topic))
              .as(function + " of " + readings)
              .isCloseTo(expected, within(1e-9));
        }
      }
    }
    assertThat(values).isGreaterThan(1_200);
  }

  /** A level that is taken for a counter. */
  private static double rise(TreeMap<Long, Double> readings) {
    double rise = 0;
    double before = readings.firstEntry().getValue();
    for (double value : readings.values()) {
      rise += value < before ? value : value - before;
      before = value;
    }
    return rise;
  }

  /** By the formula of the textbook. */
  private static double slope(TreeMap<Long, Double> readings) {
    double n = readings.size();
    double x = 0;
    double y = 0;
    double xy = 0;
    double xx = 0;
    for (var reading : readings.entrySet()) {
      double seconds = (reading.getKey() - readings.firstKey()) / 1_000.0;
      x += seconds;
      y += reading.getValue();
      xy += seconds * reading.getValue();
      xx += seconds * seconds;
    }
    return (n * xy - x * y) / (n * xx - x * x);
  }

  @Test
  void aPredictionFollowsTheLineOfTheReadings() {
    long time = START + 3 * 3_600_000;
    for (String topic : List.of("t0", "t1")) {
      TreeMap<Long, Double> readings = readings("disk_free", topic, time - 60 * MINUTE, time);
      double slope = slope(readings);
      double mean = readings.values().stream().mapToDouble(each -> each).average().orElseThrow();
      double meanTime =
          readings.keySet().stream().mapToDouble(each -> each).average().orElseThrow();
      assertThat(byTopic("predict_linear(disk_free[1h], 600)", time).get(topic))
          .isCloseTo(mean + slope * ((time - meanTime) / 1_000 + 600), within(1e-6));
    }
  }

  @Test
  void aSubqueryIsItsExpressionAtEachOfItsTimes() {
    String inner = "sum by (topic) (rate(requests_total[5m]))";
    for (String function : List.of("max", "min", "avg", "sum", "count", "last", "stddev")) {
      for (int i = 0; i < 20; i++) {
        long time = START + 3_600_000 + random.nextInt(5 * 3_600_000);
        List<Double> values = new ArrayList<>();
        for (long each = (time - 1_800_000) / 300_000 * 300_000 + 300_000;
            each <= time;
            each += 300_000) {
          values.add(byTopic(inner, each).get("t1"));
        }
        values.removeIf(value -> value == null);
        double mean = values.stream().mapToDouble(each -> each).average().orElseThrow();
        double expected =
            switch (function) {
              case "max" -> values.stream().mapToDouble(each -> each).max().orElseThrow();
              case "min" -> values.stream().mapToDouble(each -> each).min().orElseThrow();
              case "avg" -> mean;
              case "sum" -> mean * values.size();
              case "count" -> values.size();
              case "last" -> values.get(values.size() - 1);
              default ->
                  Math.sqrt(
                      values.stream()
                          .mapToDouble(each -> (each - mean) * (each - mean))
                          .average()
                          .orElseThrow());
            };
        assertThat(byTopic(function + "_over_time(" + inner + "[30m:5m])", time).get("t1"))
            .as(function)
            .isCloseTo(expected, within(1e-9));
      }
    }
    // Subqueries of subqueries, and steps that look at the same values again.
    Vector nested =
        (Vector)
            queries
                .evaluate(
                    CALLER,
                    "max_over_time(avg_over_time(disk_free{topic=\"t1\"}[5m])[30m:1m])",
                    StepTimes.range(START + 3_600_000, START + 7_200_000, 600_000))
                .value();
    for (int step = 0; step < 7; step++) {
      assertThat(nested.series().get(0).at(step))
          .isEqualTo(
              byTopic(
                      "max_over_time(avg_over_time(disk_free{topic=\"t1\"}[5m])[30m:1m])",
                      START + 3_600_000 + step * 600_000L)
                  .get("t1"));
    }
  }

  @Test
  void aFixedTimeIsTheSameAtEveryStep() {
    long time = START + 2 * 3_600_000;
    StepTimes times = StepTimes.range(time, time + 3_600_000, 900_000);
    Map<String, Long> fixed =
        Map.of(
            "disk_free @ " + (START / 1_000 + 3_600),
            START + 3_600_000,
            "disk_free @ start()",
            time,
            "disk_free @ end() offset 5m",
            time + 3_300_000,
            "disk_free offset -5m @ start()",
            time + 300_000,
            "last_over_time(disk_free[5m] @ end())",
            time + 3_600_000,
            "last_over_time(disk_free[10m:5m] @ start())",
            time);
    fixed.forEach(
        (text, expected) -> {
          Vector found = (Vector) queries.evaluate(CALLER, text, times).value();
          Map<String, Double> values = byTopic("disk_free", expected);
          assertThat(found.series()).as(text).hasSize(2);
          for (SeriesValues series : found.series()) {
            for (int step = 0; step < times.size(); step++) {
              assertThat(series.at(step))
                  .as(text)
                  .isEqualTo(values.get(series.labels().get("topic")));
            }
          }
        });
  }

  @Test
  void aSelectorWithoutANameReadsAllThatFit() {
    long time = START + 3_600_000;
    assertThat(at("{topic=\"t1\", __name__!~\"cpu.*\"}", time).series())
        .extracting(series -> series.labels().get("__name__"))
        .containsExactlyInAnyOrder("disk_free", "requests_total");
    assertThatThrownBy(() -> at("{topic=\"t1\"}", time))
        .hasMessageContaining("several series with the labels {__name__=cpu_level");
  }

  @Test
  void countsByNameAndByValue() {
    long time = START + 3_600_000;
    assertThat(at("count by (__name__) ({__name__=~\"disk.*|requests.*\"})", time).series())
        .extracting(series -> series.labels().get("__name__") + " " + series.at(0))
        .containsExactlyInAnyOrder("disk_free 2.0", "requests_total 2.0");
    assertThat(at("count_values by (topic) (\"size\", disk_free * 0 + 1.5)", time).series())
        .extracting(series -> series.labels() + " " + series.at(0))
        .containsExactlyInAnyOrder("{size=1.5, topic=t0} 1.0", "{size=1.5, topic=t1} 1.0");
    assertThat(at("absent_over_time(disk_free{topic=\"no\"}[5m])", time).series().get(0).labels())
        .containsExactlyEntriesOf(Map.of("topic", "no"));
    assertThat(at("absent_over_time(disk_free[5m])", time).series()).isEmpty();
    assertThat(at("absent_over_time(disk_free{topic=\"no\"}[5m:1m])", time).series()).hasSize(1);
    assertThat(at("sort_by_label_desc(disk_free, \"topic\")", time).series())
        .extracting(series -> series.labels().get("topic"))
        .containsExactly("t1", "t0");
  }

  /** A metric that was read under its Prometheus name and written back does not hide the first. */
  @Test
  void aNameOfTwoMetricsIsRefusedAndEachIsNamedInQuotes() {
    long time = START + 3_600_000;
    assertThatThrownBy(() -> at("cpu_level", time))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("several metrics have the name cpu_level here")
        .hasMessageContaining("{\"cpu.level\"}, {\"cpu_level\"}");
    assertThat(byTopic("{\"cpu.level\"}", time).get("t1"))
        .isEqualTo(readings("cpu.level", "t1", START, time).lastEntry().getValue());
    assertThat(byTopic("{\"cpu_level\"}", time).get("t1"))
        .isEqualTo(readings("cpu_level", "t1", START, time).lastEntry().getValue());
  }
}
