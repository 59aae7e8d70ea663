package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.query.application.MetricsQueryService.Estimate;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingOpenMinutes;
import io.tidemark.platform.testing.TestingProgress;
import io.tidemark.platform.testing.TestingSeries;
import io.tidemark.platform.testing.TestingStore;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An estimate says what the query itself would say, and refuses nothing that is only large. */
class QueryEstimateTest {

  private static final Instant BEGIN = Instant.parse("2026-03-10T00:00:00Z");
  private static final TenantId TENANT = new TenantId("org-a");

  private static Caller caller(Permission... permissions) {
    return new Caller(TENANT, new EnvironmentId("env-1"), "key", Set.of(permissions));
  }

  private static MetricsQueryService queries(long slowFrom, long max) {
    List<RawPoint> points =
        IntStream.range(0, 60)
            .mapToObj(
                minute ->
                    new RawPoint(
                        TENANT.value(),
                        "env-1",
                        "requests",
                        Map.of("metric.topic", "t"),
                        BEGIN.plus(Duration.ofMinutes(minute)),
                        1,
                        null))
            .toList();
    TestingProgress progress = new TestingProgress();
    progress.completeUntil(BEGIN.plus(Duration.ofDays(1)));
    Map<Lane, QueryConcurrencyLimiter.Size> sizes = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      sizes.put(lane, new QueryConcurrencyLimiter.Size(1, 1, 1));
    }
    return new MetricsQueryService(
        new TestingStore(points, List.of()),
        progress,
        new TestingOpenMinutes(),
        (tenant, metric) -> MetricKind.COUNTER,
        (tenant, level, metric) -> Optional.empty(),
        organization -> StoreTierRanges.DRUID_ALONE,
        new PageTokens("a secret for tests"),
        new CostGuard(
            slowFrom, max, max, new QueryConcurrencyLimiter(sizes, Duration.ofSeconds(1), () -> 1)),
        new UnknownNameFinder(
            new TestingSeries(List.of(), Set.of()), progress, Clock.fixed(BEGIN, ZoneOffset.UTC)),
        1_000,
        QueryMeter.NONE,
        Clock.fixed(BEGIN.plus(Duration.ofDays(1)), ZoneOffset.UTC));
  }

  private static QueryDraft draft(Granularity granularity) {
    return new QueryDraft(
        List.of(new AggregationDraft("requests", AggregationFunction.SUM, null)),
        null,
        granularity,
        List.of(),
        List.of(BEGIN + "/PT1H"),
        null,
        List.of(),
        null,
        false,
        true);
  }

  private static Estimate estimate(MetricsQueryService queries) {
    return queries.estimate(caller(Permission.METRICS_READ), "cloud", draft(Granularity.PT1M));
  }

  @Test
  void anEstimateIsThatOfTheQuery() {
    MetricsQueryService queries = queries(1_000, 1_000);
    Estimate estimate = estimate(queries);
    assertThat(estimate.lane()).contains(Lane.INTERACTIVE);
    assertThat(estimate.rows())
        .isEqualTo(60)
        .isEqualTo(
            queries
                .answer(caller(Permission.METRICS_READ), "cloud", draft(Granularity.PT1M), null)
                .explanation()
                .orElseThrow()
                .estimatedRows());
  }

  @Test
  void whatReadsMuchIsToldToBeSlow() {
    assertThat(estimate(queries(10, 1_000)).lane()).contains(Lane.SLOW);
  }

  @Test
  void whatIsTooExpensiveIsToldWithAFormThatWouldPass() {
    MetricsQueryService queries = queries(10, 50);
    Estimate estimate = estimate(queries);
    assertThat(estimate.lane()).isEmpty();
    assertThat(estimate.rows()).isEqualTo(60);
    assertThat(estimate.refusal().orElseThrow()).contains("The interval ").contains("about 30");
    assertThatThrownBy(
            () ->
                queries.answer(
                    caller(Permission.METRICS_READ), "cloud", draft(Granularity.PT1M), null))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.QUERY_TOO_EXPENSIVE));
  }

  @Test
  void whoMayNotQueryIsToldNothing() {
    assertThatThrownBy(() -> queries(1, 1).estimate(caller(), "cloud", draft(Granularity.PT1M)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }
}
