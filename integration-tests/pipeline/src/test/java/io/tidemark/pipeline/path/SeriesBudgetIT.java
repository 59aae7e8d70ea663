package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Somebody sends more series than the budget of an environment that refuses: the pipeline finds it
 * out, the door says so by name, and lets in again when the budget is raised.
 */
@ExtendWith(RunningStack.class)
class SeriesBudgetIT {
  /** A count is of whole minutes, whose rows come after their end. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final String PLACE = "/api/v1/organizations/org-demo";
  private static final int SERIES = 100;

  private final RunningStack.Started stack = RunningStack.get();
  private final HttpClient http = HttpClient.newHttpClient();
  private final String authorization = stack.authorization("org-demo");
  private int sent;

  private JsonNode ask(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(
                    URI.create(stack.coordinates().get("TIDEMARK_URL") + PLACE + path))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .header("If-Match", "*")
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return JsonHttp.JSON.readTree(answer.body());
  }

  private OtlpSender senderTo(String environment) throws Exception {
    ask("POST", "/environments", "{\"id\":\"" + environment + "\",\"display_name\":\"E\"}", 201);
    String account =
        ask("POST", "/service-accounts", "{\"display_name\":\"S\",\"role\":\"developer\"}", 201)
            .path("id")
            .asText();
    JsonNode key =
        ask(
            "POST",
            "/service-accounts/" + account + "/api-keys",
            "{\"environment_id\":\"" + environment + "\",\"scopes\":[\"metrics:write\"]}",
            201);
    return new OtlpSender(
        stack.coordinates().get("TIDEMARK_OTLP_HTTP"), "Bearer " + key.path("secret").asText());
  }

  /** As many series that nobody has seen before, a point each. */
  private HttpResponse<byte[]> send(OtlpSender sender, int series) throws Exception {
    Instant time = Instant.now();
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      points.add(new Point("series_budget.requests", Map.of("id", "" + sent++), time, 1));
    }
    return sender.send(OtlpSender.batch("series-budget", points).toByteArray());
  }

  @Test
  void whoExceedsABudgetOfSeriesIsToldItsNameAndLetInWhenItIsRaised() throws Exception {
    OtlpSender greedy = senderTo("series-greedy");
    OtlpSender modest = senderTo("series-modest");
    for (String environment : List.of("series-greedy", "series-modest")) {
      ask(
          "PUT",
          "/environments/" + environment + "/budgets",
          "{\"active_series\":20,\"when_series_exceeded\":\"refuse\"}",
          200);
    }
    HttpResponse<byte[]> refused =
        Await.until(
            "a refusal",
            PATIENCE,
            () -> send(greedy, SERIES),
            answer -> answer.statusCode() == 429);
    assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("active_series of 20 ");
    assertThat(Long.parseLong(refused.headers().firstValue("Retry-After").orElseThrow()))
        .isBetween(1L, 120L);
    assertThat(send(greedy, 1).statusCode()).as("however little it sends").isEqualTo(429);
    assertThat(send(modest, 5).statusCode()).as("the environment beside it").isEqualTo(200);

    ask(
        "PUT",
        "/environments/series-greedy/budgets",
        "{\"active_series\":2000,\"when_series_exceeded\":\"refuse\"}",
        200);
    Await.until(
        "being let in",
        Duration.ofSeconds(15),
        () -> send(greedy, SERIES),
        answer -> answer.statusCode() == 200);

    countsOfSeriesAreThoseOfTheRows();
  }

  /** Druid counts what was sent; without the label that makes the series there is one. */
  private void countsOfSeriesAreThoseOfTheRows() throws Exception {
    String modest = "/environments/series-modest/cardinality";
    JsonNode counted =
        Await.until(
            "the count of series",
            PATIENCE,
            () -> ask("GET", modest, null, 200),
            found -> found.path("series").asLong() == 5);
    assertThat(counted.path("method").asText()).isEqualTo("exact");
    assertThat(counted.at("/metrics/0/metric").asText()).isEqualTo("series_budget.requests");
    assertThat(counted.at("/budgets/active_series").asLong()).isEqualTo(20);
    JsonNode folded =
        Await.until(
            "overflow series",
            PATIENCE,
            () -> ask("GET", "/environments/series-greedy/cardinality", null, 200),
            found -> found.at("/budgets/is_folding").asBoolean());
    assertThat(folded.at("/metrics/0/folded_series").asLong()).isPositive();
    JsonNode labels =
        Await.until(
            "labels",
            PATIENCE,
            () -> ask("GET", modest + "/labels?metric=series_budget.requests", null, 200),
            found -> found.at("/data/0/values").asLong() > 0);
    assertThat(labels.at("/data/0/label").asText()).isEqualTo("metric.id");
    assertThat(labels.at("/data/0/values").asLong()).isBetween(5L, 6L);
    JsonNode effect =
        Await.until(
            "what dropping the label would save",
            PATIENCE,
            () ->
                ask(
                    "GET",
                    modest + "/what-if?metric=series_budget.requests&label=metric.id&action=drop",
                    null,
                    200),
            found -> found.path("series").asLong() == 5);
    assertThat(effect.path("series_after").asLong()).as("%s", effect).isEqualTo(1);
    assertThat(effect.at("/levels/0/rows_per_day").asLong())
        .as("%s", effect)
        .isEqualTo(5 * effect.at("/levels/0/rows_per_day_after").asLong());
  }
}
