package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.query.domain.LabelFilter.Equal;
import io.tidemark.platform.query.domain.LabelFilter.Every;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import io.tidemark.platform.query.domain.QueryPlanning.Plan;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryPlanningTest {

  private static final Instant NOW = Instant.parse("2026-03-15T12:34:56Z");
  private static final AggregationDraft ORDERS =
      new AggregationDraft("orders", AggregationFunction.SUM);

  private static QueryDraft draft(
      FilterDraft filter, Granularity granularity, List<String> groupBy, String interval) {
    return new QueryDraft(
        List.of(ORDERS), filter, granularity, groupBy, List.of(interval), null, null);
  }

  private static FilterDraft equal(String field, Object value) {
    return new FilterDraft("EQ", field, value, List.of());
  }

  private static FilterDraft and(FilterDraft... filters) {
    return new FilterDraft("AND", null, null, List.of(filters));
  }

  private static MetricQuery ready(QueryDraft draft) {
    return ((Plan.Ready) QueryPlanning.plan(draft, NOW)).query();
  }

  private static List<String> faults(QueryDraft draft) {
    return ((Plan.Invalid) QueryPlanning.plan(draft, NOW)).faults();
  }

  @Test
  void aWholeQueryIsPlanned() {
    MetricQuery query =
        ready(
            draft(
                and(equal("resource.kafka.id", "lkc-1"), and(equal("metric.partition", 7))),
                Granularity.PT1M,
                List.of("metric.topic"),
                "PT1H/now|m"));
    assertThat(query.metric()).isEqualTo("orders");
    assertThat(query.filter())
        .isEqualTo(
            Optional.of(
                new Every(
                    List.of(
                        new Equal(new LabelKey("resource.kafka.id"), "lkc-1"),
                        new Every(List.of(new Equal(new LabelKey("metric.partition"), "7")))))));
    assertThat(query.groupBy()).containsExactly(new LabelKey("metric.topic"));
    assertThat(query.greatestGroups()).isEqualTo(100);
    assertThat(query.greatestBucketsOfGroup()).isEqualTo(60);
  }

  @Test
  void aBucketThatIsTouchedInPartCounts() {
    MetricQuery query =
        ready(
            draft(null, Granularity.PT1H, List.of(), "2026-03-15T10:30:00Z/2026-03-15T12:30:00Z"));
    assertThat(query.greatestBucketsOfGroup()).isEqualTo(3);
  }

  @Test
  void granularityAllHasOneBucketFromTheEarliestStartAndMoreGroups() {
    QueryDraft draft =
        new QueryDraft(
            List.of(ORDERS),
            null,
            Granularity.ALL,
            List.of(),
            List.of("now-1h/now", "2026-01-01T00:00:00Z/PT1H"),
            null,
            "FLAT");
    MetricQuery query = ready(draft);
    assertThat(query.earliest()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(query.greatestBucketsOfGroup()).isEqualTo(1);
    assertThat(query.greatestGroups()).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1M, PT6H",
    "PT5M, P1D",
    "PT15M, P4D",
    "PT30M, P7D",
  })
  void anIntervalMayBeAsLongAsItsGranularityAllows(Granularity granularity, String length) {
    assertThat(QueryPlanning.plan(draft(null, granularity, List.of(), length + "/now"), NOW))
        .isInstanceOf(Plan.Ready.class);
    String oneSecondMore = length.contains("T") ? length + "1S" : length + "T1S";
    assertThat(faults(draft(null, granularity, List.of(), oneSecondMore + "/now")))
        .singleElement()
        .asString()
        .contains("is longer than", granularity.name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT4H", "PT6H", "PT12H", "P1D", "ALL"})
  void coarseGranularitiesTakeAnyInterval(String granularity) {
    assertThat(
            QueryPlanning.plan(
                draft(null, Granularity.valueOf(granularity), List.of(), "P3000D/now"), NOW))
        .isInstanceOf(Plan.Ready.class);
  }

  @Test
  void allFaultsAreToldAtOnce() {
    QueryDraft draft =
        new QueryDraft(
            List.of(new AggregationDraft(" ", null)),
            and(equal("organization_id", "org-b"), equal("metric.a", 1.5), and()),
            null,
            List.of("__time", "metric.a", "metric.a"),
            List.of("yesterday"),
            1001,
            null);
    assertThat(faults(draft))
        .anySatisfy(fault -> assertThat(fault).startsWith("aggregations[0].metric "))
        .anySatisfy(fault -> assertThat(fault).startsWith("aggregations[0].agg "))
        .anySatisfy(fault -> assertThat(fault).startsWith("filter.filters[0].field "))
        .anySatisfy(fault -> assertThat(fault).startsWith("filter.filters[1].value "))
        .anySatisfy(fault -> assertThat(fault).startsWith("filter.filters[2].filters "))
        .anySatisfy(fault -> assertThat(fault).startsWith("granularity "))
        .anySatisfy(fault -> assertThat(fault).startsWith("group_by[0] "))
        .anySatisfy(fault -> assertThat(fault).startsWith("group_by[2] repeats"))
        .anySatisfy(fault -> assertThat(fault).contains("'yesterday'"))
        .anySatisfy(fault -> assertThat(fault).startsWith("limit "))
        .hasSize(10);
  }

  @Test
  void exactlyOneAggregationIsNeeded() {
    QueryDraft none =
        new QueryDraft(
            List.of(), null, Granularity.PT1M, List.of(), List.of("PT1H/now"), null, null);
    QueryDraft two =
        new QueryDraft(
            List.of(ORDERS, ORDERS),
            null,
            Granularity.PT1M,
            List.of(),
            List.of("PT1H/now"),
            null,
            null);
    assertThat(faults(none)).hasSize(1);
    assertThat(faults(two)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"OR", "NOT", "GT", "GTE"})
  void otherOperatorsAreNotSupportedYet(String op) {
    Plan plan =
        QueryPlanning.plan(
            draft(
                new FilterDraft(op, "metric.a", "x", List.of()),
                Granularity.PT1M,
                List.of(),
                "PT1H/now"),
            NOW);
    assertThat(plan)
        .isInstanceOfSatisfying(
            Plan.Unsupported.class,
            unsupported -> assertThat(unsupported.reasons().get(0)).contains(op));
  }

  @Test
  void filtersEndSomewhere() {
    FilterDraft deep = equal("metric.a", "x");
    for (int i = 0; i < 30; i++) {
      deep = and(deep);
    }
    assertThat(faults(draft(deep, Granularity.PT1M, List.of(), "PT1H/now"))).hasSize(1);
    FilterDraft wide =
        new FilterDraft("AND", null, null, Collections.nCopies(500, equal("metric.a", "x")));
    assertThat(faults(draft(wide, Granularity.PT1M, List.of(), "PT1H/now"))).hasSize(1);
  }
}
