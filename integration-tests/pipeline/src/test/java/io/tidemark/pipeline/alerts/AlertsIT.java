package io.tidemark.pipeline.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A threshold rule of the control API fires on committed rows by event time, once; its incident is
 * told by a signed webhook, which the reference library verifies.
 */
@ExtendWith(RunningStack.class)
@Order(Integer.MAX_VALUE)
class AlertsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String METRIC = "alerts/it.queue";
  private static final String PLACE = "/api/v1/organizations/org-demo/environments/env-demo";

  private final RunningStack.Started stack = RunningStack.get();
  private final HttpClient http = HttpClient.newHttpClient();
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

  private JsonNode created(String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> made = ask("POST", path, body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    return JsonHttp.JSON.readTree(made.body());
  }

  private static WebhookReceiver.Received await(WebhookReceiver receiver, String type)
      throws InterruptedException {
    return Await.until(
            type,
            PATIENCE,
            () ->
                receiver.received().stream()
                    .filter(message -> message.body().contains("\"type\":\"" + type + "\""))
                    .toList(),
            messages -> !messages.isEmpty())
        .get(0);
  }

  @Test
  void aThresholdRuleFiresOnceAndItsSignedWebhookIsVerified() throws Exception {
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      JsonNode integration =
          created(
              "/integrations",
              "{\"name\":\"Receiver\",\"kind\":\"webhook\",\"url\":\"%s\","
                      .formatted(receiver.url())
                  + "\"heartbeat_minutes\":1,\"labels\":{\"team\":\"it\"}}");
      String secret = integration.path("secret").asText();
      assertThat(secret).startsWith("whsec_");
      await(receiver, "test").verify(secret);
      await(receiver, "heartbeat").verify(secret);

      JsonNode rule =
          created(
              "/alert-rules",
              """
              {"name":"Queue is long","severity":"critical","labels":{"team":"it"},
               "annotations":{"summary":"{{labels.metric.queue}} has {{value}} entries"},
               "condition":{"metric":"%s","aggregation":"sum","operator":"gt","threshold":100,
                 "group_by":["metric.queue"]}}
              """
                  .formatted(METRIC));
      Instant minute = Instant.parse(rule.path("effective_from").asText());
      OtlpSender sender =
          new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), authorization);
      assertThat(
              sender
                  .send(
                      OtlpSender.batch(
                              "alerts-shop",
                              List.of(
                                  new Point(METRIC, Map.of("queue", "orders"), minute, 60),
                                  new Point(
                                      METRIC,
                                      Map.of("queue", "orders"),
                                      minute.plusSeconds(20),
                                      90),
                                  new Point(METRIC, Map.of("queue", "mails"), minute, 90)))
                          .toByteArray())
                  .statusCode())
          .isEqualTo(200);

      WebhookReceiver.Received fired = await(receiver, "incident.fired");
      fired.verify(secret);
      JsonNode data = JsonHttp.JSON.readTree(fired.body()).path("data");
      assertThat(data.path("rule_id").asText()).isEqualTo(rule.path("id").asText());
      assertThat(data.path("group").toString()).isEqualTo("{\"metric.queue\":\"orders\"}");
      assertThat(data.path("value").asDouble()).isEqualTo(150);
      assertThat(Instant.parse(data.path("started_at").asText())).isEqualTo(minute);
      assertThat(data.path("annotations").path("summary").asText())
          .isEqualTo("orders has 150.0 entries");

      JsonNode incident =
          JsonHttp.JSON.readTree(
              ask("GET", "/incidents/" + data.path("incident_id").asText(), null).body());
      assertThat(incident.path("state").asText()).isEqualTo("open");
      JsonNode line = incident.path("timeline").path(0);
      assertThat(line.path("kind").asText()).isEqualTo("fired");
      assertThat(Instant.parse(line.path("complete_until").asText()))
          .as("the minute was complete")
          .isAfterOrEqualTo(minute.plusSeconds(60));

      decidedOfBothQueues(rule.path("id").asText(), minute);
      previewOfWhatFired(minute);

      assertThat(ask("DELETE", "/alert-rules/" + rule.path("id").asText(), null).statusCode())
          .isEqualTo(204);
      WebhookReceiver.Received resolved = await(receiver, "incident.resolved");
      resolved.verify(secret);
      assertThat(
              receiver.received().stream()
                  .filter(message -> message.body().contains("incident."))
                  .map(WebhookReceiver.Received::id)
                  .toList())
          .as("each once, in order, and nothing of the queue below the threshold")
          .containsExactly(fired.id(), resolved.id());
      assertThat(ask("DELETE", "/integrations/" + id(integration), null).statusCode())
          .isEqualTo(204);
    }
  }

  /** The job says itself how far it has decided the rule. */
  private void decidedOfBothQueues(String rule, Instant minute) throws InterruptedException {
    Await.until(
        "what the alert job says of the rule",
        PATIENCE,
        () -> json("GET", "/alert-rules/" + rule, null).path("evaluation"),
        evaluation ->
            evaluation.path("groups_seen").asInt() == 2
                && !Instant.parse(evaluation.path("decided_until").asText())
                    .isBefore(minute.plusSeconds(60)));
  }

  /** The same condition, decided from the rows that are stored. */
  private void previewOfWhatFired(Instant minute) throws InterruptedException {
    JsonNode preview =
        Await.until(
            "a preview that has the incident",
            PATIENCE,
            () ->
                json(
                    "POST",
                    "/alert-rules/preview",
                    """
                    {"condition":{"metric":"%s","aggregation":"sum","operator":"gt","threshold":100,
                      "group_by":["metric.queue"]}}
                    """
                        .formatted(METRIC)),
            answer -> answer.path("incidents_total").asInt() > 0);
    JsonNode incident = preview.path("incidents").path(0);
    assertThat(Instant.parse(incident.path("started_at").asText())).isEqualTo(minute);
    assertThat(incident.path("value").asDouble()).isEqualTo(150);
    assertThat(preview.path("groups_total").asInt()).isEqualTo(2);
  }

  private JsonNode json(String method, String path, String body)
      throws IOException, InterruptedException {
    return JsonHttp.JSON.readTree(ask(method, path, body).body());
  }

  private static String id(JsonNode created) {
    return created.path("integration").path("id").asText();
  }
}
