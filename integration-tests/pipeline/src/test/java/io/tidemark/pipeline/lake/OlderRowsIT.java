package io.tidemark.pipeline.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One interval over what Druid keeps and what it does not: minutes of four weeks ago come from the
 * lake, all else from Druid, and together they are what was acknowledged.
 */
@ExtendWith(RunningStack.class)
@Order(7)
class OlderRowsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final String METRIC = "older.requests";

  private final RunningStack.Started stack = RunningStack.get();
  private final MetricsQuery query =
      new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-ledger"));
  private final Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);
  private final List<Point> points = new ArrayList<>();

  @Test
  void anIntervalOverBothStoresHasTheTotalOfWhatWasAcknowledged() throws Exception {
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"));
    for (int day : new int[] {29, 20, 4}) {
      Instant hour = today.minus(day, ChronoUnit.DAYS).plus(5, ChronoUnit.HOURS);
      for (int minute = 0; minute < 60; minute++) {
        points.add(
            new Point(
                METRIC,
                Map.of("host", "h" + minute % 3),
                hour.plus(minute, ChronoUnit.MINUTES).plusSeconds(7),
                1000L * day + minute));
      }
    }
    assertThat(sender.send(OtlpSender.batch("older", points).toByteArray()).statusCode())
        .isEqualTo(200);

    // Neither end is at an hour: minutes are needed there, and those of the old end are read from
    // the lake as soon as it is known to have them.
    Instant from = today.minus(29, ChronoUnit.DAYS).plus(330, ChronoUnit.MINUTES);
    Instant to = today.minus(4, ChronoUnit.DAYS).plus(330, ChronoUnit.MINUTES);
    ObjectNode explained = MetricsQuery.body(METRIC, "SUM", "ALL", from, to, List.of());
    explained.put("explain", true);
    Await.until(
        "both stores are asked",
        PATIENCE,
        () -> query.post("cloud", explained).body().at("/meta/explain/parts"),
        parts -> parts.findValuesAsText("store").containsAll(List.of("iceberg", "druid")));
    for (String aggregation : List.of("COUNT", "SUM")) {
      ObjectNode body =
          MetricsQuery.body(METRIC, aggregation, "ALL", from, to, List.of("metric.host"));
      TreeMap<String, Double> expected = expected(aggregation, from, to);
      assertThat(expected).hasSize(3);
      Await.until(
          "the " + aggregation + " of both stores",
          PATIENCE,
          () -> byGroup(query.ask("cloud", body)),
          expected::equals);
    }
    // By minute, of the lake alone.
    Instant hour = from.truncatedTo(ChronoUnit.HOURS);
    Instant next = hour.plus(1, ChronoUnit.HOURS);
    TreeMap<Bucket, Double> minutes = new TreeMap<>();
    for (Point point : points) {
      if (point.time().isBefore(next)) {
        minutes.put(
            new Bucket(
                point.time().truncatedTo(ChronoUnit.MINUTES), point.attributes().get("host")),
            (double) point.value());
      }
    }
    assertThat(
            query.ask(
                "cloud",
                MetricsQuery.body(METRIC, "SUM", "PT1M", hour, next, List.of("metric.host"))))
        .isEqualTo(minutes);
    previewOverMinutesThatOnlyTheLakeHolds(hour, next);
    assertThat(labelValues("__name__", hour, next)).anyMatch(name -> name.startsWith("older"));
    assertThat(labelValues("host", hour, next)).containsExactly("h0", "h1", "h2");
  }

  /** What a rule would have done four weeks ago; Druid keeps no minutes of then. */
  private void previewOverMinutesThatOnlyTheLakeHolds(Instant hour, Instant next) throws Exception {
    ObjectNode explained = MetricsQuery.body(METRIC, "MAX", "PT1M", hour, next, List.of());
    explained.put("explain", true);
    assertThat(
            query
                .post("cloud", explained)
                .body()
                .at("/meta/explain/parts")
                .findValuesAsText("store"))
        .isNotEmpty()
        .containsOnly("iceberg");

    // Only points of that day are so great. A host has one every three minutes.
    String draft =
        """
        {"days":30,"condition":{"metric":"%s","aggregation":"max","operator":"gt",
          "threshold":%d,"window_minutes":3,"group_by":["metric.host"]}}
        """
            .formatted(METRIC, 29_000 - 1);
    JsonNode preview =
        new JsonHttp()
            .post(
                stack.coordinates().get("TIDEMARK_URL")
                    + "/api/v1/organizations/org-ledger/environments/env-ledger"
                    + "/alert-rules/preview",
                stack.authorization("org-ledger"),
                JsonHttp.JSON.readTree(draft))
            .body();
    assertThat(Instant.parse(preview.path("first_row_minute").asText()))
        .as("%s", preview)
        .isEqualTo(hour);
    TreeMap<String, Instant> began = new TreeMap<>();
    for (JsonNode incident : preview.path("incidents")) {
      began.put(
          incident.at("/group/metric.host").asText(),
          Instant.parse(incident.path("started_at").asText()));
      assertThat(incident.path("value").asDouble()).isBetween(29_000.0, 29_059.0);
      assertThat(Instant.parse(incident.path("ended_at").asText()))
          .as("without rows it ends after a day")
          .isBetween(next, next.plus(2, ChronoUnit.DAYS));
    }
    assertThat(began)
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "h0", hour,
                    "h1", hour.plus(1, ChronoUnit.MINUTES),
                    "h2", hour.plus(2, ChronoUnit.MINUTES))));
  }

  /** Names and labels are known as far back as there are rows. */
  private List<String> labelValues(String label, Instant from, Instant to) throws Exception {
    String question =
        "/prometheus/api/v1/label/%s/values?match[]=%s&start=%d&end=%d"
            .formatted(
                label,
                URLEncoder.encode("{\"" + METRIC + "\"}", UTF_8),
                from.getEpochSecond(),
                to.getEpochSecond());
    List<String> values = new ArrayList<>();
    new JsonHttp()
        .get(
            stack.coordinates().get("TIDEMARK_URL") + question.replace("[]", "%5B%5D"),
            stack.authorization("org-ledger"))
        .body()
        .path("data")
        .forEach(value -> values.add(value.asText()));
    return values;
  }

  private static TreeMap<String, Double> byGroup(TreeMap<Bucket, Double> rows) {
    TreeMap<String, Double> groups = new TreeMap<>();
    rows.forEach((bucket, value) -> groups.put(bucket.group(), value));
    return groups;
  }

  private TreeMap<String, Double> expected(String aggregation, Instant from, Instant to) {
    TreeMap<String, Double> expected = new TreeMap<>();
    for (Point point : points) {
      if (!point.time().isBefore(from) && point.time().isBefore(to)) {
        expected.merge(
            point.attributes().get("host"),
            aggregation.equals("COUNT") ? 1.0 : point.value(),
            Double::sum);
      }
    }
    return expected;
  }
}
