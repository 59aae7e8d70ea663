package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.query.domain.Answer;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.OrderDraft;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Groups in the order of a value: by the store where it can, and by nobody where it is too much.
 */
class OrderedGroupsTest {

  private static final Instant BEGIN = Instant.parse("2026-03-10T00:00:00Z");
  private static final TenantId TENANT = new TenantId("org-a");
  private static final Caller CALLER =
      new Caller(TENANT, new EnvironmentId("env-1"), "key", Set.of(Permission.METRICS_READ));
  private static final int GROUPS = 60;
  private static final String HOURS = BEGIN + "/PT4H";
  private static final String MIXED = BEGIN + "/PT4H30M";

  private final Random random = new Random(61);
  private final Map<String, Double> sums = new TreeMap<>();

  private MetricsQueryService queries(int maxRows) {
    List<RawPoint> points = new ArrayList<>();
    for (int group = 0; group < GROUPS; group++) {
      String topic = "t" + group;
      for (int i = 0; i < 3; i++) {
        double value = random.nextInt(20);
        sums.merge(topic, value, Double::sum);
        points.add(
            new RawPoint(
                TENANT.value(),
                "env-1",
                "requests",
                Map.of("metric.topic", topic),
                BEGIN.plusSeconds(random.nextInt(4 * 3_600)),
                value,
                null));
      }
    }
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
            1_000_000,
            1_000_000,
            1_000_000,
            new QueryConcurrencyLimiter(sizes, Duration.ofSeconds(1), () -> 1)),
        new UnknownNameFinder(
            new TestingSeries(List.of(), Set.of()), progress, Clock.fixed(BEGIN, ZoneOffset.UTC)),
        maxRows,
        QueryMeter.NONE,
        Clock.fixed(BEGIN.plus(Duration.ofDays(1)), ZoneOffset.UTC));
  }

  private static QueryDraft draft(
      AggregationFunction function, TimeFunction time, String interval, boolean descending) {
    return new QueryDraft(
        List.of(new AggregationDraft("requests", function, time)),
        null,
        Granularity.ALL,
        List.of("metric.topic"),
        List.of(interval),
        5,
        List.of(new OrderDraft("requests", function, descending)),
        null,
        false,
        false);
  }

  private static List<String> topics(Answer answer) {
    return answer.groups().stream().map(group -> group.labels().get(0)).toList();
  }

  private List<String> largest() {
    return sums.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, Double> entry) -> -entry.getValue())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .limit(5)
        .toList();
  }

  @Test
  void theStoreOrdersWhatItAnswersAlone() {
    // Fewer rows than groups are enough, because the store sends only what is wanted.
    MetricsQueryService queries = queries(10);
    Answer answer =
        queries.answer(CALLER, "cloud", draft(AggregationFunction.SUM, null, HOURS, true), null);
    assertThat(topics(answer)).isEqualTo(largest());
    assertThat(answer.truncated()).hasSize(1);
    assertThat(
            topics(
                queries.answer(
                    CALLER,
                    "cloud",
                    draft(AggregationFunction.MAX, TimeFunction.SUM, HOURS, true),
                    null)))
        .isEqualTo(largest());
  }

  @Test
  void whatComesFromSeveralPartsIsOrderedHere() {
    assertThat(
            topics(
                queries(1_000)
                    .answer(
                        CALLER, "cloud", draft(AggregationFunction.SUM, null, MIXED, true), null)))
        .isEqualTo(largest());
  }

  @Test
  void whatCannotBeOrderedInBoundedMemoryIsRefused() {
    MetricsQueryService queries = queries(GROUPS - 1);
    for (QueryDraft draft :
        List.of(
            draft(AggregationFunction.SUM, null, HOURS, false),
            draft(AggregationFunction.AVG, null, HOURS, true),
            draft(AggregationFunction.LAST, null, HOURS, true),
            draft(AggregationFunction.SUM, null, MIXED, true))) {
      assertThatThrownBy(() -> queries.answer(CALLER, "cloud", draft, null))
          .isInstanceOfSatisfying(
              ProblemException.class,
              problem -> assertThat(problem.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE));
    }
  }
}
