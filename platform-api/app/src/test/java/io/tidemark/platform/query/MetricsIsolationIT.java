package io.tidemark.platform.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingDruidRows;
import io.tidemark.platform.testing.TestingKeys;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Generated attempts to see another organisation's metrics over HTTP: by filters, group_by, page
 * tokens, datasets, paths and headers. The store runs the filters that reach it on rows of two
 * organisations, so a filter that lets a foreign row through is an answer with it.
 */
@ExtendWith(RunningPlatform.Extension.class)
class MetricsIsolationIT {

  /** {@code make test-isolation} sends more. */
  private static final int ATTEMPTS = Integer.getInteger("isolation.attempts", 1_200);

  private static final int AT_A_TIME = 4;
  private static final String OWN = "org-extra";
  private static final String OTHER = "org-demo";

  /** In everything that is the other organisation's, and in nothing else. */
  private static final String MARK = "foreign";

  /** Of the form of labels, so that they reach the store. */
  private static final List<String> LABELS =
      List.of(
          "metric.topic",
          "metric.topic",
          "metric.secret",
          "resource.kafka.id",
          "resource.organization_id",
          "metric.organization_id",
          "metric.topic\"},{\"type\":\"true\"}",
          "metric.x' OR '1'='1",
          "metric.${organization_id}");

  private static final List<String> OTHER_COLUMNS =
      List.of(
          "organization_id",
          "environment_id",
          "environment.id",
          "__time",
          "series_id",
          "metric",
          "*",
          "");
  private static final List<String> VALUES =
      List.of(
          OTHER,
          OWN,
          "foreign-topic",
          "own-topic",
          "lkc-foreign",
          "\"}],\"type\":\"or\"",
          "' OR 1=1 --",
          "\u0000",
          "");
  private static final List<String> OTHER_DATASETS =
      List.of(
          "self",
          OTHER,
          "CLOUD",
          "cloud%2F..%2Fself",
          "..",
          "%2e%2e",
          "cloud;organization=" + OTHER,
          "rollup_1m");

  private final RunningPlatform platform;
  private final JsonMapper json = JsonMapper.builder().build();

  MetricsIsolationIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private static Map<String, String> row(String organization, String topic, String id, int sum) {
    Map<String, String> row = new TreeMap<>();
    row.put("organization_id", organization);
    row.put("environment_id", organization.equals(OWN) ? "env-extra" : "env-foreign");
    row.put("metric", "orders");
    row.put("metric_type", "counter");
    row.put("unit", organization.equals(OWN) ? "1" : "foreign-unit");
    row.put("resource_type", "kafka");
    row.put("resource_id", id);
    row.put("resource.kafka.id", id);
    row.put("series_id", "00" + sum);
    row.put("metric.topic", topic);
    row.put("sum", Integer.toString(sum));
    if (organization.equals(OTHER)) {
      row.put("metric.secret", "foreign-secret");
    }
    return row;
  }

  private static List<Map<String, String>> rows() {
    return List.of(
        row(OWN, "own-topic", "lkc-own", 1),
        row(OWN, "own-topic-2", "lkc-own", 2),
        row(OTHER, "foreign-topic", "lkc-foreign", 777_000),
        row(OTHER, "own-topic", "lkc-own", 888_000));
  }

  private static boolean isForeign(String body) {
    // Error texts name what was sent.
    return body.contains(MARK)
        || body.contains("777000")
        || body.contains("888000")
        || body.contains("777001")
        || body.contains("888001")
        || body.contains("888003");
  }

  @Test
  void noForeignRowIsEverAnswered() throws Exception {
    TestingDruidRows rows = new TestingDruidRows(rows());
    platform.druid().answerFrom(rows);
    platform.progress().completeUntil(Instant.now());
    int before = platform.druid().queries().size();
    // The store would tell: without the organisation's filter it answers with everybody's.
    assertThat(
            rows.answer(
                "{\"queryType\":\"timeseries\",\"aggregations\":[{\"type\":\"doubleSum\","
                    + "\"name\":\"f_sum\"}]}"))
        .contains("1665003");
    HttpResponse<byte[]> own = send("cloud", "query", query(List.of("metric.topic"), null), "", 0);
    assertThat(Http.text(own)).contains("own-topic-2").contains("\"value\":1.0");
    assertThat(isForeign(Http.text(own))).isFalse();
    String token = foreignToken();

    Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
    ExecutorService senders = Executors.newFixedThreadPool(AT_A_TIME);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int sender = 0; sender < AT_A_TIME; sender++) {
        Random random = new Random(20261121 + sender);
        all.add(
            senders.submit(
                () -> {
                  for (int i = 0; i < ATTEMPTS / AT_A_TIME; i++) {
                    attempt(random, token, statuses);
                  }
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      senders.shutdownNow();
      platform.druid().answerWith(200, "[]");
    }
    assertThat(statuses.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(ATTEMPTS);
    // Many attempts must reach the store to say something about its filters.
    assertThat(statuses.get(200)).isGreaterThan(ATTEMPTS / 4);
    assertThat(statuses.keySet()).allMatch(status -> status < 500);
    List<String> queries = platform.druid().queries();
    for (String query : queries.subList(before, queries.size())) {
      assertFenced(json.readTree(query));
    }
  }

  /** Every query names its organisation first, on the innermost level. */
  private void assertFenced(JsonNode query) {
    JsonNode source = query.path("dataSource");
    JsonNode inner = source.isObject() ? source.path("query") : query;
    if (!inner.path("queryType").asString().equals("segmentMetadata")) {
      JsonNode first = inner.path("filter").path("fields").path(0);
      assertThat(inner.path("filter").path("type").asString()).isEqualTo("and");
      assertThat(first.path("dimension").asString()).isEqualTo("organization_id");
    }
  }

  private String foreignToken() {
    HttpResponse<byte[]> first =
        Http.post(
            platform.api("/v2/metrics/cloud/query"),
            query(List.of("metric.topic"), null).replace("\"limit\":1000", "\"limit\":1"),
            "Content-Type",
            "application/json",
            "Authorization",
            TestingKeys.basic(RunningPlatform.DEMO_KEY));
    String token = json.readTree(first.body()).at("/meta/pagination/next_page_token").asString("");
    assertThat(token).as(Http.text(first)).isNotEmpty();
    return token;
  }

  private void attempt(Random random, String token, Map<Integer, Integer> statuses) {
    List<String> groupBy = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      groupBy.add(field(random));
    }
    String filter = random.nextInt(4) == 0 ? null : filter(random, 0);
    String used =
        switch (random.nextInt(12)) {
          case 0 -> token;
          case 1 -> token.substring(random.nextInt(token.length()));
          default -> "";
        };
    String dataset = random.nextInt(8) == 0 ? pick(random, OTHER_DATASETS) : "cloud";
    String kind = pick(random, List.of("query", "query", "attributes", "export", "descriptors"));
    HttpResponse<byte[]> response =
        switch (kind) {
          case "query" -> send(dataset, "query", query(groupBy, filter), used, random.nextInt(3));
          case "attributes" ->
              send(
                  dataset,
                  "attributes",
                  "{"
                      + (random.nextBoolean() ? "\"metric\":\"orders\"," : "")
                      + "\"group_by\":"
                      + json.writeValueAsString(groupBy)
                      + (filter == null ? "" : ",\"filter\":" + filter)
                      + ",\"intervals\":[\"2026-01-01T00:00:00Z/PT1H\"]}",
                  used,
                  random.nextInt(3));
          case "export" ->
              get(
                  "/v2/metrics/"
                      + dataset
                      + "/export?resource.kafka.id="
                      + pick(random, List.of("lkc-foreign", "lkc-own"))
                      + random.nextInt(2000));
          default ->
              get(
                  "/v2/metrics/"
                      + dataset
                      + pick(
                          random,
                          List.of(
                              "/descriptors/metrics?page_token=" + encoded(used),
                              "/descriptors/resources?page_size=1",
                              "/discovery?env=env-foreign",
                              "/discovery?resource_type=kafka")));
        };
    String body = Http.text(response);
    statuses.merge(response.statusCode(), 1, Integer::sum);
    if (response.statusCode() == 200) {
      String answer =
          kind.equals("export") ? body.replaceAll("lkc-(foreign|own)[0-9]*", "sent") : body;
      assertThat(isForeign(answer)).as(kind + " " + groupBy + " " + filter + ": " + body).isFalse();
    } else {
      assertThat(response.statusCode()).as(kind + ": " + body).isBetween(400, 499);
    }
  }

  private static String field(Random random) {
    return pick(random, random.nextInt(12) == 0 ? OTHER_COLUMNS : LABELS);
  }

  private static String pick(Random random, List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private String filter(Random random, int depth) {
    int choice = random.nextInt(depth > 3 ? 3 : 6);
    if (choice < 3) {
      return json.writeValueAsString(
          Map.of(
              "op",
              List.of("EQ", "GT", "GTE").get(choice),
              "field",
              field(random),
              "value",
              pick(random, VALUES)));
    }
    if (choice == 5) {
      return "{\"op\":\"NOT\",\"filter\":" + filter(random, depth + 1) + "}";
    }
    return "{\"op\":\""
        + (choice == 3 ? "AND" : "OR")
        + "\",\"filters\":["
        + filter(random, depth + 1)
        + ","
        + filter(random, depth + 1)
        + "]}";
  }

  private String query(List<String> groupBy, String filter) {
    return "{\"aggregations\":[{\"metric\":\"orders\",\"agg\":\"SUM\"}],\"granularity\":\"PT1H\","
        + "\"intervals\":[\"2026-01-01T00:00:00Z/PT1H\"],\"limit\":1000"
        + (groupBy.isEmpty() ? "" : ",\"group_by\":" + json.writeValueAsString(groupBy))
        + (filter == null ? "" : ",\"filter\":" + filter)
        + "}";
  }

  private HttpResponse<byte[]> send(
      String dataset, String endpoint, String body, String token, int header) {
    String path = "/v2/metrics/" + dataset + "/" + endpoint;
    return Http.post(
        uri(token.isEmpty() ? path : path + "?page_token=" + encoded(token)),
        body,
        "Content-Type",
        "application/json",
        "Authorization",
        TestingKeys.basic(RunningPlatform.EXTRA_KEY),
        List.of("Tidemark-Organization", "X-Scope-OrgID", "X-Forwarded-User").get(header),
        OTHER);
  }

  private HttpResponse<byte[]> get(String path) {
    return Http.get(
        uri(path),
        "Authorization",
        TestingKeys.basic(RunningPlatform.EXTRA_KEY),
        "Tidemark-Organization",
        OTHER);
  }

  private URI uri(String path) {
    return platform.api(path);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
