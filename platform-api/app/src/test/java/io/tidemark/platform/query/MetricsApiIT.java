package io.tidemark.platform.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Metrics API as a caller sees it. */
@ExtendWith(RunningPlatform.Extension.class)
class MetricsApiIT {

  private static final String QUERY =
      """
      {"aggregations":[{"metric":"orders","agg":"SUM","unknown":1}],"granularity":"PT1M",
       "group_by":["metric.topic"],"intervals":["2026-01-01T00:00:00Z/PT1H"],"limit":10}
      """;

  private final RunningPlatform platform;
  private final JsonMapper json = JsonMapper.builder().build();

  MetricsApiIT(RunningPlatform platform) {
    this.platform = platform;
    platform.druid().answerWith(200, "[]");
  }

  private HttpResponse<byte[]> query(String dataset, String key, String body) {
    return query(dataset, key, body, null);
  }

  private HttpResponse<byte[]> query(String dataset, String key, String body, String pageToken) {
    return Http.post(
        platform.api(
            "/v2/metrics/"
                + dataset
                + "/query"
                + (pageToken == null ? "" : "?page_token=" + pageToken)),
        body,
        "Content-Type",
        "application/json",
        "Authorization",
        TestingKeys.basic(key));
  }

  private String lastTenantAsked() {
    JsonNode sent =
        json.readTree(platform.druid().queries().get(platform.druid().queries().size() - 1));
    JsonNode first = sent.path("filter").path("fields").get(0);
    assertThat(first.path("dimension").asString()).isEqualTo("organization_id");
    return first.path("value").asString();
  }

  private void assertError(HttpResponse<byte[]> response, int status, String code) {
    assertThat(response.statusCode()).isEqualTo(status);
    JsonNode error = json.readTree(response.body()).path("errors").get(0);
    assertThat(error.path("status").asString()).isEqualTo(Integer.toString(status));
    assertThat(error.path("code").asString()).isEqualTo(code);
    assertThat(error.path("id").asString()).isNotBlank();
    assertThat(error.path("detail").asString()).isNotBlank();
  }

  @Test
  void rowsComeFlat() {
    platform
        .druid()
        .answerWith(
            200,
            """
            [{"timestamp":"2026-01-01T00:00:00.000Z",
              "event":{"group0":null,"f_sum":1.0,"rows":1}},
             {"timestamp":"2026-01-01T00:01:00.000Z",
              "event":{"group0":"a","f_sum":2.5,"rows":1}}]
            """);
    platform.progress().completeUntil(Instant.parse("2026-01-01T00:30:00Z"));
    HttpResponse<byte[]> response = query("cloud", RunningPlatform.EXTRA_KEY, QUERY);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json.readTree(response.body()))
        .isEqualTo(
            json.readTree(
                """
                {"data":[
                  {"timestamp":"2026-01-01T00:00:00Z","metric.topic":null,"value":1.0},
                  {"timestamp":"2026-01-01T00:01:00Z","metric.topic":"a","value":2.5}],
                 "meta":{"pagination":{"page_size":10},
                   "completeness":{"watermark":"2026-01-01T00:30:00Z",
                     "complete_until":"2026-01-01T00:30:00Z","state":"provisional",
                     "late_revisions":0,"open_minutes":"absent","is_behind":false}}}
                """));
  }

  @Test
  void aRequestIsMeasuredOnce() {
    query("cloud", RunningPlatform.EXTRA_KEY, QUERY);
    assertThat(platform.bean(MeterRegistry.class).getMeters())
        .extracting(meter -> meter.getId().getName())
        .contains("http.server.requests")
        .noneMatch(name -> name.startsWith("spring.security"));
  }

  @Test
  void groupsComeWithTheirPointsAndPages() {
    platform
        .druid()
        .answerWith(
            200,
            """
            [{"timestamp":"2026-01-01T00:00:00.000Z",
              "event":{"group0":"a","f_sum":1.0,"rows":1}},
             {"timestamp":"2026-01-01T00:00:00.000Z",
              "event":{"group0":"b","f_sum":2.5,"rows":1}}]
            """);
    String body = QUERY.replace("\"limit\":10", "\"limit\":1,\"format\":\"GROUPED\"");
    JsonNode first = json.readTree(query("cloud", RunningPlatform.EXTRA_KEY, body).body());
    assertThat(first.path("data"))
        .isEqualTo(
            json.readTree(
                """
                [{"metric.topic":"a","points":[{"timestamp":"2026-01-01T00:00:00Z","value":1.0}]}]
                """));
    String token = first.path("meta").path("pagination").path("next_page_token").asString();
    assertThat(query("cloud", RunningPlatform.EXTRA_KEY, body, token).statusCode()).isEqualTo(200);
    assertThat(platform.druid().queries().get(platform.druid().queries().size() - 1))
        .contains("\"lower\":\"a\"");
    assertError(query("cloud", RunningPlatform.DEMO_KEY, body, token), 400, "invalid_query");
    assertError(query("self", RunningPlatform.DEMO_KEY, body, token), 400, "invalid_query");
    assertError(query("cloud", RunningPlatform.EXTRA_KEY, QUERY, token), 400, "invalid_query");
  }

  @Test
  void theLimitOfWhichLessIsLeftIsToldOnce() {
    HttpResponse<byte[]> response = query("cloud", RunningPlatform.EXTRA_KEY, QUERY);
    for (String header : List.of("rateLimit-limit", "rateLimit-remaining", "rateLimit-reset")) {
      assertThat(response.headers().allValues(header)).as(header).hasSize(1);
    }
  }

  @Test
  void attributesAreListed() {
    platform
        .druid()
        .answerWith(
            200,
            """
            [{"timestamp":"2026-01-01T00:00:00.000Z","event":{"group0":"b","rows":1}},
             {"timestamp":"2026-01-01T00:00:00.000Z","event":{"group0":"c","rows":1}}]
            """);
    HttpResponse<byte[]> response =
        Http.post(
            platform.api("/v2/metrics/cloud/attributes"),
            "{\"group_by\":[\"metric.topic\"],\"limit\":5}",
            "Content-Type",
            "application/json",
            "Authorization",
            TestingKeys.bearer(RunningPlatform.EXTRA_KEY));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json.readTree(response.body()).path("data"))
        .isEqualTo(json.readTree("[{\"metric.topic\":\"b\"},{\"metric.topic\":\"c\"}]"));
    assertThat(lastTenantAsked()).isEqualTo("org-extra");
  }

  @Test
  void anExportNeedsAResourceAndTheFormThatIsPreferred() {
    String key = TestingKeys.basic(RunningPlatform.EXTRA_KEY);
    assertError(
        Http.get(platform.api("/v2/metrics/cloud/export"), "Authorization", key),
        400,
        "invalid_query");
    platform.progress().completeUntil(Instant.now());
    platform
        .druid()
        .answerWith(
            200,
            """
            [{"events":[{"metric":"a.b","metric_type":"counter","resource_id":"lkc-1",
                         "sum":3.0,"count":1}]}]
            """);
    HttpResponse<byte[]> response =
        Http.get(
            platform.api("/v2/metrics/cloud/export?resource_kafka_id=lkc-1"),
            "Authorization",
            key,
            "Accept",
            "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
    assertThat(Http.text(response)).contains("a_b 3.0 ").endsWith("# EOF\n");
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/openmetrics-text");
    assertThat(lastTenantAsked()).isEqualTo("org-extra");
    assertThat(
            Http.get(
                    platform.api("/v2/metrics/cloud/export?resource.kafka.id=lkc-1,lkc-2"),
                    "Authorization",
                    key)
                .headers()
                .firstValue("Content-Type")
                .orElseThrow())
        .startsWith("text/plain;version=0.0.4");
    for (String version : List.of("", ";version=1.0.0", "; version=0.0.1")) {
      HttpResponse<byte[]> alone = export(key, "application/openmetrics-text" + version);
      assertThat(Http.text(alone)).as(version).contains("a_b 3.0 ").endsWith("# EOF\n");
      assertThat(alone.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("application/openmetrics-text;version=1.0.0");
    }
    for (String other : List.of("application/openmetrics-text;version=2.0.0", "image/png")) {
      HttpResponse<byte[]> none = export(key, other);
      assertError(none, 406, "not_acceptable");
      assertThat(Http.text(none))
          .contains("text/plain;version=0.0.4", "application/openmetrics-text;version=1.0.0");
    }
    platform.progress().nothingIsKnown();
    HttpResponse<byte[]> refused =
        Http.get(
            platform.api("/v2/metrics/cloud/export?resource_kafka_id=lkc-1"), "Authorization", key);
    assertError(refused, 503, "store_unavailable");
    assertThat(refused.headers().firstValue("Retry-After")).contains("5");
  }

  @Test
  void descriptorsAndTargetsAreAnswered() {
    String key = TestingKeys.basic(RunningPlatform.EXTRA_KEY);
    for (String path :
        List.of("descriptors/metrics", "descriptors/resources?page_size=5", "discovery")) {
      HttpResponse<byte[]> response =
          Http.get(platform.api("/v2/metrics/cloud/" + path), "Authorization", key);
      assertThat(response.statusCode()).as(Http.text(response)).isEqualTo(200);
    }
    assertError(
        Http.get(
            platform.api("/v2/metrics/cloud/descriptors/metrics?page_size=0"),
            "Authorization",
            key),
        400,
        "invalid_query");
    assertError(
        Http.get(platform.api("/v2/metrics/cloud/discovery?env=a&env=b"), "Authorization", key),
        400,
        "invalid_query");
  }

  @Test
  void theTenantIsThatOfTheKeyOrThePlatform() {
    query("cloud", RunningPlatform.EXTRA_KEY, QUERY);
    assertThat(lastTenantAsked()).isEqualTo("org-extra");
    query("cloud", RunningPlatform.DEMO_KEY, QUERY);
    assertThat(lastTenantAsked()).isEqualTo("org-demo");
    query("self", RunningPlatform.DEMO_KEY, QUERY);
    assertThat(lastTenantAsked()).isEqualTo("org-self");
  }

  @Test
  void thePlatformsOwnMetricsNeedTheirScope() {
    int before = platform.druid().queries().size();
    assertError(query("self", RunningPlatform.EXTRA_KEY, QUERY), 403, "forbidden");
    assertThat(platform.druid().queries()).hasSize(before);
  }

  @Test
  void credentialsComeBeforeTheBody() {
    HttpResponse<byte[]> response =
        Http.post(platform.api("/v2/metrics/cloud/query"), "{", "Content-Type", "application/json");
    assertError(response, 401, "unauthenticated");
    assertThat(response.headers().firstValue("WWW-Authenticate")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "3",
        "{\"aggregations\":3}",
        "{\"granularity\":\"PT2M\"}",
        "{\"aggregations\":[{\"metric\":\"m\",\"agg\":\"MEDIAN\"}]}",
        "{\"limit\":\"many\"}"
      })
  void bodiesOfTheWrongFormAreMalformed(String body) {
    assertError(query("cloud", RunningPlatform.DEMO_KEY, body), 400, "malformed_request");
  }

  @Test
  void anUnknownValueIsToldWithTheKnownOnes() {
    assertThat(Http.text(query("cloud", RunningPlatform.DEMO_KEY, "{\"granularity\":\"PT2M\"}")))
        .contains("granularity must be one of", "PT12H");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"aggregations\":null,\"filter\":{\"op\":null},\"group_by\":[null],\"intervals\":[null]}",
        "{\"aggregations\":[null]}",
        "{\"filter\":{\"op\":\"AND\",\"filters\":[null]}}"
      })
  void queriesThatBreakRulesAreInvalid(String body) {
    assertError(query("cloud", RunningPlatform.DEMO_KEY, body), 400, "invalid_query");
  }

  private HttpResponse<byte[]> export(String key, String accept) {
    return Http.get(
        platform.api("/v2/metrics/cloud/export?resource_kafka_id=lkc-1"),
        "Authorization",
        key,
        "Accept",
        accept);
  }

  @Test
  void otherFaultsHaveTheErrorShapeToo() {
    String key = TestingKeys.basic(RunningPlatform.DEMO_KEY);
    assertError(query("nope", RunningPlatform.DEMO_KEY, QUERY), 404, "not_found");
    assertError(Http.get(platform.api("/nothing")), 404, "not_found");
    assertError(
        Http.get(platform.api("/v2/metrics/cloud/query"), "Authorization", key),
        405,
        "method_not_allowed");
    assertError(
        Http.post(
            platform.api("/v2/metrics/cloud/query"),
            QUERY,
            "Content-Type",
            "text/plain",
            "Authorization",
            key),
        415,
        "unsupported_media_type");
  }

  @Test
  void aQueryIsSmall() {
    byte[] large = " ".repeat(1024 * 1024 + 1).getBytes(StandardCharsets.UTF_8);
    String[] headers = {
      "Content-Type",
      "application/json",
      "Authorization",
      TestingKeys.basic(RunningPlatform.DEMO_KEY)
    };
    assertError(
        Http.post(platform.api("/v2/metrics/cloud/query"), large, headers), 413, "body_too_large");
    assertError(
        Http.postChunked(platform.api("/v2/metrics/cloud/query"), large, headers),
        413,
        "body_too_large");
  }

  @Test
  void whenDruidIsAtItsLimitTheCallerIsAskedToComeBack() {
    platform.druid().answerWith(429, "{}");
    HttpResponse<byte[]> response = query("cloud", RunningPlatform.DEMO_KEY, QUERY);
    assertError(response, 503, "store_unavailable");
    assertThat(response.headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void theContractIsServedAsItIsWritten() {
    assertThat(Http.text(Http.get(platform.api("/openapi/metrics-api.yaml"))))
        .isEqualTo(Contracts.text("openapi/metrics-api.yaml"));
  }

  @Test
  void livenessNeedsNothingAndReadinessNeedsKafka() {
    assertThat(Http.get(platform.api("/livez")).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> readiness = Http.get(platform.api("/readyz"));
    assertThat(readiness.statusCode()).isEqualTo(503);
    JsonNode components = json.readTree(readiness.body()).path("components");
    assertThat(components.path("kafka").path("status").asString()).isEqualTo("DOWN");
    assertThat(components.path("db").path("status").asString()).isEqualTo("UP");
  }
}
