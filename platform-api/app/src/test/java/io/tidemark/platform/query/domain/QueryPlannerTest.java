package io.tidemark.platform.query.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelFilter.Equal;
import io.tidemark.platform.metricstore.LabelFilter.Every;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import io.tidemark.platform.query.domain.QueryDraft.OrderDraft;
import io.tidemark.platform.query.domain.QueryPlanner.Plan;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryPlannerTest {

  private static final Instant NOW = Instant.parse("2026-03-15T12:34:56Z");
  private static final AggregationDraft ORDERS =
      new AggregationDraft("orders", AggregationFunction.SUM, null);

  private static QueryDraft draft(
      FilterDraft filter, Granularity granularity, List<String> groupBy, String interval) {
    return draft(List.of(ORDERS), filter, granularity, groupBy, List.of(interval), null, null);
  }

  private static QueryDraft draft(
      List<AggregationDraft> aggregations,
      FilterDraft filter,
      Granularity granularity,
      List<String> groupBy,
      List<String> intervals,
      Integer limit,
      String format) {
    return new QueryDraft(
        aggregations,
        filter,
        granularity,
        groupBy,
        intervals,
        limit,
        List.of(),
        format,
        false,
        false);
  }

  private static FilterDraft equal(String field, Object value) {
    return new FilterDraft("EQ", field, value, List.of(), null);
  }

  private static FilterDraft and(FilterDraft... filters) {
    return new FilterDraft("AND", null, null, List.of(filters), null);
  }

  private static MetricQuery ready(QueryDraft draft) {
    return ((Plan.Ready) QueryPlanner.plan(draft, NOW)).query();
  }

  private static List<String> faults(QueryDraft draft) {
    return ((Plan.Invalid) QueryPlanner.plan(draft, NOW)).faults();
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
    assertThat(query.aggregations())
        .singleElement()
        .extracting(Aggregation::metric)
        .isEqualTo("orders");
    assertThat(query.filter())
        .isEqualTo(
            Optional.of(
                new Every(
                    List.of(
                        new Equal(new LabelKey("resource.kafka.id"), "lkc-1"),
                        new Every(List.of(new Equal(new LabelKey("metric.partition"), "7")))))));
    assertThat(query.groupBy()).containsExactly(new LabelKey("metric.topic"));
    assertThat(query.maxGroups()).isEqualTo(100);
    assertThat(query.minutes().length()).isEqualTo(3_600_000);
  }

  @Test
  void anIntervalHoldsTheMinutesThatStartInIt() {
    MetricQuery query =
        ready(
            draft(null, Granularity.PT1H, List.of(), "2026-03-15T10:30:01Z/2026-03-15T12:30:01Z"));
    assertThat(query.minutes().intervals())
        .containsExactly(
            new TimeInterval(
                Instant.parse("2026-03-15T10:31:00Z"), Instant.parse("2026-03-15T12:31:00Z")));
  }

  @Test
  void granularityAllHasOneBucketFromTheEarliestStartAndMoreGroups() {
    QueryDraft draft =
        draft(
            List.of(ORDERS),
            null,
            Granularity.ALL,
            List.of(),
            List.of("now-1h/now", "2026-01-01T00:00:00Z/PT1H"),
            null,
            "FLAT");
    MetricQuery query = ready(draft);
    assertThat(query.earliest()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(query.maxGroups()).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1M, PT6H",
    "PT5M, P1D",
    "PT15M, P4D",
    "PT30M, P7D",
  })
  void anIntervalMayBeAsLongAsItsGranularityAllows(Granularity granularity, String length) {
    assertThat(QueryPlanner.plan(draft(null, granularity, List.of(), length + "/now"), NOW))
        .isInstanceOf(Plan.Ready.class);
    String oneSecondMore = length.contains("T") ? length + "1S" : length + "T1S";
    assertThat(faults(draft(null, granularity, List.of(), oneSecondMore + "/now")))
        .singleElement()
        .asString()
        .startsWith("intervals[0]: ")
        .contains("is longer than", granularity.name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT4H", "PT6H", "PT12H", "P1D", "ALL"})
  void coarseGranularitiesTakeAnyInterval(String granularity) {
    assertThat(
            QueryPlanner.plan(
                draft(null, Granularity.valueOf(granularity), List.of(), "P3000D/now"), NOW))
        .isInstanceOf(Plan.Ready.class);
  }

  @Test
  void allFaultsAreToldAtOnce() {
    QueryDraft draft =
        draft(
            List.of(
                new AggregationDraft(" ", null, null),
                new AggregationDraft("m", AggregationFunction.P99, TimeFunction.MAX)),
            and(equal("organization_id", "org-b"), equal("metric.a", 1.5), and()),
            null,
            List.of("__time", "metric.a", "metric.a"),
            List.of("yesterday"),
            1001,
            null);
    assertThat(faults(draft))
        .anySatisfy(fault -> assertThat(fault).startsWith("aggregations[0].metric "))
        .anySatisfy(fault -> assertThat(fault).startsWith("aggregations[1].time_agg "))
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
  void oneToTenAggregationsAreNeeded() {
    for (int number : new int[] {0, 11}) {
      assertThat(
              faults(
                  draft(
                      Collections.nCopies(number, ORDERS),
                      null,
                      Granularity.PT1M,
                      List.of(),
                      List.of("PT1H/now"),
                      null,
                      null)))
          .singleElement()
          .asString()
          .startsWith("aggregations ");
    }
  }

  @Test
  void allOperatorsArePlanned() {
    FilterDraft greater = new FilterDraft("GT", "metric.a", "x", List.of(), null);
    FilterDraft notLess = new FilterDraft("GTE", "metric.a", 7, List.of(), null);
    FilterDraft filter =
        new FilterDraft(
            "OR",
            null,
            null,
            List.of(greater, new FilterDraft("NOT", null, null, List.of(), notLess)),
            null);
    LabelKey label = new LabelKey("metric.a");
    assertThat(ready(draft(filter, Granularity.PT1M, List.of(), "PT1H/now")).filter())
        .contains(
            new LabelFilter.Any(
                List.of(
                    new LabelFilter.Greater(label, "x", false),
                    new LabelFilter.Not(new LabelFilter.Greater(label, "7", true)))));
  }

  @Test
  void groupsAreOrderedByAnAggregationOfTheQueryAndOfAllTime() {
    QueryDraft right = ordered(Granularity.ALL, new OrderDraft("orders", null, true));
    assertThat(ready(right).order()).contains(new MetricQuery.ValueOrder(0, true));
    assertThat(faults(ordered(Granularity.PT1M, new OrderDraft("orders", null, true)))).hasSize(1);
    assertThat(faults(ordered(Granularity.ALL, new OrderDraft("others", null, true)))).hasSize(1);
  }

  private static QueryDraft ordered(Granularity granularity, OrderDraft order) {
    return new QueryDraft(
        List.of(ORDERS),
        null,
        granularity,
        List.of("metric.a"),
        List.of("PT1H/now"),
        null,
        List.of(order),
        null,
        false,
        false);
  }

  @Test
  void distributionsAreOfAQuantileAndOfOneGroup() {
    AggregationDraft median = new AggregationDraft("latency", AggregationFunction.P50, null);
    assertThat(ready(spread(List.of(ORDERS, median), List.of())).distributions()).isTrue();
    assertThat(faults(spread(List.of(ORDERS), List.of("metric.a"))))
        .containsExactly(
            "distributions needs agg P50, P75, P90, P95 or P99 in one of aggregations.",
            "distributions cannot be combined with group_by; leave one of them out.");
  }

  private static QueryDraft spread(List<AggregationDraft> aggregations, List<String> groupBy) {
    return new QueryDraft(
        aggregations,
        null,
        Granularity.PT1M,
        groupBy,
        List.of("PT1H/now"),
        null,
        List.of(),
        null,
        false,
        false,
        true);
  }

  @Test
  void filtersEndSomewhere() {
    FilterDraft deep = equal("metric.a", "x");
    for (int i = 0; i < 30; i++) {
      deep = and(deep);
    }
    assertThat(faults(draft(deep, Granularity.PT1M, List.of(), "PT1H/now"))).hasSize(1);
    FilterDraft wide =
        new FilterDraft("AND", null, null, Collections.nCopies(500, equal("metric.a", "x")), null);
    assertThat(faults(draft(wide, Granularity.PT1M, List.of(), "PT1H/now"))).hasSize(1);
  }
}
