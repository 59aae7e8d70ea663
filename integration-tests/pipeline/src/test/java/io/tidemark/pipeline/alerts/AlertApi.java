package io.tidemark.pipeline.alerts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Rules and incidents of the demo environment, over the control API. */
final class AlertApi {
  private static final String PLACE = "/api/v1/organizations/org-demo/environments/env-demo";
  private static final int PAGE = 200;

  /** The control API takes six hundred requests a minute of one organisation. */
  private static final long PAUSE_NANOS = 130_000_000;

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();
  private final String url;
  private final String authorization;

  AlertApi(String url, String authorization) {
    this.url = url;
    this.authorization = authorization;
  }

  /** Keeps many calls below the rate that is allowed. */
  void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** One call of the environment's API; another status than the expected one is an error. */
  JsonNode ask(String method, String path, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url + PLACE + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .header("If-Match", "*")
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != status) {
      throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
    }
    return JsonHttp.JSON.readTree(answer.body());
  }

  JsonNode rule(String id) throws IOException, InterruptedException {
    return ask("GET", "/alert-rules/" + id, null, 200);
  }

  /** Changes a rule; the first minute that the change decides. */
  long put(String id, ObjectNode draft) throws Exception {
    pause();
    return minute(ask("PUT", "/alert-rules/" + id, draft.toString(), 200).path("effective_from"));
  }

  /** Rules that are not decided up to a minute. */
  List<String> rulesBefore(long last) throws Exception {
    List<String> before = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ask("GET", "/alert-rules?limit=" + PAGE + cursor, null, 200);
      for (JsonNode rule : page.path("data")) {
        JsonNode until = rule.at("/evaluation/decided_until");
        if (until.isMissingNode() || minute(until) < last) {
          before.add(rule.path("id").asText() + " " + until.asText());
        }
      }
      String next = page.at("/meta/next_cursor").asText("");
      cursor = next.isEmpty() || next.equals("null") ? "" : "&cursor=" + next;
    } while (!cursor.isEmpty());
    return before;
  }

  List<JsonNode> incidents(String rule) throws Exception {
    return export().stream()
        .filter(incident -> incident.path("rule_id").asText().equals(rule))
        .toList();
  }

  /** All incidents, with their timelines. */
  List<JsonNode> export() throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url + PLACE + "/incidents/export"))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", authorization)
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("export: " + answer.statusCode() + " " + answer.body());
    }
    List<JsonNode> all = new ArrayList<>();
    for (String line : answer.body().lines().toList()) {
      JsonNode incident = JsonHttp.JSON.readTree(line);
      if (incident.at("/labels/suite").asText().equals("faults")) {
        all.add(incident);
      }
    }
    return all;
  }

  /** Minutes since 1970 of a time of the API. */
  static long minute(JsonNode time) {
    return Math.floorDiv(Instant.parse(time.asText()).getEpochSecond(), AlertStream.MINUTE_SECONDS);
  }
}
