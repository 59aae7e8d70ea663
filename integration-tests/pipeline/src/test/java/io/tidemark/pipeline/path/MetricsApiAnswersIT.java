package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.path.GeneratedPoints.Question;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the Metrics API answers on the real store equals what the sent points add up to. */
@ExtendWith(RunningStack.class)
@Order(4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsApiAnswersIT {
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final int POINTS = 1_500;

  private final RunningStack.Started stack = RunningStack.get();
  private final String api = stack.coordinates().get("TIDEMARK_URL");
  private final MetricsQuery ledger = new MetricsQuery(api, stack.authorization("org-ledger"));
  private final MetricsQuery punctual = new MetricsQuery(api, stack.authorization("org-punctual"));
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Random random = new Random(48);
  private final Instant begin =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(4, ChronoUnit.DAYS);
  private final GeneratedPoints points = new GeneratedPoints(random, begin, POINTS);
  private Instant acknowledged = Instant.MAX;

  @BeforeAll
  void sendAndWaitForAllLevels() throws Exception {
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"));
    for (byte[] request : points.requests(250)) {
      assertThat(sender.send(request).statusCode()).isEqualTo(200);
    }
    OtlpSender other =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-other"));
    for (byte[] request : new GeneratedPoints(new Random(49), begin, 300).requests(300)) {
      assertThat(other.send(request).statusCode()).isEqualTo(200);
    }
    acknowledged = Instant.now();
    // Days are answered from days, hours from hours, half hours from minutes.
    for (String metric :
        List.of(GeneratedPoints.COUNTER, GeneratedPoints.GAUGE, GeneratedPoints.HISTOGRAM)) {
      for (int level = 0; level < 3; level++) {
        Duration length =
            List.of(Duration.ofDays(3), Duration.ofDays(3), Duration.ofDays(3)).get(level);
        String granularity = List.of("P1D", "PT1H", "PT30M").get(level);
        Question count =
            question(
                metric, "COUNT", begin, begin.plus(length), granularity, List.of(), "", "", false);
        Await.until(
            metric + " by " + granularity,
            PATIENCE,
            () -> ask(count, granularity, 100),
            points.answer(count)::equals);
      }
    }
  }

  @Test
  void generatedQueriesAreAnsweredAsTheRawPointsSay() throws Exception {
    int values = 0;
    int pages = 0;
    for (int i = 0; i < 400; i++) {
      String granularity =
          List.of("PT1M", "PT15M", "PT30M", "PT1H", "PT4H", "PT12H", "P1D", "ALL")
              .get(random.nextInt(8));
      long max =
          switch (granularity) {
            case "PT1M" -> 6 * 3600;
            case "PT15M" -> 86_400;
            default -> 3 * 86_400;
          };
      Instant start = begin.plusSeconds(random.nextInt(3 * 86_400));
      Instant end = start.plusSeconds(60 + random.nextLong(max - 60));
      List<String> groupBy = new ArrayList<>();
      for (String label : GeneratedPoints.LABELS) {
        if (random.nextInt(3) == 0) {
          groupBy.add(label);
        }
      }
      int kind = random.nextInt(3);
      String metric =
          List.of(GeneratedPoints.COUNTER, GeneratedPoints.GAUGE, GeneratedPoints.HISTOGRAM)
              .get(kind);
      List<String> functions =
          kind == 2
              ? List.of("SUM", "COUNT", "P50", "P99")
              : List.of("SUM", "COUNT", "AVG", "MIN", "MAX");
      boolean filtered = random.nextBoolean();
      Question question =
          question(
              metric,
              functions.get(random.nextInt(functions.size())),
              start,
              end,
              granularity,
              groupBy,
              filtered ? GeneratedPoints.LABELS.get(random.nextInt(3)) : "",
              List.of("t1", "c2", "lkc-0").get(random.nextInt(3)),
              random.nextBoolean());
      int limit = granularity.equals("ALL") ? 1000 : 1 + random.nextInt(6);
      Map<String, Map<Instant, Double>> expected = points.answer(question);
      Map<String, Map<Instant, Double>> found = ask(question, granularity, limit);
      assertThat(found.keySet()).as(question.toString()).isEqualTo(expected.keySet());
      for (String group : expected.keySet()) {
        assertThat(found.get(group).keySet())
            .as(question + " " + group)
            .isEqualTo(expected.get(group).keySet());
        for (Map.Entry<Instant, Double> each : expected.get(group).entrySet()) {
          values++;
          assertThat(found.get(group).get(each.getKey()))
              .as(question + " " + group + " " + each.getKey())
              .isCloseTo(each.getValue(), within(Math.abs(each.getValue()) * 1e-9));
        }
      }
      pages += expected.size() > limit ? 1 : 0;
    }
    assertThat(values).isGreaterThan(3_000);
    assertThat(pages).isGreaterThan(20);
  }

  /** No watermark speaks of points of four days ago. */
  @Test
  void whatWasAcknowledgedIsSaidToBeRead() throws Exception {
    ObjectNode body =
        MetricsQuery.body(
            GeneratedPoints.GAUGE,
            "COUNT",
            "PT1H",
            begin,
            begin.plus(1, ChronoUnit.DAYS),
            List.of());
    Await.until(
        "points to be read",
        PATIENCE,
        () -> ledger.post("cloud", body).body().at("/meta/completeness"),
        told ->
            told.path("read_until").isTextual()
                && Instant.parse(told.path("read_until").asText()).isAfter(acknowledged)
                && !told.path("is_behind").asBoolean());
  }

  @Test
  void observationsAreSpreadAsTheRawPointsSay() throws Exception {
    Question count =
        question(
            GeneratedPoints.HISTOGRAM,
            "COUNT",
            begin,
            begin.plus(1, ChronoUnit.DAYS),
            "PT1H",
            List.of(),
            "",
            "",
            false);
    ObjectNode body =
        MetricsQuery.body(
            GeneratedPoints.HISTOGRAM,
            "P50",
            "PT1H",
            begin,
            begin.plus(1, ChronoUnit.DAYS),
            List.of());
    body.put("distributions", true);
    JsonHttp.Answer answer = ledger.post("cloud", body);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    Map<Instant, Double> counts = new TreeMap<>();
    for (JsonNode row : answer.body().path("data")) {
      double upper = Double.NEGATIVE_INFINITY;
      double observed = 0;
      for (JsonNode range : row.path("distribution")) {
        assertThat(range.get(0).asDouble()).isGreaterThanOrEqualTo(upper);
        upper = range.get(1).asDouble();
        observed += range.get(2).asLong();
      }
      counts.put(Instant.parse(row.path("timestamp").asText()), observed);
    }
    assertThat(counts).isEqualTo(points.answer(count).get(""));
  }

  @Test
  void anotherTenantsPagesLabelsAndResourcesStayItsOwn() throws Exception {
    Question all =
        question(
            GeneratedPoints.COUNTER,
            "SUM",
            begin,
            begin.plus(3, ChronoUnit.DAYS),
            "P1D",
            List.of("metric.topic", "metric.client"),
            "",
            "",
            false);
    ObjectNode body = body(all, "P1D", 1);
    String token =
        ledger.post("cloud", body).body().at("/meta/pagination/next_page_token").asText();
    assertThat(token).isNotEmpty();
    HttpResponse<String> stolen =
        post("/v2/metrics/cloud/query?page_token=" + encoded(token), body.toString(), "org-other");
    assertThat(stolen.statusCode()).isEqualTo(400);
    assertThat(stolen.body()).contains("page_token");
    for (String field : List.of("organization_id", "environment_id", "__time", "series_id")) {
      ObjectNode attempt = body.deepCopy();
      attempt.putArray("group_by").add(field);
      assertThat(post("/v2/metrics/cloud/query", attempt.toString(), "org-other").statusCode())
          .as(field)
          .isEqualTo(400);
    }
    for (String dataset : List.of("org-ledger", "self", "cloud%2F..%2Forg-ledger", "CLOUD")) {
      assertThat(
              post("/v2/metrics/" + dataset + "/query", body.toString(), "org-other").statusCode())
          .as(dataset)
          .isIn(400, 403, 404);
    }
  }

  @Test
  void attributesDescriptorsExportAndDiscoveryTellWhatIsThere() throws Exception {
    HttpResponse<String> attributes =
        post(
            "/v2/metrics/cloud/attributes",
            "{\"metric\":\""
                + GeneratedPoints.COUNTER
                + "\",\"group_by\":[\"metric.topic\"],\"intervals\":[\""
                + begin
                + "/P3D\"]}",
            "org-ledger");
    assertThat(attributes.statusCode()).as(attributes.body()).isEqualTo(200);
    assertThat(JsonHttp.JSON.readTree(attributes.body()).path("data"))
        .isEqualTo(
            JsonHttp.JSON.readTree(
                "[{\"metric.topic\":\"t0\"},{\"metric.topic\":\"t1\"},{\"metric.topic\":\"t2\"}]"));

    JsonNode gauge = descriptor(GeneratedPoints.GAUGE);
    assertThat(gauge.path("type").asText()).isEqualTo("GAUGE_DOUBLE");
    assertThat(gauge.path("resources").get(0).asText()).isEqualTo("kafka");
    assertThat(gauge.path("labels").findValuesAsText("key")).containsExactly("client", "topic");
    assertThat(get("/v2/metrics/cloud/descriptors/resources", "org-ledger").body())
        .contains("\"kafka.id\"");

    int refused =
        Await.until(
            "a minute to be complete",
            PATIENCE,
            () ->
                get("/v2/metrics/cloud/export?resource.kafka.id=lkc-nobody", "org-ledger")
                    .statusCode(),
            status -> status != 503);
    assertThat(refused).isEqualTo(403);
  }

  private JsonNode descriptor(String name) throws Exception {
    HttpResponse<String> answer =
        get("/v2/metrics/cloud/descriptors/metrics?page_size=1000", "org-ledger");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    for (JsonNode metric : JsonHttp.JSON.readTree(answer.body()).path("data")) {
      if (metric.path("name").asText().equals(name)) {
        return metric;
      }
    }
    throw new AssertionError("No descriptor of " + name + " in " + answer.body());
  }

  @Test
  void aMinuteIsShownWhileItIsOpenBecomesFinalAndIsExported() throws Exception {
    String metric = "generated.now";
    // Rows of a minute are written 15 s after its end at the earliest.
    Instant time = Instant.now().plusSeconds(15);
    Instant minute = time.truncatedTo(ChronoUnit.MINUTES);
    for (String organization : List.of("org-punctual", "org-other")) {
      OtlpSender sender =
          new OtlpSender(
              stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(organization));
      long value = organization.equals("org-punctual") ? 5 : 70;
      assertThat(
              sender
                  .send(
                      OtlpSender.batch(
                              "exported",
                              List.of(new OtlpSender.Point(metric, Map.of("a", "b"), time, value)))
                          .toByteArray())
                  .statusCode())
          .isEqualTo(200);
    }
    ObjectNode body =
        MetricsQuery.body(metric, "SUM", "PT1M", minute, minute.plusSeconds(60), List.of());
    body.put("bucket_states", true).put("explain", true);
    JsonNode open =
        Await.until(
            "an open minute",
            PATIENCE,
            () -> punctual.post("cloud", body).body(),
            answer -> answer.path("data").size() == 1);
    assertThat(Instant.now()).isBefore(minute.plusSeconds(75));
    assertThat(open.at("/data/0/state").asText()).isEqualTo("provisional");
    assertThat(open.at("/meta/completeness/open_minutes").asText()).isEqualTo("shown");
    JsonNode complete =
        Await.until(
            "a complete minute",
            PATIENCE,
            () -> {
              JsonNode answer = punctual.post("cloud", body).body();
              // Shown, written and both at once: the point counts once all the time.
              assertThat(answer.at("/data/0/value").asDouble())
                  .as(answer.toString())
                  .isEqualTo(5.0);
              return answer;
            },
            answer ->
                List.of("final", "revised")
                    .contains(answer.at("/meta/completeness/state").asText()));
    assertThat(complete.at("/meta/completeness/open_minutes").isMissingNode()).isTrue();
    assertThat(complete.at("/data/0/value").asDouble()).as(complete.toString()).isEqualTo(5.0);
    assertThat(complete.at("/data/0/state").asText()).isIn("final", "revised");
    assertThat(complete.at("/meta/explain/parts/0/datasource").asText()).isEqualTo("rollup_1m");

    HttpResponse<String> targets = get("/v2/metrics/cloud/discovery", "org-punctual");
    assertThat(targets.body()).contains("__param_resource_service_id", "exported");
    Await.until(
        "an export",
        PATIENCE,
        () -> get("/v2/metrics/cloud/export?resource_service_id=exported", "org-punctual").body(),
        text -> text.contains("confluent_scrape_resource_access_error"));
  }

  private static Question question(
      String metric,
      String function,
      Instant start,
      Instant end,
      String granularity,
      List<String> groupBy,
      String filterLabel,
      String filterValue,
      boolean isNegated) {
    long width =
        granularity.equals("ALL")
            ? 0
            : granularity.equals("P1D") ? 86_400_000 : Duration.parse(granularity).toMillis();
    return new Question(
        metric, function, start, end, width, groupBy, filterLabel, filterValue, isNegated);
  }

  private static ObjectNode body(Question question, String granularity, int limit) {
    ObjectNode body =
        MetricsQuery.body(
            question.metric(),
            question.function(),
            granularity,
            question.start(),
            question.end(),
            question.groupBy());
    body.put("limit", limit);
    if (!question.filterLabel().isEmpty()) {
      ObjectNode equal = JsonHttp.JSON.createObjectNode();
      equal
          .put("op", "EQ")
          .put("field", question.filterLabel())
          .put("value", question.filterValue());
      body.set(
          "filter",
          question.isNegated()
              ? JsonHttp.JSON.createObjectNode().put("op", "NOT").set("filter", equal)
              : equal);
    }
    return body;
  }

  /** All pages of an answer. */
  private Map<String, Map<Instant, Double>> ask(Question question, String granularity, int limit)
      throws Exception {
    Map<String, Map<Instant, Double>> found = new TreeMap<>();
    String body = body(question, granularity, limit).toString();
    String token = "";
    do {
      HttpResponse<String> response = post("/v2/metrics/cloud/query" + token, body, "org-ledger");
      assertThat(response.statusCode()).as(body + " " + response.body()).isEqualTo(200);
      JsonNode answer = JsonHttp.JSON.readTree(response.body());
      for (JsonNode row : answer.path("data")) {
        String group =
            String.join(
                "/", question.groupBy().stream().map(key -> row.path(key).asText("")).toList());
        assertThat(
                found
                    .computeIfAbsent(group.replace("null", ""), ignored -> new TreeMap<>())
                    .put(
                        Instant.parse(row.path("timestamp").asText()),
                        row.path("value").asDouble()))
            .as("twice: " + row)
            .isNull();
      }
      String next = answer.at("/meta/pagination/next_page_token").asText("");
      token = next.isEmpty() ? "" : "?page_token=" + encoded(next);
    } while (!token.isEmpty());
    return found;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse<String> post(String path, String body, String organization)
      throws Exception {
    return http.send(
        request(path, organization)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path, String organization) throws Exception {
    return http.send(
        request(path, organization).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String organization) {
    return HttpRequest.newBuilder(URI.create(api + path))
        .timeout(Duration.ofSeconds(40))
        .header("Authorization", stack.authorization(organization));
  }
}
