package io.tidemark.pipeline.alerts;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.alerts.WebhookReceiver.Received;
import io.tidemark.pipeline.support.Await;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what receivers of webhooks heard with the timelines of incidents. */
final class IncidentMessages {
  private static final int MAX_SHOWN = 20;

  /** A receiver that was refusing is asked again after five minutes at the latest. */
  private static final Duration DELIVERED = Duration.ofMinutes(8);

  private final AlertApi api;

  IncidentMessages(AlertApi api) {
    this.api = api;
  }

  /** Both receivers hear of every event, once; what one refused has the identifier of before. */
  List<String> faults(Set<String> events, WebhookReceiver steady, WebhookReceiver broken)
      throws Exception {
    List<String> faults = new ArrayList<>();
    Map<String, WebhookReceiver> receivers = new LinkedHashMap<>();
    receivers.put("steady", steady);
    receivers.put("broken", broken);
    for (var receiver : receivers.entrySet()) {
      Set<String> missing = new HashSet<>();
      try {
        Await.until(
            "every event is heard by the receiver " + receiver.getKey(),
            DELIVERED,
            () -> {
              missing.clear();
              missing.addAll(events);
              missing.removeAll(heard(receiver.getValue()));
              return missing.size();
            },
            left -> left == 0);
      } catch (AssertionError late) {
        missing.stream()
            .limit(MAX_SHOWN)
            .forEach(one -> faults.add(receiver.getKey() + " never heard of " + one));
      }
    }
    Map<String, Set<String>> extra = new HashMap<>();
    receivers.forEach((name, receiver) -> extra.put(name, heard(receiver)));
    Set<String> known = new HashSet<>(events);
    // What was written down since.
    api.export().forEach(incident -> known.addAll(events(incident)));
    extra.forEach(
        (name, heard) -> {
          heard.removeAll(known);
          heard.forEach(one -> faults.add(name + " heard of " + one + ", which nobody told"));
        });
    for (var receiver : receivers.entrySet()) {
      ReceivedMessages messages =
          new ReceivedMessages(receiver.getKey(), receiver.getValue().received());
      faults.addAll(messages.faults());
      faults.addAll(receiver.getValue().unverified());
      for (Received refused : receiver.getValue().refused()) {
        if (!messages.identifiers().contains(refused.id())) {
          faults.add(receiver.getKey() + " was told once only, and refused: " + refused.id());
        }
      }
    }
    return faults;
  }

  /** Events of messages, named like {@link #events}. */
  private static Set<String> heard(WebhookReceiver receiver) {
    Set<String> heard = new HashSet<>();
    for (Received message : receiver.received()) {
      try {
        JsonNode body = JsonHttp.JSON.readTree(message.body());
        String incident = body.at("/data/incident_id").asText();
        String event = body.at("/data/event_id").asText();
        heard.add(
            event.startsWith(incident + "-")
                ? incident + " " + body.path("type").asText().replace("incident.", "")
                : event);
      } catch (IOException e) {
        heard.add("what is not JSON: " + message.body());
      }
    }
    return heard;
  }

  /** Identifiers that messages of an incident carry. */
  static Set<String> events(JsonNode incident) {
    Set<String> events = new HashSet<>();
    for (JsonNode event : incident.path("timeline")) {
      events.add(
          event.hasNonNull("transition_id")
              ? event.path("transition_id").asText()
              : incident.path("id").asText() + " " + event.path("kind").asText());
    }
    return events;
  }
}
