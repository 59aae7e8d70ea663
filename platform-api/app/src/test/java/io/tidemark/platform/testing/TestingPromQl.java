package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.MetricTypeResolver;
import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.promql.application.PromQlEvaluator.Evaluated;
import io.tidemark.platform.promql.application.PrometheusMetadata;
import io.tidemark.platform.promql.application.PrometheusQueryService;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.query.application.CostGuard;
import io.tidemark.platform.query.application.LabelValueService;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.query.application.PageTokens;
import io.tidemark.platform.query.application.QueryConcurrencyLimiter;
import io.tidemark.platform.query.application.QueryMeter;
import io.tidemark.platform.query.application.UnknownNameFinder;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
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

/** Prometheus' API over raw points in memory, as it is over stored rows. */
public final class TestingPromQl {

  private final PrometheusQueryService queries;

  /** The API at a time, where some minutes are split. */
  public TestingPromQl(
      List<RawPoint> points,
      List<SplitInterval> splits,
      List<StoredMetric> metrics,
      Set<String> labels,
      TestingProgress progress,
      Instant now) {
    Map<Lane, QueryConcurrencyLimiter.Size> sizes = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      sizes.put(lane, new QueryConcurrencyLimiter.Size(1, 1, 1));
    }
    CostGuard guard =
        new CostGuard(
            10,
            1_000_000,
            1_000_000,
            new QueryConcurrencyLimiter(sizes, Duration.ofSeconds(1), () -> 1));
    TestingStore store = new TestingStore(points, splits);
    PageTokens tokens = new PageTokens("a secret for tests");
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);
    TestingOpenMinutes openMinutes = new TestingOpenMinutes();
    MetricTypeResolver kinds = (tenant, metric) -> MetricKind.COUNTER;
    splits.forEach(progress::split);
    this.queries =
        new PrometheusQueryService(
            new MetricsQueryService(
                store,
                progress,
                openMinutes,
                kinds,
                (tenant, level, metric) -> Optional.empty(),
                organization -> StoreTierRanges.DRUID_ALONE,
                tokens,
                guard,
                new UnknownNameFinder(new TestingSeries(List.of(), Set.of()), progress, clock),
                1_000_000,
                QueryMeter.NONE,
                clock),
            new LabelValueService(
                store,
                progress,
                openMinutes,
                organization -> StoreTierRanges.DRUID_ALONE,
                tokens,
                guard,
                clock),
            new TestingSeries(metrics, labels),
            progress,
            clock);
  }

  /** Who reads the metrics of an organisation. */
  public static Caller caller(String organization) {
    return new Caller(
        new TenantId(organization),
        new EnvironmentId("env-1"),
        "key",
        Set.of(Permission.METRICS_READ));
  }

  /** The value of a text at times. */
  public Evaluated evaluate(Caller caller, String text, StepTimes times) {
    return queries.evaluating().evaluate(caller, text, () -> times);
  }

  /** What there is. */
  public PrometheusMetadata browsing() {
    return queries.browsing();
  }
}
