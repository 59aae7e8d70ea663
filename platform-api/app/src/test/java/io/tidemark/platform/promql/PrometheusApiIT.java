package io.tidemark.platform.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Prometheus' API as a datasource sees it. */
@ExtendWith(RunningPlatform.Extension.class)
class PrometheusApiIT {

  private static final String API = "/prometheus/api/v1/";

  /** What the store answers to every question: one metric, of one series. */
  private static final String STORED =
      """
      [{"timestamp":"2026-01-01T00:00:00.000Z",
        "event":{"d0":"requests_total","d1":"counter","d2":"1","d3":"service",
                 "group0":"env-a","f_sum":30.0,"f_count":3,"rows":1}}]
      """;

  private final RunningPlatform platform;
  private final JsonMapper json = JsonMapper.builder().build();

  PrometheusApiIT(RunningPlatform platform) {
    this.platform = platform;
    platform.druid().answerWith(200, STORED);
    platform.progress().completeUntil(Instant.parse("2026-01-01T00:30:00Z"));
  }

  private HttpResponse<byte[]> get(String path) {
    return Http.get(
        platform.api(API + path), "Authorization", TestingKeys.bearer(RunningPlatform.EXTRA_KEY));
  }

  private HttpResponse<byte[]> post(String path, String form) {
    return Http.post(
        platform.api(API + path),
        form,
        "Content-Type",
        "application/x-www-form-urlencoded",
        "Authorization",
        TestingKeys.basic(RunningPlatform.EXTRA_KEY));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode success(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(Http.text(response)).isEqualTo(200);
    JsonNode answer = json.readTree(response.body());
    assertThat(answer.path("status").asString()).isEqualTo("success");
    return answer;
  }

  private void assertFault(HttpResponse<byte[]> response, int status, String type) {
    assertThat(response.statusCode()).as(Http.text(response)).isEqualTo(status);
    JsonNode answer = json.readTree(response.body());
    assertThat(answer.path("status").asString()).isEqualTo("error");
    assertThat(answer.path("errorType").asString()).isEqualTo(type);
    assertThat(answer.path("error").asString()).isNotBlank();
  }

  @Test
  void aValueAtATimeComesByGetAndByForm() {
    String query = "sum by (environment_id) (rate(requests_total{a=\"b,c\"}[5m]))";
    JsonNode expected =
        json.readTree(
            """
            {"status":"success","data":{"resultType":"vector","result":[
              {"metric":{"environment_id":"env-a"},"value":[1767225900.5,"0.1"]}]},
             "infos":["completeness: state=final complete_until=2026-01-01T00:05:00Z late_revisions=0"]}
            """);
    assertThat(success(get("query?time=1767225900.5&query=" + encoded(query)))).isEqualTo(expected);
    assertThat(success(post("query", "time=2026-01-01T00:05:00.500Z&query=" + encoded(query))))
        .isEqualTo(expected);
  }

  @Test
  void valuesOverARangeComeAsAMatrix() {
    String form = "query=increase(requests_total[1m])&start=1767225540&end=1767225720&step=1m";
    JsonNode answer = success(post("query_range", form));
    assertThat(answer.path("data"))
        .isEqualTo(
            json.readTree(
                """
                {"resultType":"matrix","result":[
                  {"metric":{"environment_id":"env-a"},"values":[[1767225660,"30"]]}]}
                """));
    assertThat(success(get("query_range?" + form))).isEqualTo(answer);
    assertThat(success(get("query_range?query=1/0&start=0&end=1&step=1")).path("data"))
        .isEqualTo(
            json.readTree(
                "{\"resultType\":\"matrix\",\"result\":[{\"metric\":{},\"values\":[[0,\"+Inf\"],[1,\"+Inf\"]]}]}"));
  }

  @Test
  void theCheckOfADatasourceIsAnswered() {
    assertThat(success(get("query?query=1%2B1&time=4")).path("data"))
        .isEqualTo(json.readTree("{\"resultType\":\"scalar\",\"result\":[4,\"2\"]}"));
    assertThat(success(get("status/buildinfo")).path("data").path("version").asString())
        .startsWith("3.");
    assertThat(success(get("metadata?limit=10")).path("data"))
        .isEqualTo(
            json.readTree(
                "{\"requests_total\":[{\"type\":\"counter\",\"help\":\"\",\"unit\":\"1\"}]}"));
  }

  @Test
  void namesLabelsValuesAndSeriesAreListed() {
    assertThat(texts(success(get("label/__name__/values")))).containsExactly("requests_total");
    assertThat(texts(success(get("labels")))).contains("__name__", "environment_id");
    assertThat(texts(success(post("labels", "match[]=requests_total"))))
        .contains("__name__", "environment_id");
    assertThat(
            texts(
                success(
                    get(
                        "label/environment_id/values?match%5B%5D="
                            + encoded("requests_total{environment_id=~\"env-.\"}")))))
        .containsExactly("env-a");
    assertThat(success(get("series?match[]=requests_total&start=0&end=1767225900")).path("data"))
        .isEqualTo(
            json.readTree("[{\"__name__\":\"requests_total\",\"environment_id\":\"env-a\"}]"));
    assertThat(
            success(post("series", "match[]=requests_total&match[]=nothing&limit=1")).path("data"))
        .hasSize(1);
  }

  private static List<String> texts(JsonNode answer) {
    return answer.path("data").valueStream().map(JsonNode::asString).toList();
  }

  /** What clients ask besides metrics, so that their checks pass. */
  @Test
  void whatAClientChecksIsThere() {
    HttpResponse<byte[]> server =
        Http.get(
            platform.api("/prometheus/"),
            "Authorization",
            TestingKeys.basic(RunningPlatform.EXTRA_KEY));
    assertThat(server.statusCode()).isEqualTo(200);
    assertThat(Http.text(server)).contains("/prometheus/api/v1/");
    assertThat(success(get("query_exemplars?query=x&start=1&end=2")).path("data")).isEmpty();
    assertThat(
            success(get("format_query?query=" + encoded("sum(rate(x{b=\"c\"}[300s]))by(a)")))
                .path("data")
                .asString())
        .isEqualTo("sum by (a) (rate(x{b=\"c\"}[5m]))");
    for (String status : List.of("config", "flags", "runtimeinfo")) {
      assertThat(success(get("status/" + status)).path("data").isObject()).as(status).isTrue();
    }
    assertThat(success(get("rules?type=record")).path("data").path("groups")).isEmpty();
  }

  @Test
  void whatIsCutIsSaid() {
    JsonNode answer = success(get("labels?limit=1"));
    assertThat(answer.path("data")).hasSize(1);
    assertThat(answer.path("warnings").get(0).asString())
        .isEqualTo("results truncated due to limit");
  }

  @Test
  void everyQueryIsOfTheKeysOrganisation() {
    for (var key :
        Map.of("org-extra", RunningPlatform.EXTRA_KEY, "org-demo", RunningPlatform.DEMO_KEY)
            .entrySet()) {
      int before = platform.druid().queries().size();
      for (String path :
          List.of(
              "query?query=requests_total",
              "query?query=" + encoded("requests_total{organization_id=\"org-self\"}"),
              "query?query=" + encoded("requests_total{environment_id=\"env-self\"}"),
              "query_range?start=1767225600&end=1767229200&step=60&query="
                  + encoded("avg without (organization_id) (rate(requests_total[5m]))"),
              "labels?match[]=requests_total",
              "label/organization_id/values",
              "label/organization_id/values?match[]=requests_total",
              "label/environment_id/values",
              "series?match[]=" + encoded("{__name__=~\".+\",x=~\".*\"}"))) {
        success(
            Http.get(
                platform.api(API + path.replace("[]", "%5B%5D")),
                "Authorization",
                TestingKeys.basic(key.getValue())));
      }
      List<String> sent =
          platform.druid().queries().subList(before, platform.druid().queries().size());
      assertThat(sent).isNotEmpty();
      for (String query : sent) {
        JsonNode tree = json.readTree(query);
        JsonNode inner = tree.path("dataSource").path("query");
        JsonNode read = inner.isMissingNode() ? tree : inner;
        if (!read.path("queryType").asString().equals("segmentMetadata")) {
          JsonNode first = read.path("filter").path("fields").get(0);
          assertThat(first.path("dimension").asString()).as(query).isEqualTo("organization_id");
          assertThat(first.path("value").asString()).as(query).isEqualTo(key.getKey());
        }
        assertThat(query.split("organization_id", -1)).as(query).hasSizeLessThanOrEqualTo(3);
        assertThat(read.path("dimensions").toString()).doesNotContain("\"organization_id\"");
      }
    }
  }

  @Test
  void credentialsAreAskedForFirst() {
    HttpResponse<byte[]> none = Http.get(platform.api(API + "query?query=("));
    assertFault(none, 401, "unauthorized");
    assertThat(none.headers().firstValue("WWW-Authenticate")).isPresent();
    assertFault(
        Http.get(platform.api(API + "labels"), "Authorization", "Bearer nonsense"),
        401,
        "unauthorized");
    assertThat(get("labels").headers().allValues("rateLimit-limit")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query | 400 | bad_data | query is required",
        "query?query= | 400 | bad_data | unexpected end",
        "query?query=x%7B | 400 | bad_data | parse error",
        "query?query=x&time=soon | 400 | bad_data | time",
        "query?query=x&time=1e40 | 400 | bad_data | time",
        "query?query=x&time=-5 | 400 | bad_data | 1970",
        "query?query=x&timeout=x | 400 | bad_data | timeout",
        "query?query=x&limit=-1 | 400 | bad_data | limit",
        "query?query=x&lookback_delta=1m | 422 | execution | not supported: lookback_delta",
        "query?query=limitk(1,x) | 422 | execution | not supported: aggregation limitk",
        "query?query=resets(x%5B5m%5D) | 422 | execution | not supported: function resets",
        "query?query=changes(x%5B5m%5D) | 422 | execution | not supported: function changes",
        "query?query=requests_total%5B5m%5D | 422 | execution | not supported: samples of a range",
        "query_range?query=x | 400 | bad_data | start is required",
        "query_range?query=x&start=1&end=0&step=1 | 400 | bad_data | end timestamp",
        "query_range?query=x&start=0&end=1&step=0 | 400 | bad_data | step",
        "query_range?query=x&start=0&end=1&step=-1 | 400 | bad_data | step",
        "query_range?query=x&start=0&end=12000&step=1 | 400 | bad_data | 11,000",
        "query_range?query=x&start=0&end=1&step=0.00001 | 400 | bad_data | step",
        "series | 400 | bad_data | match[] is required",
        "series?match%5B%5D=x%5B5m%5D | 400 | bad_data | selector",
        "series?match%5B%5D=%7Ba%3D~%22%28%22%7D | 400 | bad_data | regexp",
        "labels?start=9&end=3 | 400 | bad_data | end timestamp",
        "labels?start=yesterday | 400 | bad_data | start",
        "query_exemplars?query=x%7B | 400 | bad_data | parse error",
        "format_query?query=x%7B | 400 | bad_data | parse error",
        "rules?type=other | 400 | bad_data | alert or record",
        "targets | 404 | not_found | nothing",
        "label/a/b/values | 404 | not_found | nothing",
        "query?query=%ff | 400 | bad_data | percent",
        "query?query=%zz | 400 | bad_data | ",
      })
  void faultsHaveTheShapeOfPrometheus(String path, int status, String type, String said) {
    HttpResponse<byte[]> response;
    try {
      response = get(path);
    } catch (IllegalArgumentException noAddress) {
      // What no Java client would send is sent as a form.
      response = post("query", path.substring(path.indexOf('?') + 1));
    }
    assertFault(response, status, type);
    assertThat(Http.text(response)).contains(said == null ? "" : said);
  }

  @Test
  void wrongFormsHaveTheShapeToo() {
    assertFault(post("query", "x".repeat(3_000_000)), 413, "bad_data");
    assertFault(post("query", "query=" + "%28".repeat(100_000)), 400, "bad_data");
    String key = TestingKeys.basic(RunningPlatform.EXTRA_KEY);
    assertFault(
        Http.post(
            platform.api(API + "query"),
            "{}",
            "Content-Type",
            "application/json",
            "Authorization",
            key),
        415,
        "bad_data");
    assertFault(
        Http.send("DELETE", platform.api(API + "query"), null, "Authorization", key),
        405,
        "bad_data");
    assertFault(
        Http.get(platform.api(API + "labels"), "Authorization", key, "Accept", "image/png"),
        406,
        "bad_data");
  }

  @Test
  void noGeneratedRequestIsAFaultOfOurs() {
    Random random = new Random(20261121);
    String[] pieces = {
      "requests_total",
      "{",
      "}",
      "a=\"b\"",
      "=~\"(\"",
      "rate(",
      ")",
      "[5m]",
      "[1s]",
      "sum by (a)",
      "(",
      " offset 1h",
      "+",
      "1e308",
      "*",
      "\"",
      "\\",
      "\u0000",
      "\ud83d\ude00",
      ">",
      " bool ",
      ":",
      "@",
      "%",
      "histogram_quantile(0.9,",
      ",",
      "NaN",
      " or ",
      " and "
    };
    for (int i = 0; i < 500; i++) {
      StringBuilder query = new StringBuilder();
      for (int j = random.nextInt(8); j >= 0; j--) {
        query.append(pieces[random.nextInt(pieces.length)]);
      }
      String form =
          "query="
              + encoded(query.toString())
              + "&match[]="
              + encoded(query.toString())
              + "&start="
              + random.nextInt(10_000)
              + "&end="
              + (random.nextInt(4) * 1_000_000_000L)
              + "&step="
              + List.of("1m", "1e9", "15", "0.5", "1d").get(random.nextInt(5));
      for (String path : List.of("query", "query_range", "series", "labels")) {
        HttpResponse<byte[]> response = post(path, form);
        assertThat(response.statusCode())
            .as(path + " " + query + Http.text(response))
            .isIn(200, 400, 422);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void whenDruidIsAtItsLimitTheCallerIsAskedToComeBack(int status) {
    platform.druid().answerWith(status, "{}");
    HttpResponse<byte[]> response = get("series?match%5B%5D=requests_total");
    assertFault(response, 503, "unavailable");
    assertThat(response.headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void theContractIsServedAndEveryPathOfItIsThere() {
    String contract = Contracts.text("openapi/prometheus-api.yaml");
    assertThat(Http.text(Http.get(platform.api("/openapi/prometheus-api.yaml"))))
        .isEqualTo(contract);
    Map<String, Map<String, Map<String, Object>>> file = new Yaml().load(contract);
    file.get("paths")
        .forEach(
            (path, operations) ->
                operations
                    .keySet()
                    .forEach(
                        method ->
                            assertThat(
                                    Http.send(
                                            method.toUpperCase(java.util.Locale.ROOT),
                                            platform.api(path.replace("{name}", "a")),
                                            method.equals("post") ? "a=b" : null,
                                            "Content-Type",
                                            "application/x-www-form-urlencoded",
                                            "Authorization",
                                            TestingKeys.basic(RunningPlatform.EXTRA_KEY))
                                        .statusCode())
                                .as(method + " " + path)
                                .isIn(200, 400)));
  }
}
