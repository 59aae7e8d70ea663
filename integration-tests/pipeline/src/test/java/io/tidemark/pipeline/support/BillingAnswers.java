package io.tidemark.pipeline.support;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;

/** What the control API of a running stack says of the demo organisation's usage and bill. */
public final class BillingAnswers {
  public static final String PLACE = "/api/v1/organizations/org-demo";

  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final String authorization;

  public BillingAnswers(RunningStack.Started stack) {
    this.url = stack.coordinates().get("TIDEMARK_URL");
    this.authorization = stack.authorization("org-demo");
  }

  /**
   * Asks, and expects a status.
   *
   * @throws IOException when the answer has another status, with its text
   */
  public JsonNode ask(String method, String path, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .header("If-Match", "*")
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != status) {
      throw new IOException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
    }
    return JsonHttp.JSON.readTree(answer.body());
  }

  public JsonNode get(String path) throws IOException, InterruptedException {
    return ask("GET", PLACE + path, "", 200);
  }

  /** Hours of an environment with the figures of every stage, those of the lake too. */
  public List<JsonNode> reconciled(String environment, Instant from, Instant to)
      throws IOException, InterruptedException {
    JsonNode hours = get("/reconciliation?lake=true&from=" + from + "&to=" + to).path("hours");
    return StreamSupport.stream(hours.spliterator(), false)
        .filter(hour -> hour.path("environment_id").asText().equals(environment))
        .toList();
  }

  public static long sum(List<JsonNode> hours, String stage) {
    return hours.stream().mapToLong(hour -> hour.path(stage).asLong()).sum();
  }
}
