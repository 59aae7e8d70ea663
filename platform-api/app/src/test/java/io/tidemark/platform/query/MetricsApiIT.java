package io.tidemark.platform.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
    return Http.post(
        platform.api("/v2/metrics/" + dataset + "/query"),
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
              "event":{"group0":"a","value":2.5,"rows":1}},
             {"timestamp":"2026-01-01T00:01:00.000Z",
              "event":{"group0":null,"value":1.0,"rows":1}}]
            """);
    HttpResponse<byte[]> response = query("cloud", RunningPlatform.EXTRA_KEY, QUERY);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json.readTree(response.body()))
        .isEqualTo(
            json.readTree(
                """
                {"data":[
                  {"timestamp":"2026-01-01T00:00:00Z","metric.topic":"a","value":2.5},
                  {"timestamp":"2026-01-01T00:01:00Z","metric.topic":null,"value":1.0}]}
                """));
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
