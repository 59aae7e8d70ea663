package io.tidemark.platform.promql.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.platform.metricstore.SeriesStore.StoredMetric;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.promql.application.PromQlEvaluator.Evaluated;
import io.tidemark.platform.promql.application.PrometheusMetadata.Look;
import io.tidemark.platform.promql.domain.SeriesValues;
import io.tidemark.platform.promql.domain.StepTimes;
import io.tidemark.platform.promql.domain.Value.Vector;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingProgress;
import io.tidemark.platform.testing.TestingPromQl;
import io.tidemark.platform.testing.TestingStore.RawPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Generated PromQL over rows of minutes, hours and days, with split minutes in one of two
 * environments, is answered as a plain recomputation from the raw points answers it.
 */
class PromQlAnswersTest {

  private static final Instant BEGIN = Instant.parse("2026-03-10T00:00:00Z");
  private static final Instant NOW = BEGIN.plus(Duration.ofDays(2));
  private static final TenantId TENANT = new TenantId("org-a");
  private static final List<String> METRICS = List.of("cpu.level", "requests_total", "latency");
  private static final List<String> LABELS =
      List.of("topic", "client", "kafka_id", "environment_id");
  private static final long MINUTE = 60_000;

  private final Random random = new Random(20261121);
  private final List<RawPoint> points = new ArrayList<>();
  private final TestingProgress progress = new TestingProgress();
  private final Caller caller = TestingPromQl.caller(TENANT.value());
  private TestingPromQl queries;

  @BeforeEach
  void storePoints() {
    List<SplitInterval> splits = new ArrayList<>();
    for (String metric : METRICS) {
      SplitInterval split =
          new SplitInterval(
              "env-1",
              metric,
              BEGIN.plus(Duration.ofMinutes(617)).toEpochMilli(),
              BEGIN.plus(Duration.ofMinutes(1_931)).toEpochMilli(),
              Set.of("client"));
      splits.add(split);
    }
    for (int i = 0; i < 12_000; i++) {
      Map<String, String> labels = new TreeMap<>();
      labels.put("resource.kafka.id", "lkc-" + random.nextInt(2));
      labels.put("metric.topic", "t" + random.nextInt(3));
      if (random.nextInt(4) > 0) {
        labels.put("metric.client", "c" + random.nextInt(3));
      }
      points.add(
          new RawPoint(
              random.nextInt(5) == 0 ? "org-b" : TENANT.value(),
              "env-" + random.nextInt(2),
              METRICS.get(random.nextInt(METRICS.size())),
              labels,
              BEGIN.plusMillis((long) (random.nextDouble() * Duration.ofDays(2).toMillis())),
              random.nextInt(1_000),
              1000 + random.nextInt(40)));
    }
    progress.completeUntil(Instant.parse("2026-03-11T21:07:00Z"));
    queries =
        new TestingPromQl(
            points,
            splits,
            List.of(
                new StoredMetric("cpu.level", "gauge", "1", "kafka"),
                new StoredMetric("requests_total", "counter", "{request}", "kafka"),
                new StoredMetric("latency", "histogram", "s", "kafka")),
            Set.of("metric.topic", "metric.client", "resource.kafka.id"),
            progress,
            NOW);
  }

  /** What is asked, in words and in parts. */
  private record Question(
      String text,
      String metric,
      String function,
      long window,
      long range,
      long offset,
      String aggregator,
      Set<String> kept,
      Map<String, String> equal) {}

  @Test
  void answersAreThoseOfTheRawPoints() {
    int values = 0;
    for (int i = 0; i < 1_500; i++) {
      Question question = question();
      long start = BEGIN.toEpochMilli() + random.nextInt(40 * 3_600_000);
      long step = pick(List.of(15_000L, 60_000L, 90_000L, 300_000L, 3_600_000L));
      if (random.nextInt(3) > 0) {
        start = start / step * step;
      }
      long end = random.nextInt(3) == 0 ? start : start + step * (1 + random.nextInt(12));
      long from = start;
      Evaluated found = queries.evaluate(caller, question.text(), StepTimes.range(from, end, step));
      Map<Map<String, String>, Map<Integer, Double>> expected =
          recomputed(question, found.times().times());
      Map<Map<String, String>, Map<Integer, Double>> actual = new HashMap<>();
      for (SeriesValues series : ((Vector) found.value()).series()) {
        Map<Integer, Double> each = new HashMap<>();
        for (int at = 0; at < series.steps(); at++) {
          if (series.has(at)) {
            each.put(at, series.at(at));
          }
        }
        assertThat(actual.put(series.labels(), each)).as(question.text()).isNull();
      }
      assertThat(actual.keySet()).as(question.text()).isEqualTo(expected.keySet());
      for (var series : expected.entrySet()) {
        Map<Integer, Double> each = actual.get(series.getKey());
        assertThat(each.keySet())
            .as(question.text() + " " + series.getKey())
            .isEqualTo(series.getValue().keySet());
        for (var value : series.getValue().entrySet()) {
          values++;
          assertThat(each.get(value.getKey()))
              .as(question.text() + " " + series.getKey() + " " + from + " " + step)
              .isCloseTo(value.getValue(), within(Math.abs(value.getValue()) * 1e-12 + 1e-12));
        }
      }
    }
    assertThat(values).isGreaterThan(20_000);
  }

  private Question question() {
    String function =
        pick(
            List.of(
                "rate",
                "increase",
                "count",
                "total",
                "quantile",
                "sum_over_time",
                "avg_over_time",
                "min_over_time",
                "max_over_time",
                "count_over_time",
                "last_over_time",
                "present_over_time",
                "current",
                "latest"));
    String metric =
        switch (function) {
          case "rate", "increase", "latest" -> "requests_total";
          case "count", "total", "quantile" -> "latency";
          default -> "cpu.level";
        };
    boolean isCurrent = function.equals("current") || function.equals("latest");
    long range =
        isCurrent ? 0 : pick(List.of(30_000L, 60_000L, 90_000L, 300_000L, 3_600_000L, 5_400_000L));
    long offset = random.nextInt(4) == 0 ? pick(List.of(60_000L, 45_000L, 3_600_000L)) : 0;
    Map<String, String> equal = new TreeMap<>();
    List<String> matchers = new ArrayList<>();
    if (random.nextBoolean()) {
      String label = pick(LABELS);
      String value =
          switch (label) {
            case "topic" -> "t1";
            case "client" -> "c2";
            case "kafka_id" -> "lkc-0";
            default -> "env-1";
          };
      switch (random.nextInt(6)) {
        case 0 -> matchers.add(label + "=\"" + value + "\"");
        case 1 -> matchers.add(label + "!=\"" + value + "\"");
        case 2 -> matchers.add(label + "=~\"" + value + "|x\"");
        case 3 -> matchers.add(label + "!~\".*" + value.charAt(value.length() - 1) + "\"");
        case 4 -> matchers.add(label + "=~\"(" + value + ")?\"");
        default -> matchers.add(label + "=\"\"");
      }
      equal.put(label, matchers.get(0).substring(label.length()));
    }
    String name =
        switch (function) {
          case "count" -> "latency_count";
          case "total" -> "latency_sum";
          case "rate", "increase", "latest", "quantile" -> metric;
          default -> random.nextBoolean() ? "cpu_level" : "\"cpu.level\"";
        };
    String selector =
        name.startsWith("\"")
            ? "{"
                + name
                + matchers.stream().map(each -> "," + each).collect(Collectors.joining())
                + "}"
            : name + "{" + String.join(",", matchers) + "}";
    String windowed =
        selector
            + (range == 0 ? "" : "[" + range / 1_000 + "s]")
            + (offset == 0 ? "" : " offset " + offset / 1_000 + "s");
    String leaf =
        isCurrent
            ? windowed
            : (Set.of("count", "total", "quantile").contains(function) ? "rate" : function)
                + "("
                + windowed
                + ")";
    String aggregator = "";
    Set<String> kept = Set.of();
    String text = leaf;
    if (random.nextInt(3) > 0) {
      aggregator =
          function.equals("quantile") ? "sum" : pick(List.of("sum", "avg", "min", "max", "count"));
      Set<String> named =
          LABELS.stream().filter(label -> random.nextInt(3) == 0).collect(Collectors.toSet());
      boolean without = random.nextBoolean();
      kept = new HashSet<>(LABELS);
      kept.removeIf(label -> named.contains(label) == without);
      text =
          aggregator
              + (without ? " without (" : " by (")
              + String.join(", ", named)
              + ") ("
              + leaf
              + ")";
    }
    if (function.equals("quantile")) {
      text = "histogram_quantile(0.93, " + text + ")";
    }
    long window = ((range == 0 ? 300_000 : range) + MINUTE - 1) / MINUTE * MINUTE;
    return new Question(text, metric, function, window, range, offset, aggregator, kept, equal);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** From the points alone, in the plainest way. */
  private Map<Map<String, String>, Map<Integer, Double>> recomputed(
      Question question, long[] times) {
    Map<Map<String, String>, Map<Integer, Double>> answer = new HashMap<>();
    List<RawPoint> meant =
        points.stream()
            .filter(point -> point.organization().equals(TENANT.value()))
            .filter(point -> point.metric().equals(question.metric()))
            .filter(point -> matches(question.equal(), labels(point)))
            .toList();
    for (int at = 0; at < times.length; at++) {
      long end = Math.floorDiv(times[at] - question.offset(), MINUTE) * MINUTE;
      Map<Map<String, String>, List<RawPoint>> series = new HashMap<>();
      for (RawPoint point : meant) {
        long time = point.time().toEpochMilli();
        if (time >= end - question.window() && time < end) {
          Map<String, String> labels = labels(point);
          if (question.function().equals("quantile") && !question.aggregator().isEmpty()) {
            labels.keySet().retainAll(question.kept());
          }
          series.computeIfAbsent(labels, ignored -> new ArrayList<>()).add(point);
        }
      }
      Map<Map<String, String>, List<Double>> groups = new HashMap<>();
      for (var each : series.entrySet()) {
        Map<String, String> labels = new TreeMap<>(each.getKey());
        if (!question.aggregator().isEmpty()) {
          labels.keySet().retainAll(question.kept());
        } else if (Set.of("current", "latest", "last_over_time").contains(question.function())) {
          labels.put("__name__", question.metric().replace('.', '_'));
        }
        groups
            .computeIfAbsent(labels, ignored -> new ArrayList<>())
            .add(value(question, each.getValue()));
      }
      for (var group : groups.entrySet()) {
        answer
            .computeIfAbsent(group.getKey(), ignored -> new HashMap<>())
            .put(at, together(question.aggregator(), group.getValue()));
      }
    }
    return answer;
  }

  private static Map<String, String> labels(RawPoint point) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("environment_id", point.environment());
    point
        .labels()
        .forEach(
            (key, value) ->
                labels.put(key.substring(key.indexOf('.') + 1).replace('.', '_'), value));
    return labels;
  }

  private static boolean matches(Map<String, String> matchers, Map<String, String> labels) {
    return matchers.entrySet().stream()
        .allMatch(
            matcher -> {
              String value = labels.getOrDefault(matcher.getKey(), "");
              String text = matcher.getValue();
              String quoted = text.substring(text.indexOf('"') + 1, text.length() - 1);
              return switch (text.substring(0, text.indexOf('"'))) {
                case "=" -> value.equals(quoted);
                case "!=" -> !value.equals(quoted);
                case "=~" -> value.matches(quoted);
                default -> !value.matches(quoted);
              };
            });
  }

  private static double value(Question question, List<RawPoint> points) {
    double sum = points.stream().mapToDouble(RawPoint::value).sum();
    double seconds = question.window() / 1_000.0;
    return switch (question.function()) {
      case "rate", "total" -> sum / seconds;
      case "increase" -> sum / seconds * question.range() / 1_000.0;
      case "count" -> points.size() / seconds;
      case "sum_over_time" -> sum;
      case "avg_over_time" -> sum / points.size();
      case "count_over_time" -> points.size();
      case "present_over_time" -> 1;
      case "min_over_time" -> points.stream().mapToDouble(RawPoint::value).min().orElseThrow();
      case "max_over_time" -> points.stream().mapToDouble(RawPoint::value).max().orElseThrow();
      case "quantile" -> {
        List<Integer> buckets = points.stream().map(RawPoint::bucket).sorted().toList();
        int rank = (int) Math.max(1, Math.ceil(0.93 * buckets.size()));
        double estimate = Math.pow(2, (2 * (buckets.get(rank - 1) - 1025) + 1) / 16.0);
        double least = points.stream().mapToDouble(RawPoint::value).min().orElseThrow();
        double highest = points.stream().mapToDouble(RawPoint::value).max().orElseThrow();
        yield Math.max(least, Math.min(highest, estimate));
      }
      case "latest" -> {
        long minute = points.stream().mapToLong(PromQlAnswersTest::minute).max().orElseThrow();
        yield points.stream()
            .filter(point -> minute(point) == minute)
            .mapToDouble(RawPoint::value)
            .sum();
      }
      default -> points.stream().max(Comparator.comparing(RawPoint::time)).orElseThrow().value();
    };
  }

  private static long minute(RawPoint point) {
    return point.time().toEpochMilli() / MINUTE;
  }

  private static double together(String aggregator, List<Double> values) {
    double sum = values.stream().mapToDouble(Double::doubleValue).sum();
    return switch (aggregator) {
      case "sum" -> sum;
      case "avg" -> sum / values.size();
      case "min" -> values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
      case "max" -> values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
      case "count" -> values.size();
      default -> values.get(0);
    };
  }

  @Test
  void whatThereIsToldIsOfTheOwnOrganisation() {
    Look all = new Look(List.of(), BEGIN, NOW);
    assertThat(queries.browsing().values(caller, "__name__", all))
        .containsExactlyInAnyOrder(
            "cpu_level", "requests_total", "latency", "latency_count", "latency_sum", "of_org_a");
    Caller other = TestingPromQl.caller("org-b");
    assertThat(queries.browsing().values(other, "__name__", all))
        .contains("of_org_b")
        .doesNotContain("of_org_a");
    assertThat(queries.browsing().metadata(other, "of_org_a")).isEmpty();
    assertThat(queries.browsing().labels(caller, all))
        .containsExactlyInAnyOrder("__name__", "topic", "client", "kafka_id", "environment_id");
    assertThat(queries.browsing().values(caller, "topic", all)).containsExactly("t0", "t1", "t2");
    assertThat(queries.browsing().values(caller, "environment_id", all))
        .containsExactly("env-0", "env-1");
    Look one = new Look(List.of("latency_sum{topic=~\"t[01]\",client=\"\"}"), BEGIN, NOW);
    assertThat(queries.browsing().values(caller, "topic", one)).containsExactly("t0", "t1");
    assertThat(queries.browsing().values(caller, "client", one)).isEmpty();
    assertThat(queries.browsing().values(caller, "__name__", one)).containsExactly("latency_sum");
    assertThat(queries.browsing().series(caller, one))
        .hasSize(8)
        .allSatisfy(
            labels ->
                assertThat(labels)
                    .containsEntry("__name__", "latency_sum")
                    .containsOnlyKeys("__name__", "topic", "kafka_id", "environment_id"));
    Look none = new Look(List.of("{__name__=~\"lat.*\",topic=\"x\"}"), BEGIN, NOW);
    assertThat(queries.browsing().series(caller, none)).isEmpty();
    assertThat(queries.browsing().values(caller, "__name__", none)).isEmpty();
  }

  private Vector vector(String text) {
    return (Vector)
        queries.evaluate(caller, text, StepTimes.at(NOW.toEpochMilli() - 4_000_000)).value();
  }

  /** As dashboards name the buckets of a histogram. */
  @Test
  void bucketsOfAHistogramThatCameAsAWholeAreItsDistribution() {
    for (String[] forms :
        new String[][] {
          {"sum(rate(latency[1h]))", "sum by (le) (rate(latency_bucket[1h]))"},
          {
            "sum by (kafka_id) (rate(latency[1h]))",
            "sum by (le, kafka_id) (rate(latency_bucket[1h]))"
          },
          {"rate(latency[1h])", "rate(latency_bucket[1h])"}
        }) {
      Vector whole = vector("histogram_quantile(0.9, " + forms[0] + ")");
      Vector buckets = vector("histogram_quantile(0.9, " + forms[1] + ")");
      assertThat(whole.series()).isNotEmpty();
      assertThat(buckets.series()).hasSameSizeAs(whole.series());
      for (int i = 0; i < whole.series().size(); i++) {
        assertThat(buckets.series().get(i).labels()).isEqualTo(whole.series().get(i).labels());
        assertThat(buckets.series().get(i).at(0)).isEqualTo(whole.series().get(i).at(0));
      }
    }
  }

  @Test
  void whatIsNotAnsweredIsSaidSo() {
    Map<String, String> said = new LinkedHashMap<>();
    said.put("delta(requests_total[5m])", "functions of levels of requests_total");
    said.put("changes(cpu_level[5m])", "function changes of samples, which are stored as minutes");
    said.put("rate(requests_total[5m:1m])", "function rate of a subquery");
    said.put("cpu_level[5m:1m]", "values of a subquery as they are");
    said.put("max_over_time(cpu_level[30d:1m])", "a subquery with more than 11,000 times");
    said.put("latency", "the histogram latency as a value; take histogram_quantile");
    said.put("avg_over_time(requests_total[5m])", "functions of levels of requests_total");
    said.put("cpu_level[5m]", "samples of a range as they are");
    said.put("histogram_quantile(0.5, latency)", "quantiles of latency without a window");
    said.put(
        "histogram_quantile(0.5, avg(rate(latency[5m])))",
        "quantiles of distributions that are not summed");
    said.put("\"text\"", "texts as values");
    said.put("cpu_level + on (kafka_id) cpu_level", "many-to-many matching");
    said.forEach(
        (text, reason) ->
            assertThatThrownBy(
                    () ->
                        queries.evaluate(
                            caller, text, StepTimes.at(NOW.toEpochMilli() - 4_000_000)))
                .as(text)
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("not supported: " + reason));
  }

  @Test
  void anAnswerSaysHowCompleteItIsAndWhatItsValuesAre() {
    Evaluated answer =
        queries.evaluate(
            caller,
            "sum(requests_total) + sum(increase(requests_total[90s]))",
            StepTimes.at(NOW.toEpochMilli()));
    assertThat(answer.notes())
        .first()
        .isEqualTo(
            "completeness: state=provisional complete_until=2026-03-11T21:07:00Z late_revisions=0");
    assertThat(answer.notes()).noneMatch(note -> note.startsWith("behind"));
    assertThat(answer.notes()).anyMatch(note -> note.contains("not a running total"));
    assertThat(answer.notes()).anyMatch(note -> note.contains("rounded up to 2m"));
  }

  @Test
  void anAnswerSaysThatReceivedPointsMayBeMissing() {
    progress.read(Instant.parse("2026-03-11T21:00:07Z"), true);
    Evaluated answer =
        queries.evaluate(caller, "sum(requests_total)", StepTimes.at(NOW.toEpochMilli()));
    assertThat(answer.notes().get(1))
        .startsWith("behind: points received since 2026-03-11T21:00:07Z may be missing");
  }
}
