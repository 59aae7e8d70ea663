package io.tidemark.platform.query.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.query.domain.AggregationFunction;
import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.LabelFilter;
import io.tidemark.platform.query.domain.LabelKey;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.TimeInterval;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Contracts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final TimeInterval HOUR =
      new TimeInterval(
          Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-01T01:00:00Z"));

  private final JsonMapper json = JsonMapper.builder().build();
  private final DruidQueryTree trees = new DruidQueryTree("rollup_1m", Duration.ofSeconds(20));

  private static MetricQuery query(
      AggregationFunction function,
      LabelFilter filter,
      Granularity granularity,
      String... groupBy) {
    return new MetricQuery(
        "orders",
        function,
        Optional.ofNullable(filter),
        granularity,
        java.util.Arrays.stream(groupBy).map(LabelKey::new).toList(),
        List.of(HOUR),
        5);
  }

  @Test
  void withoutGroupsItIsATimeseriesOverUtcBuckets() {
    ObjectNode tree = trees.build(TENANT, query(AggregationFunction.SUM, null, Granularity.PT5M));
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
                 "aggregations":[{"type":"doubleSum","name":"value","fieldName":"sum"},
                                 {"type":"count","name":"rows"}],
                 "postAggregations":[],
                 "context":{"timeout":20000,"skipEmptyBuckets":true}}
                """));
  }

  @Test
  void withGroupsItIsAGroupByWhoseLimitFallsBetweenGroups() {
    ObjectNode tree =
        trees.build(
            TENANT,
            query(
                AggregationFunction.LAST,
                null,
                Granularity.PT1M,
                "metric.topic",
                "resource.kafka.id"));
    assertThat(tree.path("queryType").asString()).isEqualTo("groupBy");
    assertThat(tree.path("dimensions"))
        .isEqualTo(
            json.readTree(
                """
                [{"type":"default","dimension":"metric.topic","outputName":"group0",
                  "outputType":"STRING"},
                 {"type":"default","dimension":"resource.kafka.id","outputName":"group1",
                  "outputType":"STRING"}]
                """));
    assertThat(tree.path("limitSpec").path("limit").asInt()).isEqualTo(5 * 60);
    assertThat(tree.path("context").path("sortByDimsFirst").asBoolean()).isTrue();
    assertThat(tree.path("aggregations").get(0))
        .isEqualTo(
            json.readTree(
                """
                {"type":"doubleLast","name":"value","fieldName":"last"}
                """));
  }

  @Test
  void averageIsSumByCount() {
    ObjectNode tree = trees.build(TENANT, query(AggregationFunction.AVG, null, Granularity.ALL));
    assertThat(tree.path("granularity").path("type").asString()).isEqualTo("all");
    assertThat(tree.path("postAggregations"))
        .isEqualTo(
            json.readTree(
                """
                [{"type":"arithmetic","name":"value","fn":"quotient","fields":[
                  {"type":"fieldAccess","name":"sum","fieldName":"sum"},
                  {"type":"fieldAccess","name":"count","fieldName":"count"}]}]
                """));
  }

  @ParameterizedTest
  @EnumSource(AggregationFunction.class)
  void everyQueryIsBoundToItsOrganisationWhateverTheCallerSends(AggregationFunction function) {
    String hostile = "x\"},{\"type\":\"true\"";
    LabelFilter filter =
        new LabelFilter.Every(
            List.of(new LabelFilter.Equal(new LabelKey("metric." + hostile), hostile)));
    for (Granularity granularity : Granularity.values()) {
      for (String[] groupBy : new String[][] {{}, {"metric." + hostile}}) {
        JsonNode sent =
            json.readTree(
                json.writeValueAsString(
                    trees.build(TENANT, query(function, filter, granularity, groupBy))));
        JsonNode bound = sent.path("filter");
        assertThat(bound.path("type").asString()).isEqualTo("and");
        assertThat(bound.path("fields").get(0))
            .isEqualTo(
                json.readTree(
                    """
                    {"type":"selector","dimension":"organization_id","value":"org-a"}
                    """));
        assertThat(bound.path("fields").get(2).path("fields").get(0).path("value").asString())
            .isEqualTo(hostile);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AggregationFunction.class)
  void aggregationsReadTheColumnsOfTheContract(AggregationFunction function) {
    Map<Object, Object> columns =
        Contracts.list("vocabulary/aggregations.yaml", "aggregations").stream()
            .collect(Collectors.toMap(item -> item.get("name"), item -> item.get("columns")));
    Set<String> read = new HashSet<>();
    trees
        .build(TENANT, query(function, null, Granularity.PT1M))
        .path("aggregations")
        .forEach(
            aggregation -> {
              if (aggregation.has("fieldName")) {
                read.add(aggregation.path("fieldName").asString());
              }
            });
    assertThat(((List<?>) columns.get(function.name())).stream().map(Object::toString))
        .containsAll(read);
  }
}
