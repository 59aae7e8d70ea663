package io.tidemark.platform.notification;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message that carries several transitions: which of those that wait, under which identifier, in
 * what words. Pure: the same transitions make the same message.
 *
 * @param id of the row that keeps it
 * @param messageId the header webhook-id
 * @param deliveries what it carries, in their order
 */
record GroupedMessage(String id, String messageId, String body, List<Delivery> deliveries) {

  /** Of lines: Teams takes 28 KB, Slack cuts at 40,000 characters. */
  static final int MAX_BYTES = 20_000;

  /** Of the messages in one for machines. */
  private static final int MAX_BODY_BYTES = 500_000;

  private static final String WEBHOOK = "webhook";

  private static final String TYPE = "incidents.grouped";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * A transition that could be carried.
   *
   * @param isHeld an earlier one of its incident waits, and is not among these
   */
  record Candidate(Delivery delivery, boolean isHeld) {}

  /**
   * Which of those that wait go together: the first ones, as many as may and find room. What is
   * held back stays for another message; so nothing overtakes an earlier transition of its
   * incident.
   *
   * @param waiting of one group, in their order; the first is due
   */
  static List<Delivery> together(String kind, List<Candidate> waiting, int most) {
    List<Delivery> together = new ArrayList<>();
    boolean isWhole = kind.equals(WEBHOOK);
    int room = isWhole ? MAX_BODY_BYTES : MAX_BYTES;
    int bytes = 0;
    for (Candidate candidate : waiting) {
      if (candidate.isHeld() && !together.isEmpty()) {
        continue;
      }
      Delivery delivery = candidate.delivery();
      bytes += size(isWhole ? delivery.body() : Objects.requireNonNull(delivery.line()));
      if (!together.isEmpty() && (together.size() >= most || bytes > room)) {
        break;
      }
      together.add(delivery);
    }
    return together;
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * @param together at least one
   * @param url where people see the incidents; null when nobody knows
   */
  static GroupedMessage of(Integration integration, List<Delivery> together, @Nullable String url) {
    Delivery first = together.get(0);
    String messageId =
        DeliveryQueue.messageId(
            integration.id(), together.stream().map(GroupedMessage::transition).toList());
    return new GroupedMessage(
        "grm-" + messageId.substring(messageId.indexOf('_') + 1),
        messageId,
        together.size() == 1
            ? first.body()
            : body(Objects.requireNonNull(integration.definition().kind()), together, url),
        together);
  }

  static String transition(Delivery delivery) {
    return Objects.requireNonNull(delivery.transitionId());
  }

  private static String body(String kind, List<Delivery> together, @Nullable String url) {
    String head = head(together);
    String lines = together.stream().map(one -> "- " + line(one)).collect(Collectors.joining("\n"));
    Object body =
        switch (kind) {
          case "slack" -> Map.of("text", head + "\n" + lines + (url == null ? "" : "\n" + url));
          case "teams" ->
              MessageRenderer.card(
                  head, lines + (url == null ? "" : "\n\n[Incidents](" + url + ")"));
          case "email" ->
              MessageRenderer.mail(head, lines + "\n\n" + (url == null ? "" : url + "\n"));
          default -> webhook(together, url);
        };
    return JSON.writeValueAsString(body);
  }

  /** As in "12 transitions of Queue is long: 9 fired, 3 resolved". */
  private static String head(List<Delivery> together) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    together.forEach(
        one -> counts.merge(one.type().substring(one.type().indexOf('.') + 1), 1, Integer::sum));
    return together.size()
        + " transitions of "
        + together.get(0).group()
        + ": "
        + counts.entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", "));
  }

  private static String line(Delivery delivery) {
    return Objects.requireNonNull(delivery.line()).replaceAll("\\p{Cntrl}", " ");
  }

  private static Map<String, Object> webhook(List<Delivery> together, @Nullable String url) {
    Delivery last = together.get(together.size() - 1);
    Instant at = last.createdAt();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("group", Objects.requireNonNull(last.group()));
    data.put("count", together.size());
    if (url != null) {
      data.put("url", url);
    }
    data.put("messages", together.stream().map(one -> JSON.readTree(one.body())).toList());
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", TYPE);
    body.put("timestamp", at.toString());
    body.put("data", data);
    return body;
  }
}
