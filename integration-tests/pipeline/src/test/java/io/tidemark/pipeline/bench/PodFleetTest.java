package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.tidemark.pipeline.support.PointFleet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The second generator is what the benchmark says of it. */
class PodFleetTest {
  private static final int SERIES = 2_000;
  private static final int MINUTES = 30;
  private static final int STEPS = MINUTES * 60 / PointFleet.STEP_SECONDS;
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private record Point(String series, long time, long sentAt, String metric, double value) {}

  private static List<Point> points(PodFleet fleet) throws Exception {
    List<Point> points = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      Instant now = BEGIN.plusSeconds((long) step * PointFleet.STEP_SECONDS);
      fleet.step(step, now, body -> add(points, body, now));
    }
    Instant end = BEGIN.plusSeconds((long) STEPS * PointFleet.STEP_SECONDS);
    fleet.finish(body -> add(points, body, end));
    return points;
  }

  private static void add(List<Point> points, byte[] body, Instant now) throws java.io.IOException {
    for (ResourceMetrics resource :
        ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList()) {
      for (Metric metric : resource.getScopeMetrics(0).getMetricsList()) {
        List<NumberDataPoint> all = new ArrayList<>(metric.getGauge().getDataPointsList());
        all.addAll(metric.getSum().getDataPointsList());
        for (NumberDataPoint point : all) {
          points.add(
              new Point(
                  metric.getName()
                      + values(resource.getResource().getAttributesList())
                      + values(point.getAttributesList()),
                  point.getTimeUnixNano() / 1_000_000_000L,
                  now.getEpochSecond(),
                  metric.getName(),
                  point.getAsDouble()));
        }
      }
    }
  }

  private static String values(List<KeyValue> labels) {
    StringBuilder values = new StringBuilder();
    labels.forEach(label -> values.append('|').append(label.getValue().getStringValue()));
    return values.toString();
  }

  @Test
  void oneSeriesOfAHundredIsReplacedEveryMinute() throws Exception {
    Map<Long, Set<String>> byMinute = new TreeMap<>();
    points(new PodFleet("x", SERIES))
        .forEach(
            point ->
                byMinute
                    .computeIfAbsent(point.time() / 60, minute -> new HashSet<>())
                    .add(point.series()));
    assertThat(byMinute).hasSize(MINUTES);
    Set<String> before = null;
    for (Set<String> minute : byMinute.values()) {
      assertThat(minute).hasSize(SERIES);
      if (before != null) {
        Set<String> begun = new HashSet<>(minute);
        begun.removeAll(before);
        assertThat(begun).hasSize(SERIES / 100);
      }
      before = minute;
    }
  }

  @Test
  void onePointOfTwentyIsAMinuteToAnHourLate() throws Exception {
    List<Point> points = points(new PodFleet("x", SERIES));
    List<Point> late = points.stream().filter(point -> point.sentAt() > point.time()).toList();
    assertThat((double) late.size() / points.size()).isCloseTo(0.05, within(0.005));
    // What is still held back at the end comes sooner than it would have.
    long end = BEGIN.getEpochSecond() + STEPS * PointFleet.STEP_SECONDS;
    assertThat(late)
        .filteredOn(point -> point.sentAt() < end)
        .hasSizeGreaterThan(late.size() / 10)
        .allMatch(
            point -> point.sentAt() - point.time() >= 60 && point.sentAt() - point.time() <= 3_600);
  }

  @Test
  void totalsAreWhatWasHandedOver() throws Exception {
    PodFleet fleet = new PodFleet("x", SERIES);
    Map<String, PointFleet.Total> found = new TreeMap<>();
    points(fleet)
        .forEach(
            point ->
                found.merge(
                    point.metric(),
                    new PointFleet.Total(1, point.value()),
                    (one, other) -> one.plus(other.count(), other.sum())));
    assertThat(FleetTotals.differences("", fleet.totals(), found)).isEmpty();
    assertThat(found.values().stream().mapToLong(PointFleet.Total::count).sum())
        .isEqualTo((long) SERIES * STEPS);
  }
}
