package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.query.domain.Aggregation;
import io.tidemark.platform.query.domain.Answer.Group;
import io.tidemark.platform.query.domain.Answer.UnknownName;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.NearestNames;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingProgress;
import io.tidemark.platform.testing.TestingSeries;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnknownNameFinderTest {

  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  private static final QueryScope SCOPE = QueryScope.all(new TenantId("org-a"));

  private final TestingProgress progress = new TestingProgress();
  private final UnknownNameFinder finder =
      new UnknownNameFinder(
          new TestingSeries(
              List.of(
                  new StoredMetric("io.acme.requests", "counter", "1", "kafka"),
                  new StoredMetric("io.acme.responses", "counter", "1", "kafka")),
              Set.of("metric.topic", "resource.kafka.id")),
          progress,
          Clock.fixed(NOW, ZoneOffset.UTC));

  private static MetricQuery query(String metric, String... labels) {
    return new MetricQuery(
        List.of(new Aggregation(metric, Optional.of(AggregationFunction.SUM), Optional.empty())),
        Optional.empty(),
        Granularity.PT1M,
        Arrays.stream(labels).map(LabelKey::new).toList(),
        List.of(new TimeInterval(NOW.minus(Duration.ofHours(1)), NOW)),
        100,
        Optional.empty(),
        false,
        false,
        false);
  }

  private static Group group(String... labels) {
    return new Group(Arrays.asList(labels), List.of());
  }

  @Test
  void aMetricWithoutAnAnswerThatNobodySentIsUnknown() {
    assertThat(finder.metrics(SCOPE, query("io.acme.request"), List.of()))
        .containsExactly(new UnknownName("io.acme.request", List.of("io.acme.requests")));
    assertThat(finder.metrics(SCOPE, query("io.acme.requests"), List.of())).isEmpty();
    assertThat(finder.metrics(SCOPE, query("io.acme.request"), List.of(group()))).isEmpty();
  }

  @Test
  void aLabelThatNoGroupHasAndNoRowHadIsUnknown() {
    MetricQuery query = query("io.acme.requests", "metric.topik", "resource.kafka.id");
    assertThat(finder.labels(SCOPE, query, List.of(group(null, "lkc-1"))))
        .containsExactly(new UnknownName("metric.topik", List.of("metric.topic")));
    assertThat(finder.labels(SCOPE, query, List.of(group("a", null)))).isEmpty();
    assertThat(finder.labels(SCOPE, query, List.of())).isEmpty();
    progress.split(
        new SplitInterval("env-1", "io.acme.requests", 0, Long.MAX_VALUE / 4, Set.of("topik")));
    assertThat(finder.labels(SCOPE, query, List.of(group(null, "lkc-1")))).isEmpty();
  }

  @Test
  void namesThatAreWrittenAlikeAreNear() {
    List<String> names = List.of("io.acme.requests", "io_acme_requests_sum", "other", "requests");
    assertThat(NearestNames.of("io_acme_requests", names))
        .startsWith("io.acme.requests", "io_acme_requests_sum");
    assertThat(NearestNames.of("acme", names)).contains("io.acme.requests");
    assertThat(NearestNames.of("nothing like it at all", names)).isEmpty();
    assertThat(NearestNames.of("x".repeat(10_000), names)).isEmpty();
  }
}
