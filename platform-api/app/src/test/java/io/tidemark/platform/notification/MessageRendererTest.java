package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.Incident;
import io.tidemark.platform.notification.MessageRenderer.Message;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What each service is sent, as its own description says. */
class MessageRendererTest {

  private static final Instant AT = Instant.parse("2026-11-23T10:02:00Z");
  private static final String URL = "https://example.org/hook";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static Incident incident(String severity, String state, Double value, String name) {
    return incident(severity, state, value, name, false);
  }

  private static Incident incident(
      String severity, String state, Double value, String name, boolean isEarly) {
    return new Incident(
        "inc-1",
        new EnvironmentId("env-a"),
        7,
        "rule-1",
        name,
        severity,
        state,
        state.equals("open") ? "firing" : "normal",
        Map.of("metric.queue", "orders"),
        Map.of("team", "it"),
        Map.of("summary", "orders has 150.0"),
        "https://runbooks.example.org/queue",
        Instant.parse("2026-11-23T10:00:00Z"),
        state.equals("open") ? null : Instant.parse("2026-11-23T10:01:00Z"),
        AT,
        value,
        100.0,
        null,
        null,
        null,
        true,
        null,
        isEarly,
        3);
  }

  private static Message message(String type, Incident incident) {
    return new Message(new TenantId("org-a"), "env-a", type, "event-1", AT, incident);
  }

  private static JsonNode body(String kind, String type, Incident incident) {
    return JSON.readTree(MessageRenderer.body(kind, URL, message(type, incident)));
  }

  private static Incident open(String severity) {
    return incident(severity, "open", 150.0, "Queue is long");
  }

  private static Incident resolved() {
    return incident("critical", "resolved", 150.0, "Queue is long");
  }

  @Test
  void aWebhookTellsTheWholeIncident() {
    JsonNode body = body("webhook", "incident.fired", open("critical"));

    assertThat(body.path("type").asString()).isEqualTo("incident.fired");
    assertThat(body.path("timestamp").asString()).isEqualTo("2026-11-23T10:02:00Z");
    JsonNode data = body.path("data");
    assertThat(data.path("event_id").asString()).isEqualTo("event-1");
    assertThat(data.path("incident_id").asString()).isEqualTo("inc-1");
    assertThat(data.path("sequence").asLong()).isEqualTo(3);
    assertThat(data.path("group").path("metric.queue").asString()).isEqualTo("orders");
    assertThat(data.path("value").asDouble()).isEqualTo(150);
    assertThat(data.path("runbook_url").asString()).endsWith("/queue");
    assertThat(data.has("ended_at")).isFalse();
  }

  @Test
  void whatAnOpenMinuteRaisedIsMarkedUntilItIsConfirmed() {
    Incident early = incident("critical", "open", 150.0, "Queue is long", true);

    assertThat(body("webhook", "incident.fired", early).path("data").path("early").asBoolean())
        .isTrue();
    assertThat(body("slack", "incident.fired", early).toString()).contains("fired, early");
    assertThat(body("webhook", "incident.changed", open("critical")).path("data").has("early"))
        .isFalse();
  }

  /** Health+ knows INFO, WARN, CRITICAL and RAISED, CLEAR; times are epoch milliseconds. */
  @ParameterizedTest
  @CsvSource({"critical, CRITICAL", "warning, WARN", "info, INFO"})
  void healthPlusHasTheFieldsOfItsSchema(String severity, String theirs) {
    JsonNode body =
        body(
            "health_plus",
            "incident.fired",
            incident(severity, "open", 150.0, "A name that is longer than forty characters are"));

    assertThat(body.propertyNames())
        .containsExactlyInAnyOrder(
            "id", "rule_id", "severity", "status", "title", "message", "created_at");
    assertThat(body.path("severity").asString()).isEqualTo(theirs);
    assertThat(body.path("status").asString()).isEqualTo("RAISED");
    assertThat(body.path("title").asString()).hasSize(40);
    assertThat(body.path("created_at").isIntegralNumber()).isTrue();
    assertThat(body.path("created_at").asLong()).isEqualTo(AT.toEpochMilli());
  }

  @Test
  void healthPlusClearsUnderTheSameIdentifier() {
    JsonNode raised = body("health_plus", "incident.fired", open("critical"));
    JsonNode cleared = body("health_plus", "incident.resolved", resolved());

    assertThat(cleared.path("status").asString()).isEqualTo("CLEAR");
    assertThat(cleared.path("id")).isEqualTo(raised.path("id"));
  }

  /** Events API v2: routing_key, event_action, dedup_key; payload of summary, source, severity. */
  @Test
  void pagerDutyTriggersAcknowledgesAndResolvesOneAlert() {
    JsonNode fired = body("pagerduty", "incident.fired", open("warning"));
    JsonNode taken = body("pagerduty", "incident.acknowledged", open("warning"));
    JsonNode over = body("pagerduty", "incident.resolved", resolved());

    assertThat(List.of(fired, taken, over))
        .extracting(body -> body.path("event_action").asString())
        .containsExactly("trigger", "acknowledge", "resolve");
    assertThat(List.of(fired, taken, over))
        .allSatisfy(
            body -> {
              assertThat(body.path("dedup_key").asString()).isEqualTo("inc-1");
              assertThat(body.path("routing_key").asString()).as("what is stored").isEmpty();
              JsonNode sent =
                  JSON.readTree(MessageRenderer.withRoutingKey(body.toString(), "secret-key"));
              assertThat(sent.path("routing_key").asString()).isEqualTo("secret-key");
              assertThat(((ObjectNode) sent).put("routing_key", "")).isEqualTo(body);
              assertThat(body.path("payload").path("source").asString()).isEqualTo("env-a");
              assertThat(body.path("payload").path("severity").asString())
                  .isIn("critical", "error", "warning", "info");
              assertThat(body.path("payload").path("summary").asString())
                  .hasSizeLessThanOrEqualTo(1_024);
            });
  }

  /** The message is 130 characters at most, the priority P1 to P5, the alias names the alert. */
  @ParameterizedTest
  @CsvSource({"critical, P1", "warning, P3", "info, P5"})
  void opsgenieHasAnAliasAndAPriority(String severity, String priority) {
    JsonNode body =
        body("opsgenie", "incident.fired", incident(severity, "open", 150.0, "x".repeat(120)));

    assertThat(body.path("message").asString()).hasSizeLessThanOrEqualTo(130);
    assertThat(body.path("alias").asString()).isEqualTo("inc-1");
    assertThat(body.path("priority").asString()).isEqualTo(priority);
    assertThat(body.path("tags").path(0).asString()).isEqualTo("team:it");
    assertThat(body.path("details").path("metric.queue").asString()).isEqualTo("orders");
  }

  /** Its Alert API: POST …/v2/alerts, …/{alias}/acknowledge and …/{alias}/close. */
  @Test
  void opsgeniesAlertIsAcknowledgedAndClosedUnderItsAlias() {
    String api = "https://api.eu.opsgenie.com/v2/alerts";
    assertThat(OpsgenieAddress.isApi(api)).isTrue();
    assertThat(OpsgenieAddress.isApi(URL)).isFalse();
    assertThat(OpsgenieAddress.isAboutAlert("incident.fired", true)).isFalse();
    assertThat(OpsgenieAddress.isAboutAlert("test", false)).isFalse();
    assertThat(OpsgenieAddress.isAboutAlert("incident.acknowledged", true)).isTrue();
    assertThat(OpsgenieAddress.isAboutAlert("incident.corrected", false)).isTrue();
    assertThat(OpsgenieAddress.of(api, "incident.acknowledged", "inc-1"))
        .isEqualTo(api + "/inc-1/acknowledge?identifierType=alias");
    assertThat(OpsgenieAddress.of(api, "incident.retracted", "inc-1"))
        .isEqualTo(api + "/inc-1/close?identifierType=alias");

    JsonNode closing =
        JSON.readTree(
            MessageRenderer.body("opsgenie", api, message("incident.resolved", resolved())));
    assertThat(closing.propertyNames()).containsExactlyInAnyOrder("source", "note");
    assertThat(MessageRenderer.isNote(closing.toString())).isTrue();
    assertThat(MessageRenderer.isNote(body("opsgenie", "incident.resolved", resolved()).toString()))
        .as("of another address")
        .isFalse();
    assertThat(closing.path("note").asString()).contains("resolved: Queue is long");
    assertThat(
            JSON.readTree(
                    MessageRenderer.body(
                        "opsgenie", api, message("incident.fired", open("critical"))))
                .path("alias")
                .asString())
        .isEqualTo("inc-1");
  }

  @Test
  void slackIsSentAText() {
    JsonNode body = body("slack", "incident.fired", open("critical"));

    assertThat(body.propertyNames()).containsExactly("text");
    assertThat(body.path("text").asString())
        .contains("CRITICAL: fired: Queue is long (metric.queue=orders)", "orders has 150.0");
  }

  @Test
  void teamsIsSentAnAdaptiveCard() {
    JsonNode body = body("teams", "incident.fired", open("critical"));

    JsonNode attachment = body.path("attachments").path(0);
    assertThat(body.path("type").asString()).isEqualTo("message");
    assertThat(attachment.path("contentType").asString())
        .isEqualTo("application/vnd.microsoft.card.adaptive");
    assertThat(attachment.path("content").path("type").asString()).isEqualTo("AdaptiveCard");
    assertThat(attachment.path("content").path("body").path(0).path("text").asString())
        .isEqualTo("Queue is long");
  }

  @Test
  void mailHasOneSubjectForAllMessagesOfAnIncident() {
    JsonNode fired = body("email", "incident.fired", open("critical"));
    JsonNode over = body("email", "incident.resolved", resolved());

    assertThat(fired.path("subject").asString()).isEqualTo("[CRITICAL] Queue is long");
    assertThat(over.path("subject")).isEqualTo(fired.path("subject"));
    assertThat(fired.path("text").asString())
        .contains("fired", "Runbook: https://runbooks.example.org/queue", "State: open");
    assertThat(over.path("text").asString()).contains("Ended: 2026-11-23T10:01:00Z");
    JsonNode hostile =
        body("email", "incident.fired", incident("info", "open", 1.0, "A\r\nBcc: x@example.org"));
    assertThat(hostile.path("subject").asString()).doesNotContain("\r").doesNotContain("\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "slack", "teams", "pagerduty", "opsgenie", "email"})
  void everyServiceHearsWhichIntegrationStoppedAndWhy(String kind) {
    Message stopped =
        Message.ofStopped(
            new TenantId("org-a"),
            "env-a",
            "event-1",
            AT,
            new MessageRenderer.StoppedIntegration("int-1", "Pager", "It answered 410."));

    assertThat(MessageRenderer.body(kind, URL, stopped)).contains("Pager", "It answered 410.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"webhook", "health_plus", "slack", "teams", "pagerduty", "opsgenie", "email"})
  void aTestMessageAndANumberWithoutAnEndCanBeWritten(String kind) {
    assertThat(body(kind, "test", null).isObject()).isTrue();
    Incident never = incident("info", "open", Double.POSITIVE_INFINITY, "Never");
    assertThat(body(kind, "incident.fired", never).toString()).doesNotContain("Infinity");
  }
}
