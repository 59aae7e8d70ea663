package io.tidemark.pipeline.alerts;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.alerts.WebhookReceiver.Received;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one receiver of webhooks took: messages by identifier, in the order of the first time. */
final class ReceivedMessages {

  /** A message about an incident. */
  private record Message(String event, String incident, long sequence, String body) {}

  private final Map<String, Message> messages = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private int repeated;

  ReceivedMessages(String name, List<Received> received) throws IOException {
    Map<String, String> messageOf = new HashMap<>();
    Map<String, Long> sequences = new HashMap<>();
    for (Received one : received) {
      JsonNode body = JsonHttp.JSON.readTree(one.body());
      JsonNode data = body.path("data");
      Message message =
          new Message(
              data.path("event_id").asText(),
              data.path("incident_id").asText(),
              data.path("sequence").asLong(),
              one.body());
      Message before = messages.putIfAbsent(one.id(), message);
      if (before != null) {
        // Its answer was lost with the process that waited for it.
        repeated++;
        if (!before.body().equals(message.body())) {
          faults.add(name + ": one identifier, two bodies: " + before + " and " + message);
        }
        continue;
      }
      String other = messageOf.putIfAbsent(message.event(), one.id());
      if (other != null) {
        faults.add(name + ": two messages of one event: " + other + " and " + one.id());
      }
      long last = sequences.getOrDefault(message.incident(), 0L);
      if (message.sequence() <= last) {
        faults.add(name + ": after sequence " + last + " comes " + message);
      }
      sequences.put(message.incident(), message.sequence());
    }
  }

  /** What is wrong with order or identifiers. */
  List<String> faults() {
    return faults;
  }

  Set<String> identifiers() {
    return messages.keySet();
  }

  /** What messages are about, by the identifier that all receivers see. */
  Set<String> events() {
    Set<String> events = new HashSet<>();
    messages.values().forEach(message -> events.add(message.event()));
    return events;
  }

  public int size() {
    return messages.size();
  }

  /** Messages that came again, the same. */
  int repeated() {
    return repeated;
  }
}
