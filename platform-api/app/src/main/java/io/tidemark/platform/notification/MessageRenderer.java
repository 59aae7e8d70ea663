package io.tidemark.platform.notification;

import io.tidemark.platform.alerting.Incident;
import io.tidemark.platform.billing.BillingNotice;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes a message in the words of whoever gets it. Pure. */
final class MessageRenderer {

  static final String TEST = "test";
  static final String HEARTBEAT = "heartbeat";
  static final String STOPPED = "integration.disabled";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Health+ cuts titles there. */
  private static final int LONGEST_TITLE = 40;

  private static final String NOTE = "note";
  private static final int LONGEST_TEXT = 1_000;
  private static final int LONGEST_SUBJECT = 200;

  private MessageRenderer() {}

  /**
   * What happened.
   *
   * @param type incident.fired and the like, or test
   * @param eventId the same for all integrations
   * @param incident null for a test or a notice
   * @param notice of a bill; else null
   * @param heartbeat that alerts are decided; else null
   * @param stopped the integration that takes nothing any more; else null
   */
  record Message(
      TenantId organization,
      String environment,
      String type,
      String eventId,
      Instant at,
      @Nullable Incident incident,
      @Nullable BillingNotice notice,
      @Nullable Heartbeat heartbeat,
      @Nullable StoppedIntegration stopped) {

    Message(
        TenantId organization,
        String environment,
        String type,
        String eventId,
        Instant at,
        @Nullable Incident incident,
        @Nullable BillingNotice notice,
        @Nullable Heartbeat heartbeat) {
      this(organization, environment, type, eventId, at, incident, notice, heartbeat, null);
    }

    Message(
        TenantId organization,
        String environment,
        String type,
        String eventId,
        Instant at,
        @Nullable Incident incident,
        @Nullable BillingNotice notice) {
      this(organization, environment, type, eventId, at, incident, notice, null, null);
    }

    Message(
        TenantId organization,
        String environment,
        String type,
        String eventId,
        Instant at,
        @Nullable Incident incident) {
      this(organization, environment, type, eventId, at, incident, null, null, null);
    }

    /** That an integration was disabled because of what its receiver answered. */
    static Message ofStopped(
        TenantId organization,
        String environment,
        String eventId,
        Instant at,
        StoppedIntegration stopped) {
      return new Message(
          organization, environment, STOPPED, eventId, at, null, null, null, stopped);
    }

    boolean isOpen() {
      return incident != null && incident.isOpen();
    }

    String title() {
      if (notice != null) {
        return notice.title();
      }
      if (heartbeat != null) {
        return "Tidemark decides alerts";
      }
      if (stopped != null) {
        return "Tidemark delivers nothing more to " + stopped.name();
      }
      return incident == null ? "Test message of Tidemark" : incident.ruleName();
    }

    String severity() {
      if (notice != null) {
        return notice.severity();
      }
      if (stopped != null) {
        return "warning";
      }
      return incident == null ? "info" : incident.severity();
    }

    String dedupKey() {
      return incident == null ? eventId : incident.id();
    }
  }

  /**
   * That alerts are decided.
   *
   * @param decidedUntil null when no rule is decided
   * @param minutes until the next one
   */
  record Heartbeat(@Nullable Instant completeUntil, @Nullable Instant decidedUntil, int minutes) {}

  /**
   * An integration that takes nothing any more.
   *
   * @param reason one sentence
   */
  record StoppedIntegration(String id, String name, String reason) {}

  /**
   * What is stored. It has no secret: {@link #withRoutingKey} puts the one in that belongs there.
   *
   * @param kind of the integration
   * @param url where it goes
   */
  static String body(String kind, String url, Message message) {
    Object body =
        switch (kind) {
          case "health_plus" -> healthPlus(message);
          case "slack" -> Map.of("text", text(message));
          case "teams" -> teams(message);
          case "pagerduty" -> pagerDuty(message);
          case "opsgenie" ->
              OpsgenieAddress.isApi(url)
                      && OpsgenieAddress.isAboutAlert(message.type(), message.isOpen())
                  ? Map.of("source", "Tidemark", NOTE, text(message))
                  : opsgenie(message);
          case "email" -> email(message);
          default -> webhook(message);
        };
    return JSON.writeValueAsString(body);
  }

  /** Whether a stored body is about an alert of Opsgenie that is there already. */
  static boolean isNote(String body) {
    return JSON.readTree(body).has(NOTE);
  }

  /** A stored body of a service that is told its routing key in it. */
  static String withRoutingKey(String body, String routingKey) {
    return JSON.writeValueAsString(
        ((ObjectNode) JSON.readTree(body)).put("routing_key", routingKey));
  }

  private static Map<String, Object> webhook(Message message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", message.type());
    body.put("timestamp", message.at().toString());
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("event_id", message.eventId());
    data.put("organization_id", message.organization().value());
    data.put("environment_id", message.environment());
    Incident incident = message.incident();
    if (incident != null) {
      data.put("incident_id", incident.id());
      // Of messages about one incident the one with the greatest is the newest.
      data.put("sequence", incident.version());
      data.put("rule_id", incident.ruleId());
      data.put("rule_name", incident.ruleName());
      data.put("severity", incident.severity());
      data.put("state", incident.state());
      data.put("alert_state", incident.alertState());
      put(data, "early", incident.isEarly() ? true : null);
      data.put("group", incident.group());
      data.put("labels", incident.labels());
      data.put("annotations", incident.annotations());
      put(data, "runbook_url", incident.runbookUrl());
      data.put("started_at", incident.startedAt().toString());
      put(data, "ended_at", incident.endedAt() == null ? null : incident.endedAt().toString());
      put(data, "value", finite(incident.value()));
      put(data, "threshold", finite(incident.threshold()));
      put(data, "acknowledged_by", incident.acknowledgedBy());
    }
    if (message.notice() != null) {
      data.putAll(message.notice().data());
    }
    if (message.stopped() != null) {
      data.put("integration_id", message.stopped().id());
      data.put("integration_name", message.stopped().name());
      data.put("reason", message.stopped().reason());
    }
    if (message.heartbeat() != null) {
      Heartbeat heartbeat = message.heartbeat();
      data.put("complete_until", Objects.requireNonNull(heartbeat.completeUntil()).toString());
      put(
          data,
          "decided_until",
          heartbeat.decidedUntil() == null ? null : heartbeat.decidedUntil().toString());
      data.put("next_within_minutes", heartbeat.minutes());
    }
    body.put("data", data);
    return body;
  }

  /** The payload of Confluent's Health+. */
  private static Map<String, Object> healthPlus(Message message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("id", message.dedupKey());
    body.put("rule_id", message.incident() == null ? message.type() : message.incident().ruleId());
    body.put("severity", healthPlusSeverity(message.severity()));
    body.put("status", message.isOpen() ? "RAISED" : "CLEAR");
    body.put("title", cut(message.title(), LONGEST_TITLE));
    body.put("message", text(message));
    body.put("created_at", message.at().toEpochMilli());
    return body;
  }

  private static String healthPlusSeverity(String severity) {
    return severity.equals("warning") ? "WARN" : severity.toUpperCase(Locale.ROOT);
  }

  private static Map<String, Object> teams(Message message) {
    Map<String, Object> title =
        Map.of("type", "TextBlock", "text", message.title(), "weight", "Bolder", "wrap", true);
    Map<String, Object> text = Map.of("type", "TextBlock", "text", text(message), "wrap", true);
    Map<String, Object> card =
        Map.of(
            "$schema",
            "http://adaptivecards.io/schemas/adaptive-card.json",
            "type",
            "AdaptiveCard",
            "version",
            "1.4",
            "body",
            List.of(title, text));
    return Map.of(
        "type",
        "message",
        "attachments",
        List.of(Map.of("contentType", "application/vnd.microsoft.card.adaptive", "content", card)));
  }

  /** Events API v2. */
  private static Map<String, Object> pagerDuty(Message message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("routing_key", "");
    body.put("event_action", pagerDutyAction(message));
    body.put("dedup_key", message.dedupKey());
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("summary", cut(text(message), LONGEST_TEXT));
    payload.put("source", message.environment());
    payload.put("severity", message.severity());
    payload.put("timestamp", message.at().toString());
    payload.put("custom_details", webhook(message).get("data"));
    body.put("payload", payload);
    return body;
  }

  private static String pagerDutyAction(Message message) {
    if (message.type().equals("incident.acknowledged")) {
      return "acknowledge";
    }
    return message.incident() == null || message.isOpen() ? "trigger" : "resolve";
  }

  private static Map<String, Object> opsgenie(Message message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("message", cut(message.title(), 130));
    body.put("alias", message.dedupKey());
    body.put("description", text(message));
    body.put("priority", message.severity().equals("critical") ? "P1" : priority(message));
    body.put("source", "Tidemark");
    if (message.incident() != null) {
      List<String> tags = new ArrayList<>();
      message.incident().labels().forEach((name, value) -> tags.add(name + ":" + value));
      body.put("tags", tags);
      body.put("details", message.incident().group());
    }
    return body;
  }

  /** What {@link MailTransport} reads. */
  private static Map<String, Object> email(Message message) {
    Map<String, Object> body = new LinkedHashMap<>();
    Incident incident = message.incident();
    // The same for all messages of an incident, so that mail programs show them together.
    String subject =
        incident == null
            ? message.title()
            : "[" + incident.severity().toUpperCase(Locale.ROOT) + "] " + message.title();
    body.put("subject", cut(subject.replaceAll("\\p{Cntrl}", " "), LONGEST_SUBJECT));
    StringBuilder text = new StringBuilder(text(message)).append("\n\n");
    if (incident != null) {
      line(text, "Runbook", incident.runbookUrl());
      line(text, "Runbook", incident.annotations().get("runbook"));
      line(text, "State", incident.state());
      line(text, "Began", incident.startedAt().toString());
      line(text, "Ended", incident.endedAt() == null ? null : incident.endedAt().toString());
      line(text, "Incident", incident.id());
    }
    line(text, "Environment", message.environment());
    body.put("text", text.toString());
    return body;
  }

  private static void line(StringBuilder text, String name, @Nullable String value) {
    if (value != null) {
      text.append(name).append(": ").append(value).append('\n');
    }
  }

  private static String priority(Message message) {
    return message.severity().equals("warning") ? "P3" : "P5";
  }

  private static String text(Message message) {
    if (message.notice() != null) {
      return cut(message.notice().text(), LONGEST_TEXT);
    }
    if (message.heartbeat() != null) {
      return "Tidemark decides alerts: rows are complete until "
          + message.heartbeat().completeUntil()
          + ". Worry when the next message of this kind does not come within "
          + message.heartbeat().minutes()
          + " minutes and a few.";
    }
    if (message.stopped() != null) {
      return cut(
          message.title()
              + ": "
              + message.stopped().reason()
              + " Messages for it are kept for three days. Mend the receiver, then enable the"
              + " integration again.",
          LONGEST_TEXT);
    }
    Incident incident = message.incident();
    if (incident == null) {
      return "This is a test message of Tidemark: the integration works.";
    }
    String group =
        incident.group().entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(", "));
    String what = message.type().substring(message.type().indexOf('.') + 1);
    StringBuilder text = new StringBuilder();
    text.append(incident.severity().toUpperCase(Locale.ROOT)).append(": ").append(what);
    if (incident.isEarly()) {
      text.append(", early");
    }
    text.append(": ").append(incident.ruleName());
    if (!group.isEmpty()) {
      text.append(" (").append(group).append(')');
    }
    if (finite(incident.value()) != null) {
      text.append(", value ").append(incident.value());
    }
    text.append(", since ").append(incident.startedAt());
    String summary = incident.annotations().get("summary");
    if (summary != null) {
      text.append(". ").append(summary);
    }
    return cut(text.toString(), LONGEST_TEXT);
  }

  private static void put(Map<String, Object> data, String name, @Nullable Object value) {
    if (value != null) {
      data.put(name, value);
    }
  }

  private static @Nullable Double finite(@Nullable Double value) {
    return value == null || !Double.isFinite(value) ? null : value;
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most);
  }
}
