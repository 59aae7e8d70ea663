package io.tidemark.platform.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingDruidRows;
import io.tidemark.platform.testing.TestingPeople;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * People whose role is in one environment read the metrics of that environment, of whatever the
 * Metrics API has, and nothing of the others. The store runs the filters that reach it.
 */
@ExtendWith(RunningPlatform.Extension.class)
class EnvironmentReadersIT {

  private static final int ATTEMPTS = 300;
  private static final String INTERVALS = "\"intervals\":[\"2026-01-01T00:00:00Z/PT1H\"]";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RunningPlatform platform;
  private TestingBrowser founder;
  private TestingBrowser reader;
  private String organization;
  private String token;

  EnvironmentReadersIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @BeforeEach
  void somebodyReadsNorth() {
    String unique = "north-" + NUMBER.incrementAndGet();
    founder = TestingPeople.signedIn(platform, "founder-" + unique + "@example.org");
    reader = TestingPeople.signedIn(platform, unique + "@example.org");
    organization =
        founder
            .change("POST", "/api/v1/organizations", "{\"display_name\":\"Two places\"}")
            .body()
            .path("id")
            .asString();
    for (String environment : new String[] {"north", "south"}) {
      founder.change(
          "POST",
          path("/environments"),
          "{\"id\":\"%1$s\",\"display_name\":\"%1$s\"}".formatted(environment));
    }
    join(unique + "@example.org", "metrics_viewer");
    token = reader.formToken();
    platform
        .druid()
        .answerFrom(
            new TestingDruidRows(
                List.of(
                    row("north", "own-topic", "lkc-own", 1),
                    row("north", "own-topic-2", "lkc-own", 2),
                    row("south", "foreign-topic", "lkc-foreign", 777_000),
                    row("south", "own-topic", "lkc-own", 888_000))));
  }

  @AfterEach
  void noRows() {
    platform.druid().answerWith(200, "[]");
  }

  private String path(String rest) {
    return "/api/v1/organizations/" + organization + rest;
  }

  private void join(String mail, String role) {
    String link =
        founder
            .change(
                "POST",
                path("/invitations"),
                "{\"mail\":\"%s\",\"grants\":[{\"role\":\"%s\",\"environment_id\":\"north\"}]}"
                    .formatted(mail, role))
            .body()
            .path("link")
            .asString();
    assertThat(
            reader
                .change(
                    "POST",
                    "/api/v1/invitations/accept",
                    "{\"token\":\"%s\"}".formatted(link.substring(link.indexOf("token=") + 6)))
                .status())
        .isEqualTo(200);
  }

  private Map<String, String> row(String environment, String topic, String id, int sum) {
    Map<String, String> row = new TreeMap<>();
    row.put("organization_id", organization);
    row.put("environment_id", environment);
    row.put("metric", "orders");
    row.put("metric_type", "counter");
    row.put("unit", environment.equals("north") ? "1" : "foreign-unit");
    row.put("resource_type", "kafka");
    row.put("resource_id", id);
    row.put("resource.kafka.id", id);
    row.put("series_id", "00" + sum);
    row.put("metric.topic", topic);
    row.put("sum", Integer.toString(sum));
    if (environment.equals("south")) {
      row.put("metric.secret", "foreign-secret");
    }
    return row;
  }

  private Answer ask(TestingBrowser browser, String method, String path, String body) {
    return browser.call(
        method, "/v2/metrics/cloud/" + path, body, "X-CSRF-TOKEN", token, "Accept", "*/*");
  }

  private static String query(String groupBy, String filter) {
    return "{\"aggregations\":[{\"metric\":\"orders\",\"agg\":\"SUM\"}],\"granularity\":\"PT1H\","
        + INTERVALS
        + ",\"limit\":1000"
        + (groupBy.isEmpty() ? "" : ",\"group_by\":[\"" + groupBy + "\"]")
        + (filter.isEmpty() ? "" : ",\"filter\":" + filter)
        + "}";
  }

  private static String own(Answer answer) {
    String text = Http.text(answer.response());
    assertThat(answer.status()).as(text).isEqualTo(200);
    assertThat(text).doesNotContain("foreign", "secret", "777000", "888000", "1665", "south");
    return text;
  }

  @Test
  void everyPathOfTheMetricsApiAnswersWithTheirEnvironmentAlone() {
    assertThat(own(ask(reader, "POST", "query", query("", "")))).contains("\"value\":3.0");
    assertThat(own(ask(reader, "POST", "query", query("metric.topic", ""))))
        .contains("own-topic-2", "\"value\":1.0");
    assertThat(
            own(
                ask(
                    reader,
                    "POST",
                    "attributes",
                    "{\"metric\":\"orders\",\"group_by\":[\"metric.topic\"]," + INTERVALS + "}")))
        .contains("own-topic", "own-topic-2");
    assertThat(own(ask(reader, "GET", "descriptors/metrics", null))).contains("orders");
    // Which columns there are is remembered for a minute, whoever asked: none of this test,
    // perhaps.
    own(ask(reader, "GET", "descriptors/resources", null));
    assertThat(own(ask(reader, "GET", "discovery?resource_type=kafka", null))).contains("lkc-own");
    platform.progress().completeUntil(Instant.now());
    assertThat(own(ask(reader, "GET", "export?resource.kafka.id=lkc-own", null)))
        .contains("lkc-own");
    assertThat(ask(reader, "GET", "export?resource.kafka.id=lkc-foreign", null).status())
        .isEqualTo(403);
    // Whoever may read everything does.
    token = founder.formToken();
    assertThat(Http.text(ask(founder, "POST", "query", query("", "")).response()))
        .contains("1665003");
  }

  @Test
  void noGeneratedFilterSeesMore() {
    Random random = new Random(20261122);
    int answered = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      String filter = filter(random, 0);
      String groupBy = random.nextBoolean() ? "" : field(random);
      Answer answer = ask(reader, "POST", "query", query(groupBy, filter));
      assertThat(answer.status()).isLessThan(500);
      if (answer.status() == 200) {
        answered++;
        JsonNode data = answer.body().path("data");
        assertThat(data.toString())
            .as(groupBy + " " + filter)
            .doesNotContain("foreign", "777000", "888000", "888001", "1665");
      }
    }
    assertThat(answered).isGreaterThan(ATTEMPTS / 4);
    List<String> queries = platform.druid().queries();
    for (String query : queries.subList(queries.size() - answered, queries.size())) {
      // Which columns there are says nothing of rows.
      if (!query.contains("segmentMetadata")) {
        assertThat(query).contains("environment_id");
      }
    }
  }

  @Test
  void aRoleThatMayNotReadMetricsReadsNone() {
    TestingBrowser before = reader;
    String mail = "billing-" + NUMBER.incrementAndGet() + "@example.org";
    reader = TestingPeople.signedIn(platform, mail);
    join(mail, "billing_viewer");
    token = reader.formToken();
    assertThat(ask(reader, "POST", "query", query("", "")).status()).isEqualTo(403);
    assertThat(ask(reader, "GET", "descriptors/metrics", null).status()).isEqualTo(403);
    token = before.formToken();
    assertThat(
            before
                .call("POST", "/v2/metrics/self/query", query("", ""), "X-CSRF-TOKEN", token)
                .status())
        .isEqualTo(403);
  }

  private static String field(Random random) {
    List<String> fields =
        List.of("metric.topic", "metric.secret", "resource.kafka.id", "resource.environment_id");
    return fields.get(random.nextInt(fields.size()));
  }

  private static String filter(Random random, int depth) {
    List<String> parts = new ArrayList<>();
    int choice = random.nextInt(depth > 3 ? 3 : 6);
    if (choice < 3) {
      List<String> values = List.of("foreign-topic", "own-topic", "lkc-foreign", "south", "");
      return JSON.writeValueAsString(
          Map.of(
              "op",
              List.of("EQ", "GT", "GTE").get(choice),
              "field",
              field(random),
              "value",
              values.get(random.nextInt(values.size()))));
    }
    parts.add(filter(random, depth + 1));
    if (choice == 5) {
      return "{\"op\":\"NOT\",\"filter\":" + parts.get(0) + "}";
    }
    parts.add(filter(random, depth + 1));
    return "{\"op\":\"" + (choice == 3 ? "AND" : "OR") + "\",\"filters\":" + parts + "}";
  }
}
