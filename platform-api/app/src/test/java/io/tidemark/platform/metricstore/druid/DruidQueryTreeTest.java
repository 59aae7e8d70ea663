package io.tidemark.platform.metricstore.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Contracts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class DruidQueryTreeTest {

  private static final TenantId TENANT = new TenantId("org-a");
  private static final IntervalSet HOUR =
      IntervalSet.of(
          List.of(
              new TimeInterval(
                  Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-01T01:00:00Z"))));
  private static final String OWN =
      "{\"type\":\"selector\",\"dimension\":\"organization_id\",\"value\":\"org-a\"}";

  private final JsonMapper json = JsonMapper.builder().build();
  private final DruidQueryTree trees =
      new DruidQueryTree(
          Duration.ofSeconds(20),
          (organization, source) -> Optional.empty(),
          DatasourcePlacements.NONE);

  private static StoreQuery query(
      Set<AggregateColumn> figures,
      Shape shape,
      LabelFilter filter,
      Granularity granularity,
      ScanSpec part,
      List<String> groupBy,
      List<String> after) {
    return new StoreQuery(
        Optional.of("orders"),
        Optional.ofNullable(filter),
        granularity,
        groupBy.stream().map(LabelKey::new).toList(),
        part,
        figures,
        shape,
        5,
        Optional.ofNullable(after),
        Lane.INTERACTIVE);
  }

  private ObjectNode build(StoreQuery query) {
    return trees.build(TENANT, query, "id-1");
  }

  @Test
  void withoutGroupsItIsATimeseriesOverUtcBuckets() {
    ObjectNode tree =
        build(
            query(
                Set.of(AggregateColumn.SUM),
                new Shape.Flat(),
                null,
                Granularity.PT5M,
                ScanSpec.of(Source.MINUTES, HOUR),
                List.of(),
                null));
    assertThat(json.readTree(json.writeValueAsString(tree)))
        .isEqualTo(
            json.readTree(
                """
                {"queryType":"timeseries","dataSource":"rollup_1m",
                 "intervals":["2026-01-01T00:00:00Z/2026-01-01T01:00:00Z"],
                 "granularity":{"type":"duration","duration":300000,
                                "origin":"1970-01-01T00:00:00.000Z"},
                 "filter":{"type":"and","fields":[
                   {"type":"selector","dimension":"organization_id","value":"org-a"},
                   {"type":"selector","dimension":"metric","value":"orders"}]},
                 "aggregations":[{"type":"doubleSum","name":"f_sum","fieldName":"sum"},
                                 {"type":"count","name":"rows"}],
                 "context":{"timeout":20000,"queryId":"id-1","lane":"interactive","priority":10,
                            "skipEmptyBuckets":true,"sortByDimsFirst":true,
                            "applyLimitPushDown":false}}
                """));
  }

  @Test
  void withGroupsItIsAGroupByWhoseRowsNobodySorts() {
    StoreQuery query =
        query(
            Set.of(AggregateColumn.LAST),
            new Shape.Flat(),
            null,
            Granularity.PT1M,
            ScanSpec.of(Source.MINUTES_IN_DETAIL, HOUR),
            List.of("metric.topic", "resource.kafka.id"),
            null);
    ObjectNode tree = build(query);
    assertThat(tree.path("queryType").asString()).isEqualTo("groupBy");
    assertThat(tree.path("dataSource").asString()).isEqualTo("rollup_1m_hc");
    assertThat(tree.path("dimensions"))
        .isEqualTo(
            json.readTree(
                """
                [{"type":"default","dimension":"metric.topic","outputName":"group0",
                  "outputType":"STRING"},
                 {"type":"default","dimension":"resource.kafka.id","outputName":"group1",
                  "outputType":"STRING"}]
                """));
    assertThat(tree.path("context").path("finalize").asBoolean(true)).isFalse();
    assertThat(tree.at("/context/sortByDimsFirst").asBoolean(false)).isTrue();
    assertThat(tree.path("limitSpec").isMissingNode()).isTrue();
    assertThat(tree.path("aggregations").get(0))
        .isEqualTo(
            json.readTree("{\"type\":\"doubleLast\",\"name\":\"f_last\",\"fieldName\":\"last\"}"));
  }

  @Test
  void aLimitThatNeedsNoSortingIsDruids() {
    ObjectNode tree =
        build(
            query(
                Set.of(AggregateColumn.SUM),
                new Shape.Flat(),
                null,
                Granularity.ALL,
                ScanSpec.of(Source.MINUTES, HOUR),
                List.of("metric.topic"),
                null));
    assertThat(tree.at("/limitSpec/limit").asInt()).isEqualTo(5);
    assertThat(tree.at("/limitSpec/columns/0/dimension").asString()).isEqualTo("group0");
  }

  @Test
  void columnsOfArraysAreInTheOrderOfTheQuery() {
    List<Set<AggregateColumn>> figures =
        List.of(
            Set.of(
                AggregateColumn.MAX,
                AggregateColumn.SUM,
                AggregateColumn.COUNT,
                AggregateColumn.MIN),
            Set.of(AggregateColumn.DISTRIBUTION, AggregateColumn.LAST, AggregateColumn.COUNT));
    for (Granularity granularity : List.of(Granularity.PT1M, Granularity.ALL)) {
      for (Shape shape :
          List.of(
              new Shape.Flat(), new Shape.BySeries(), new Shape.SeriesFirst(TimeFunction.MEAN))) {
        StoreQuery query =
            query(
                figures.get(shape instanceof Shape.SeriesFirst ? 0 : 1),
                shape,
                null,
                granularity,
                ScanSpec.of(Source.MINUTES, HOUR),
                List.of("metric.topic", "resource.kafka.id"),
                null);
        ObjectNode tree = build(query);
        List<String> names = new ArrayList<>();
        if (granularity != Granularity.ALL) {
          names.add("timestamp");
        }
        tree.path("dimensions")
            .forEach(
                dimension ->
                    names.add(
                        dimension.isString()
                            ? dimension.asString()
                            : dimension.path("outputName").asString()));
        tree.path("aggregations")
            .forEach(
                aggregation ->
                    names.add(
                        aggregation
                            .at("/aggregator/name")
                            .asString(aggregation.path("name").asString())));
        assertThat(DruidQueryTree.columns(query)).as("%s", shape).isEqualTo(names);
        assertThat(tree.at("/context/resultAsArray").asBoolean(false)).isTrue();
      }
    }
    assertThat(DruidQueryTree.groupPlace("group0")).isZero();
    assertThat(DruidQueryTree.groupPlace("group12")).isEqualTo(12);
    assertThat(DruidQueryTree.groupPlace("group")).isNegative();
    assertThat(DruidQueryTree.groupPlace("groupA")).isNegative();
    assertThat(DruidQueryTree.groupPlace("rows")).isNegative();
  }

  @Test
  void theLargestGroupsAreOrderedByTheirFigureAndThenByLabels() {
    for (Shape shape : List.of(new Shape.Flat(), new Shape.SeriesFirst(TimeFunction.MEAN))) {
      ObjectNode limit =
          (ObjectNode)
              build(
                      new StoreQuery(
                          Optional.of("orders"),
                          Optional.empty(),
                          Granularity.ALL,
                          List.of(new LabelKey("metric.topic")),
                          ScanSpec.of(Source.HOURS, HOUR),
                          Set.of(AggregateColumn.SUM),
                          shape,
                          6,
                          Optional.empty(),
                          Lane.INTERACTIVE,
                          Optional.of(AggregateColumn.SUM)))
                  .path("limitSpec");
      assertThat((JsonNode) limit)
          .isEqualTo(
              json.readTree(
                  """
                  {"type":"default","limit":6,"columns":[
                   {"dimension":"f_sum","direction":"descending","dimensionOrder":"numeric"},
                   {"dimension":"group0","direction":"ascending","dimensionOrder":"lexicographic"}]}
                  """));
    }
  }

  @Test
  void whereSeriesComeFirstTheyAreGroupedInside() {
    ObjectNode tree =
        build(
            query(
                Set.of(AggregateColumn.SUM),
                new Shape.SeriesFirst(TimeFunction.MEAN),
                null,
                Granularity.ALL,
                ScanSpec.of(Source.HOURS, HOUR),
                List.of("metric.topic"),
                null));
    JsonNode inner = tree.path("dataSource").path("query");
    assertThat(inner.path("dataSource").asString()).isEqualTo("rollup_1h");
    assertThat(inner.path("dimensions").get(1).asString()).isEqualTo("series_id");
    assertThat(inner.path("postAggregations").get(0).path("expression").asString())
        .isEqualTo("if(\"f_count\" > 0, \"f_sum\" / \"f_count\", null)");
    assertThat(tree.path("dimensions")).isEqualTo(json.readTree("[\"group0\"]"));
    assertThat(tree.path("aggregations").get(0))
        .isEqualTo(
            json.readTree("{\"type\":\"doubleSum\",\"name\":\"f_sum\",\"fieldName\":\"v\"}"));
  }

  @Test
  void pagesAndEnvironmentsAreFilters() {
    ScanSpec part = new ScanSpec(Source.MINUTES, Store.DRUID, HOUR, Set.of("env-1"), true);
    JsonNode fields =
        build(
                query(
                    Set.of(AggregateColumn.SUM),
                    new Shape.Flat(),
                    null,
                    Granularity.PT1M,
                    part,
                    List.of("metric.a", "metric.b"),
                    Arrays.asList("x", null)))
            .path("filter")
            .path("fields");
    assertThat(fields.get(2))
        .isEqualTo(
            json.readTree(
                """
                {"type":"not","field":{"type":"in","dimension":"environment_id","values":["env-1"]}}
                """));
    assertThat(fields.get(3))
        .isEqualTo(
            json.readTree(
                """
                {"type":"or","fields":[
                  {"type":"and","fields":[{"type":"bound","dimension":"metric.a","lower":"x",
                     "lowerStrict":true,"ordering":"lexicographic"}]},
                  {"type":"and","fields":[
                    {"type":"selector","dimension":"metric.a","value":"x"},
                    {"type":"not","field":{"type":"null","column":"metric.b"}}]}]}
                """));
  }

  @Test
  void whatIsHiddenStaysHidden() {
    DruidQueryTree hiding =
        new DruidQueryTree(
            Duration.ofSeconds(20),
            (organization, source) -> Optional.of(DruidFilters.not(DruidFilters.absent("x"))),
            DatasourcePlacements.NONE);
    assertThat(hiding.fence(TENANT, Source.DAYS).path("fields").get(1))
        .isEqualTo(DruidFilters.not(DruidFilters.absent("x")));
  }

  @Test
  void inANotASeriesWithoutTheLabelIsNotEqual() {
    LabelFilter filter = new LabelFilter.Not(new LabelFilter.Equal(new LabelKey("metric.a"), "x"));
    assertThat(DruidFilters.of(filter))
        .isEqualTo(
            json.readTree(
                """
                {"type":"not","field":{"type":"and","fields":[
                  {"type":"not","field":{"type":"null","column":"metric.a"}},
                  {"type":"selector","dimension":"metric.a","value":"x"}]}}
                """));
  }

  /** Ten thousand queries made to escape: every datasource is read through the caller's fence. */
  @Test
  void everyQueryIsBoundToItsOrganisationWhateverTheCallerSends() {
    Random random = new Random(5);
    List<String> hostile =
        List.of(
            "x\"},{\"type\":\"true\"",
            "organization_id",
            "org-b",
            "\",\"dimension\":\"organization_id",
            "') OR 1=1 --",
            "\\",
            "metric",
            "ü\uD83D\uDE00");
    for (int i = 0; i < 10_000; i++) {
      Shape shape =
          List.of(
                  new Shape.Flat(),
                  new Shape.BySeries(),
                  new Shape.SeriesFirst(
                      TimeFunction.values()[random.nextInt(TimeFunction.values().length)]))
              .get(random.nextInt(3));
      List<String> groupBy = new ArrayList<>();
      for (int j = random.nextInt(3); j > 0; j--) {
        groupBy.add("metric." + j + hostile.get(random.nextInt(hostile.size())));
      }
      Set<AggregateColumn> figures =
          shape instanceof Shape.Flat && random.nextBoolean()
              ? Set.of(AggregateColumn.DISTRIBUTION)
              : Set.of(AggregateColumn.SUM, AggregateColumn.COUNT);
      String after = hostile.get(random.nextInt(hostile.size()));
      StoreQuery query =
          query(
              figures,
              shape,
              filter(random, hostile, 0),
              Granularity.values()[random.nextInt(Granularity.values().length)],
              new ScanSpec(
                  Source.values()[random.nextInt(Source.values().length)],
                  Store.DRUID,
                  HOUR,
                  random.nextBoolean() ? Set.of("env-1") : Set.of(),
                  random.nextBoolean()),
              groupBy,
              random.nextBoolean() ? null : Collections.nCopies(groupBy.size(), after));
      JsonNode sent = json.readTree(json.writeValueAsString(build(query)));
      assertFenced(sent);
      assertFenced(json.readTree(json.writeValueAsString(trees.rows(TENANT, query, HOUR, "id"))));
    }
  }

  private static LabelFilter filter(Random random, List<String> hostile, int depth) {
    LabelKey label = new LabelKey("resource." + hostile.get(random.nextInt(hostile.size())));
    String value = hostile.get(random.nextInt(hostile.size()));
    return switch (random.nextInt(depth > 3 ? 2 : 5)) {
      case 0 -> new LabelFilter.Equal(label, value);
      case 1 -> new LabelFilter.Greater(label, value, random.nextBoolean());
      case 2 ->
          new LabelFilter.Any(
              List.of(filter(random, hostile, depth + 1), filter(random, hostile, depth + 1)));
      case 3 ->
          new LabelFilter.Every(
              List.of(filter(random, hostile, depth + 1), filter(random, hostile, depth + 1)));
      default -> new LabelFilter.Not(filter(random, hostile, depth + 1));
    };
  }

  private void assertFenced(JsonNode tree) {
    JsonNode source = tree.path("dataSource");
    if (source.isObject()) {
      assertThat(source.path("type").asString()).isEqualTo("query");
      assertFenced(source.path("query"));
      return;
    }
    assertThat(source.asString()).isIn("rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d");
    assertThat(tree.path("filter").path("type").asString()).isEqualTo("and");
    assertThat(tree.path("filter").path("fields").get(0)).isEqualTo(json.readTree(OWN));
  }

  @ParameterizedTest
  @EnumSource(AggregationFunction.class)
  void aggregationsReadTheColumnsOfTheContract(AggregationFunction function) {
    Map<Object, Object> columns =
        Contracts.list("vocabulary/aggregations.yaml", "aggregations").stream()
            .collect(Collectors.toMap(item -> item.get("name"), item -> item.get("columns")));
    Set<String> read = new HashSet<>();
    ObjectNode tree =
        build(
            query(
                AggregateColumn.of(function),
                new Shape.Flat(),
                null,
                Granularity.PT1M,
                ScanSpec.of(Source.MINUTES, HOUR),
                List.of(),
                null));
    for (JsonNode aggregation : tree.path("aggregations")) {
      if (aggregation.has("fieldName") && !aggregation.path("name").asString().equals("panes")) {
        read.add(aggregation.path("fieldName").asString());
      }
    }
    tree.path("dimensions").forEach(dimension -> read.add(dimension.asString()));
    assertThat(read).isNotEmpty();
    assertThat(((List<?>) columns.get(function.name())).stream().map(Object::toString))
        .containsAll(read);
  }
}
