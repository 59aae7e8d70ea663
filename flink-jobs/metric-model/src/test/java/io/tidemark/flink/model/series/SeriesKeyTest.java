package io.tidemark.flink.model.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SeriesKeyTest {

  private static final SeriesDescriptor SERIES =
      series("org-a", "env-a", "cpu", MetricKind.GAUGE, "1", Map.of("r", "1"), Map.of("p", "2"));

  /** Stored state and rows carry these keys: a changed hash would split every series. */
  @Test
  void keyOfAGivenSeriesNeverChanges() {
    assertEquals("7600c950445d21bf62d6da4524bf6f27", SeriesKey.of(SERIES).hex());
  }

  @Test
  void orderOfAttributesDoesNotMatter() {
    Map<String, String> oneOrder = new LinkedHashMap<>();
    oneOrder.put("a", "1");
    oneOrder.put("b", "2");
    Map<String, String> otherOrder = new LinkedHashMap<>();
    otherOrder.put("b", "2");
    otherOrder.put("a", "1");

    assertEquals(
        SeriesKey.of(series("o", "e", "m", MetricKind.GAUGE, "", oneOrder, otherOrder)),
        SeriesKey.of(series("o", "e", "m", MetricKind.GAUGE, "", otherOrder, oneOrder)));
  }

  static Stream<SeriesDescriptor> otherSeries() {
    Map<String, String> r = Map.of("r", "1");
    Map<String, String> p = Map.of("p", "2");
    return Stream.of(
        series("org-b", "env-a", "cpu", MetricKind.GAUGE, "1", r, p),
        series("org-a", "env-b", "cpu", MetricKind.GAUGE, "1", r, p),
        series("org-a", "env-a", "cpu2", MetricKind.GAUGE, "1", r, p),
        series("org-a", "env-a", "cpu", MetricKind.COUNTER, "1", r, p),
        series("org-a", "env-a", "cpu", MetricKind.GAUGE, "", r, p),
        series("org-a", "env-a", "cpu", MetricKind.GAUGE, "1", p, p),
        series("org-a", "env-a", "cpu", MetricKind.GAUGE, "1", r, r),
        series("org-a", "env-a", "cpu", MetricKind.GAUGE, "1", Map.of(), Map.of()),
        // The same characters, cut differently.
        series("org-ae", "nv-a", "cpu", MetricKind.GAUGE, "1", r, p),
        series("org-a", "env-a", "cpu", MetricKind.GAUGE, "1", Map.of("r1", ""), p));
  }

  @ParameterizedTest
  @MethodSource("otherSeries")
  void everyPartOfTheDescriptorCounts(SeriesDescriptor other) {
    assertNotEquals(SeriesKey.of(SERIES), SeriesKey.of(other));
  }

  @Test
  void hashCodeIsWrittenDown() {
    assertEquals(3, new SeriesKey(1, 2).hashCode());
    assertEquals(0x0f0f0f0f, new SeriesKey(0x0f0f0f0f_00000000L, 0).hashCode());
  }

  @Test
  void resourceIsNamedByItsOwnAttributesThenByServiceName() {
    List<List<String>> named =
        Stream.of(
                Map.of(
                    "tidemark.resource.type",
                    "kafka",
                    "tidemark.resource.id",
                    "lkc",
                    "service.name",
                    "s"),
                Map.of("tidemark.resource.type", "kafka", "service.name", "s"),
                Map.of("tidemark.resource.type", "", "tidemark.resource.id", "x"),
                Map.<String, String>of())
            .map(resource -> series("o", "e", "m", MetricKind.GAUGE, "", resource, Map.of()))
            .map(series -> List.of(series.resourceType(), series.resourceId()))
            .toList();

    assertEquals(
        List.of(
            List.of("kafka", "lkc"),
            List.of("service", "s"),
            List.of("unknown", "unknown"),
            List.of("unknown", "unknown")),
        named);
  }

  private static SeriesDescriptor series(
      String organization,
      String environment,
      String metric,
      MetricKind kind,
      String unit,
      Map<String, String> resource,
      Map<String, String> attributes) {
    return new SeriesDescriptor(
        organization, environment, metric, kind, unit, resource, attributes);
  }
}
