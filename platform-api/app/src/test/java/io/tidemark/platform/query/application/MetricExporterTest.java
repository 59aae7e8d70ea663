package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.ExportedSeries;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore;
import io.tidemark.platform.query.application.MetricExporter.Wish;
import io.tidemark.platform.query.domain.ExportText;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingProgress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An export is a whole minute, or none. */
class MetricExporterTest {

  private static final Instant NOW = Instant.parse("2026-03-10T12:06:41Z");
  private static final String MINUTE = "2026-03-10T12:04:00Z";
  private static final Caller CALLER =
      new Caller(
          new TenantId("org-a"),
          new EnvironmentId("env-1"),
          "key",
          Set.of(Permission.METRICS_READ));

  private final TestingProgress progress = new TestingProgress();
  private final List<Instant> asked = new ArrayList<>();
  private List<ExportedSeries> rows = List.of(row(3));
  private Runnable whileReading = () -> {};
  private final MetricExporter exporting =
      new MetricExporter(
          new OneResource(),
          progress,
          new CostGuard(10, 1_000, 1_000, turns()),
          1_000,
          Clock.fixed(NOW, ZoneOffset.UTC));

  private static QueryConcurrencyLimiter turns() {
    Map<Lane, QueryConcurrencyLimiter.Size> sizes = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      sizes.put(lane, new QueryConcurrencyLimiter.Size(1, 1, 1));
    }
    return new QueryConcurrencyLimiter(sizes, Duration.ofSeconds(1), () -> 1);
  }

  private static ExportedSeries row(double sum) {
    AggregateState figures = AggregateState.of(sum);
    return new ExportedSeries("cups", MetricKind.COUNTER, "lkc-1", Map.of(), figures);
  }

  private final class OneResource implements SeriesStore {

    @Override
    public List<StoredMetric> metrics(QueryScope readable, Duration back) {
      return List.of();
    }

    @Override
    public Map<String, Set<String>> labelsByMetric(QueryScope readable, Duration back) {
      return Map.of();
    }

    @Override
    public Map<String, Set<String>> labelsByResourceType(QueryScope readable, Duration back) {
      return Map.of();
    }

    @Override
    public List<StoredResource> resources(
        QueryScope readable, Duration back, ResourceFilter filter) {
      return List.of(new StoredResource("kafka", "lkc-1"));
    }

    @Override
    public List<ExportedSeries> minute(QueryScope readable, ExportRequest request) {
      asked.add(request.minute());
      whileReading.run();
      return rows;
    }
  }

  private String export(String resource) {
    return exporting.export(
        CALLER,
        "cloud",
        new Wish(Map.of("kafka", Set.of(resource)), Set.of()),
        ExportText.Form.PROMETHEUS);
  }

  private void assertUnavailable(ThrowingCallable export, Duration retryAfter, String said) {
    assertThatThrownBy(export)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
              assertThat(problem.retryAfter()).contains(retryAfter);
              assertThat(problem.details().get(0)).contains(said);
            });
  }

  @Test
  void theNewestCompleteMinuteIsExported() {
    progress.completeUntil(Instant.parse("2026-03-10T12:05:59.999Z"));
    long time = Instant.parse(MINUTE).toEpochMilli();
    assertThat(export("lkc-1"))
        .contains("cups 3.0 " + time + "\n")
        .contains("access_error{resource_id=\"lkc-1\",resource_type=\"kafka\"} 0.0 " + time);
    assertThat(asked).containsExactly(Instant.parse(MINUTE));
    // A sender's clock may be ahead of ours; a minute that is not over here is not exported.
    progress.completeUntil(NOW.plusSeconds(90));
    export("lkc-1");
    assertThat(asked.get(1)).isEqualTo("2026-03-10T12:05:00Z");
  }

  @Test
  void whileNoMinuteIsKnownToBeCompleteNoneIsExported() {
    assertUnavailable(() -> export("lkc-1"), Duration.ofSeconds(5), "not known now");
    assertThat(asked).isEmpty();
  }

  @Test
  void aMinuteOfWhichRowsGoMissingWhileItIsReadIsNotExported() {
    progress.completeUntil(Instant.parse("2026-03-10T12:05:00Z"));
    whileReading = progress::nothingIsKnown;
    assertUnavailable(() -> export("lkc-1"), Duration.ofSeconds(5), "not known now");
    // Nor is a resource unknown of which rows are missing.
    rows = List.of();
    progress.completeUntil(Instant.parse("2026-03-10T12:05:00Z"));
    assertUnavailable(() -> export("lkc-2"), Duration.ofSeconds(5), "not known now");
    progress.completeUntil(Instant.parse("2026-03-10T12:05:00Z"));
    whileReading = () -> progress.completeUntil(Instant.parse("2026-03-10T12:04:59Z"));
    assertUnavailable(() -> export("lkc-1"), Duration.ofSeconds(5), "not known now");
    progress.completeUntil(Instant.parse("2026-03-10T12:05:00Z"));
    whileReading = () -> progress.completeUntil(NOW);
    assertThat(export("lkc-1")).contains("access_error");
  }

  @Test
  void aPipelineThatStandsStillIsNoEmptyMinute() {
    progress.completeUntil(NOW.minus(Duration.ofHours(1)));
    export("lkc-1");
    assertThat(asked).containsExactly(Instant.parse("2026-03-10T11:05:00Z"));
    Instant older = NOW.minus(Duration.ofHours(1)).minusMillis(1);
    progress.completeUntil(older);
    assertUnavailable(() -> export("lkc-1"), Duration.ofMinutes(1), older.toString());
  }

  @Test
  void whoeverHasNoneOfTheResourcesIsRefused() {
    progress.completeUntil(NOW);
    rows = List.of();
    assertThatThrownBy(() -> export("lkc-2"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.FORBIDDEN));
  }

  @Test
  void whatAnotherMetricIsWrittenAsIsToldToBeMissing() {
    progress.completeUntil(NOW);
    rows =
        List.of(
            new ExportedSeries("a.b", MetricKind.COUNTER, "lkc-1", Map.of(), AggregateState.of(3)),
            new ExportedSeries("a/b", MetricKind.COUNTER, "lkc-1", Map.of(), AggregateState.of(4)),
            new ExportedSeries(
                "a/b", MetricKind.COUNTER, "lkc-1", Map.of("metric.c", "d"), AggregateState.of(5)));
    assertThat(export("lkc-1"))
        .contains("\na_b 3.0 ", "\na_b{c=\"d\"} 5.0 ", "tidemark_export_truncated{metric=\"a/b\"")
        .doesNotContain(" 4.0 ", "tidemark_export_truncated{metric=\"a.b\"");
  }

  /** A late point of the minute is a row of its own. */
  @Test
  void rowsOfOneSeriesAreOnePoint() {
    progress.completeUntil(NOW);
    rows = List.of(row(3), row(4));
    assertThat(export("lkc-1")).contains("cups 7.0 ").doesNotContain("truncated");
  }
}
