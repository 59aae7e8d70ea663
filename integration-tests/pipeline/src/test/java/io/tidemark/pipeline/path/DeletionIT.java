package io.tidemark.pipeline.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A metric that was sent is discovered, declared and then deleted: its rows go from Druid and the
 * lake, others stay to the point, and the certificate says how many went.
 */
@ExtendWith(RunningStack.class)
@Order(1)
class DeletionIT {
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  /**
   * Certified once the pipeline is complete beyond what was accepted; suites beside this one make
   * it lag, on a busy machine for more than ten minutes.
   */
  private static final Duration CERTIFIED = Duration.ofMinutes(18);

  private static final String GONE = "deletion/it.requests";
  private static final String KEPT = "deletion/it.kept";
  private static final String ORGANIZATION = "org-demo";
  private static final String PLACE = "/api/v1/organizations/org-demo/environments/env-demo";

  private final RunningStack.Started stack = RunningStack.get();
  private final HttpClient http = HttpClient.newHttpClient();
  private final DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
  private final String authorization = stack.authorization("org-demo");

  private HttpResponse<String> ask(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(stack.coordinates().get("TIDEMARK_URL") + PLACE + path))
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .header("If-Match", "*")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return JsonHttp.JSON.readTree(ask("GET", path, null).body());
  }

  private void send(String metric, Instant first, int points) throws Exception {
    List<Point> sent = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      sent.add(new Point(metric, Map.of("route", "/" + i % 3), first.plusSeconds(60L * i), i + 1));
    }
    assertThat(
            new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), authorization)
                .send(OtlpSender.batch("deletion-shop", sent).toByteArray())
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void aMetricIsDiscoveredDeclaredAndDeletedWithACertificate() throws Exception {
    // Of days that are over, so that all their rows are written soon.
    Instant first = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(30, ChronoUnit.HOURS);
    LakeReader lake = new LakeReader(stack);
    send(GONE, first, 90);
    send(KEPT, first, 30);
    Instant begin = first.minus(2, ChronoUnit.DAYS);
    Instant end = Instant.now();
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      await(level, GONE, 90, begin, end);
      await(level, KEPT, 30, begin, end);
    }

    // What is still on its way when a deletion begins is found by it, but certified all the same.
    Await.until(
        "the lake",
        PATIENCE,
        Await.LONG_PAUSE,
        () -> lake.read(ORGANIZATION, GONE),
        read ->
            read.at("/raw_points/rows").asLong() == 90
                && read.at("/rollup_1d/count").asLong() == 90);
    String id =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(GONE.getBytes(StandardCharsets.UTF_8));
    JsonNode found =
        Await.until(
            "the metric in the catalogue",
            PATIENCE,
            () -> get("/metrics/" + id),
            answer -> answer.path("name").asText().equals(GONE));
    assertThat(found.path("discovered").path("labels").toString()).isEqualTo("[\"route\"]");
    assertThat(ask("PUT", "/metrics/" + id, "{\"unit\":\"{request}\"}").statusCode())
        .isEqualTo(200);
    assertThat(get("/metrics/" + id).path("unit").asText()).isEqualTo("{request}");

    JsonNode preview =
        JsonHttp.JSON.readTree(
            ask("POST", "/deletions/preview", "{\"metric\":\"" + GONE + "\"}").body());
    assertThat(preview.path("refused").asBoolean()).isFalse();
    assertThat(preview.path("stores").path(0).path("points").asLong()).isEqualTo(90);
    HttpResponse<String> begun = ask("POST", "/deletions", "{\"metric\":\"" + GONE + "\"}");
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    String deletion = JsonHttp.JSON.readTree(begun.body()).path("id").asText();
    JsonNode done =
        Await.until(
            "the end of the deletion",
            CERTIFIED,
            () -> get("/deletions/" + deletion),
            answer -> answer.path("state").asText().equals("done"));

    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      assertThat(count(level, GONE, begin, end)).as(level).isZero();
      assertThat(count(level, KEPT, begin, end)).as(level).isEqualTo(30);
    }
    String certificate = done.path("certificate").asText();
    assertThat(
            HexFormat.of()
                .formatHex(
                    MessageDigest.getInstance("SHA-256")
                        .digest(certificate.getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(done.path("certificate_sha256").asText());
    JsonNode said = JsonHttp.JSON.readTree(certificate);
    assertThat(of(said.path("lake"), "table", "raw_points").path("rows_removed").asLong())
        .isEqualTo(90);
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      JsonNode inDruid = of(said.path("druid"), "datasource", level);
      assertThat(inDruid.path("points_removed").asLong()).as(level).isEqualTo(90);
      assertThat(of(said.path("lake"), "table", level).path("rows_removed").asLong())
          .as("%s: rows of the lake are those that Druid was given", level)
          .isEqualTo(inDruid.path("rows_removed").asLong());
    }
    JsonNode gone = lake.read(ORGANIZATION, GONE);
    JsonNode kept = lake.read(ORGANIZATION, KEPT);
    assertThat(gone.at("/raw_points/rows").asLong()).isZero();
    assertThat(kept.at("/raw_points/rows").asLong()).isEqualTo(30);
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      assertThat(gone.path(level).path("count").asLong()).as(level).isZero();
      assertThat(kept.path(level).path("count").asLong()).as(level).isEqualTo(30);
    }
    assertThat(get("/metrics/" + id).path("discovered").isMissingNode()).isTrue();
  }

  private void await(String level, String metric, long points, Instant begin, Instant end)
      throws Exception {
    Await.until(
        metric + " in " + level,
        PATIENCE,
        () -> count(level, metric, begin, end),
        count -> count == points);
  }

  private long count(String datasource, String metric, Instant begin, Instant end)
      throws Exception {
    return druid.figures(datasource, "day", metric, "", begin, end).values().stream()
        .mapToLong(RowFigures::count)
        .sum();
  }

  private static JsonNode of(JsonNode steps, String name, String value) {
    for (JsonNode step : steps) {
      if (step.path(name).asText().equals(value)) {
        return step;
      }
    }
    throw new AssertionError("No " + name + " " + value + " in " + steps);
  }
}
