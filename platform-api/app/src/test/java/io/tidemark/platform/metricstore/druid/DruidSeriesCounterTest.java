package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.druid.DruidHttp;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesCounter.Counting;
import io.tidemark.platform.metricstore.SeriesCounter.MetricSeries;
import io.tidemark.platform.metricstore.SeriesCounter.ReducedSeries;
import io.tidemark.platform.metricstore.SeriesCounter.ResourceSelector;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingDruid;
import io.tidemark.platform.testing.TestingLookUpTurns;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Counting queries: the fence stands where rows are read, and what comes back is read right. */
class DruidSeriesCounterTest {

  private static final Instant START = Instant.parse("2026-01-01T10:00:00Z");
  private static final Counting HOUR =
      new Counting(Source.MINUTES, new TimeInterval(START, START.plusSeconds(3600)));
  private static final QueryScope SCOPE = new QueryScope(new TenantId("org-a"), Set.of("env-a"));
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final TestingDruid druid = new TestingDruid();
  private final List<TenantId> turns = new ArrayList<>();
  private final ObjectNode hidden =
      JsonNodeFactory.instance.objectNode().put("type", "true").put("name", "kept");
  private final DruidSeriesCounter counter =
      new DruidSeriesCounter(
          new DruidHttp(HttpClient.newHttpClient(), druid.address(), Duration.ofSeconds(10)),
          (organization, source) -> Optional.of(hidden),
          DatasourcePlacements.NONE,
          new TestingLookUpTurns(turns, Long.MAX_VALUE),
          () -> "query-1");

  @AfterEach
  void close() {
    druid.close();
  }

  private JsonNode asked() {
    return JSON.readTree(druid.queries().get(druid.queries().size() - 1));
  }

  private static void assertFenced(JsonNode scan, String metric) {
    assertThat(scan.path("dataSource").asString()).isEqualTo("rollup_1m");
    assertThat(scan.at("/filter/fields/0/dimension").asString()).isEqualTo("organization_id");
    assertThat(scan.at("/filter/fields/0/value").asString()).isEqualTo("org-a");
    assertThat(scan.path("filter").toString()).contains("\"kept\"").contains("env-a");
    if (metric != null) {
      assertThat(scan.path("filter").toString())
          .contains("\"dimension\":\"metric\",\"value\":\"" + metric + "\"");
    }
  }

  @Test
  void seriesOfAResourceAreCountedBehindTheSameFence() {
    druid.answerWith(200, "[]");
    Counting ofResource =
        new Counting(HOUR.source(), HOUR.interval(), new ResourceSelector("kafka", "lkc-1\",\"x"));
    counter.series(SCOPE, ofResource, false, true);
    JsonNode inner = asked().at("/dataSource/query");
    assertFenced(inner, null);
    assertThat(inner.path("filter").toString())
        .contains("\"dimension\":\"resource_type\",\"value\":\"kafka\"")
        .contains("\"dimension\":\"resource_id\",\"value\":\"lkc-1\\\",\\\"x\"");
    counter.series(SCOPE, HOUR, false, true);
    assertThat(asked().toString()).doesNotContain("\"resource_id\"");
  }

  @Test
  void seriesAreCountedOnceEachWhereTheCountIsExact() {
    druid.answerWith(
        200, "[{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"event\":{\"d0\":\"cpu\",\"n\":7}}]");
    assertThat(counter.series(SCOPE, HOUR, false, true))
        .containsExactly(new MetricSeries("cpu", START, 7));
    JsonNode inner = asked().at("/dataSource/query");
    assertFenced(inner, null);
    assertThat(inner.at("/dimensions/1/dimension").asString()).isEqualTo("series_id");
    assertThat(asked().at("/dimensions/0").asString()).isEqualTo("d0");
    assertThat(asked().at("/context/lane").asString()).isEqualTo("slow-lane");
    assertThat(turns).containsExactly(SCOPE.organization());

    assertThat(counter.series(SCOPE, HOUR, true, false))
        .containsExactly(new MetricSeries("cpu", Instant.parse("2026-01-01T00:00:00Z"), 7));
    assertFenced(asked(), null);
    assertThat(asked().path("granularity").asString()).isEqualTo("day");
    assertThat(asked().at("/aggregations/0/type").asString()).isEqualTo("cardinality");
  }

  @Test
  void overflowSeriesAreThoseWithTheLabel() {
    druid.answerWith(200, "[]");
    assertThat(counter.overflowSeries(SCOPE, HOUR)).isEmpty();
    assertFenced(asked().at("/dataSource/query"), null);
    assertThat(asked().at("/dataSource/query/filter").toString())
        .contains("{\"type\":\"null\",\"column\":\"metric.tidemark.overflow\"}");
  }

  @Test
  void reducedSeriesAreCombinationsOfTheLabelsThatAreLeft() {
    druid.answerWith(
        200, "[{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"event\":{\"n\":3,\"rows\":180}}]");
    assertThat(counter.reduced(SCOPE, HOUR, "cpu", Set.of("metric.host")))
        .isEqualTo(new ReducedSeries(3, 180));
    JsonNode minutes = asked().at("/dataSource/query/dataSource/query");
    assertFenced(minutes, "cpu");
    assertThat(minutes.path("granularity").asString()).isEqualTo("minute");
    assertThat(minutes.path("dimensions").findValuesAsString("dimension"))
        .containsExactly("metric_type", "unit", "resource_type", "resource_id", "metric.host");
    assertThat(asked().at("/dataSource/query/dimensions")).hasSize(5);
    assertThat(asked().path("dimensions")).isEmpty();

    counter.reduced(SCOPE, HOUR, "cpu", null);
    assertThat(asked().at("/dataSource/query/dataSource/query/dimensions/0/dimension").asString())
        .isEqualTo("series_id");
  }

  @Test
  void valuesAreOneQueryForAllLabels() {
    druid.answerWith(
        200, "[{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"event\":{\"n0\":3,\"n1\":9}}]");
    assertThat(counter.values(SCOPE, HOUR, "cpu", Set.of("metric.b", "metric.a")))
        .isEqualTo(Map.of("metric.a", 3L, "metric.b", 9L));
    assertFenced(asked(), "cpu");
    assertThat(counter.rows(SCOPE, HOUR, "cpu")).isZero();
    assertFenced(asked(), "cpu");
  }

  @Test
  void rowsOfEachMinuteAreOneFencedQuery() {
    druid.answerWith(
        200,
        "[{\"timestamp\":\"2026-01-01T10:01:00.000Z\",\"event\":{\"n\":4}},"
            + "{\"timestamp\":\"2026-01-01T10:03:00.000Z\",\"event\":{\"n\":9}}]");
    assertThat(counter.rowsByMinute(SCOPE, HOUR))
        .isEqualTo(Map.of(START.plusSeconds(60), 4L, START.plusSeconds(180), 9L));
    assertFenced(asked(), null);
    assertThat(asked().path("granularity").asString()).isEqualTo("minute");
    assertThat(asked().path("dimensions").size()).isZero();
    assertThat(turns).containsExactly(SCOPE.organization());
  }

  @Test
  void aDatasourceWithoutStoredSegmentsHasNoSizeOfARow() {
    druid.answerWith(200, "[]");
    assertThat(counter.bytesPerRow(Source.MINUTES, HOUR.interval())).isEmpty();
    druid.answerWith(200, "[{\"size\":1000,\"numRows\":50}]");
    assertThat(counter.bytesPerRow(Source.MINUTES, HOUR.interval()).orElseThrow()).isEqualTo(20);
  }
}
