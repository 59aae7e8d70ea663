package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.notification.GroupedMessage.Candidate;
import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which transitions go together, and in what words. */
class GroupedMessageTest {

  private static final Instant AT = Instant.parse("2026-11-23T10:00:00Z");
  private static final String URL = "https://tidemark.example.org/o/org-a/e/env-a/alerts";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static Delivery delivery(int number, String type, String line) {
    return new Delivery(
        "dlv-" + number,
        number,
        "int-1",
        "grp-1",
        DeliveryQueue.messageId("int-1", List.of("event-" + number)),
        type,
        "inc-" + number,
        "event-" + number,
        "{\"type\":\"%s\",\"data\":{\"event_id\":\"event-%d\"}}".formatted(type, number),
        "waiting",
        AT,
        AT,
        0,
        null,
        "Queue is long",
        line,
        null);
  }

  private static List<Delivery> deliveries(int... numbers) {
    return IntStream.of(numbers)
        .mapToObj(number -> delivery(number, "incident.fired", "CRITICAL: queue " + number))
        .toList();
  }

  private static List<Integer> together(String kind, int most, List<Candidate> waiting) {
    return GroupedMessage.together(kind, waiting, most).stream()
        .map(delivery -> (int) delivery.number())
        .toList();
  }

  private static List<Candidate> free(List<Delivery> deliveries) {
    return deliveries.stream().map(delivery -> new Candidate(delivery, false)).toList();
  }

  private static Integration integration(String kind) {
    return new Integration(
        "int-1",
        new EnvironmentId("env-a"),
        new IntegrationDefinition(
            "Team", kind, "https://example.org/", true, List.of(), Map.of(), null, null),
        new byte[0],
        null,
        null,
        null,
        null,
        null,
        0,
        null,
        1,
        AT,
        AT);
  }

  private static JsonNode body(String kind, List<Delivery> together, @Nullable String url) {
    return JSON.readTree(GroupedMessage.of(integration(kind), together, url).body());
  }

  @Test
  void theFirstOnesGoTogetherInTheirOrder() {
    assertThat(together("slack", 3, free(deliveries(4, 5, 7, 9)))).containsExactly(4, 5, 7);
    assertThat(together("slack", 1, free(deliveries(4, 5)))).containsExactly(4);
    assertThat(together("slack", 50, free(deliveries(4)))).containsExactly(4);
  }

  /** It would overtake the earlier transition of its incident. */
  @Test
  void whatIsHeldBackStaysForAnotherMessage() {
    List<Candidate> waiting = new ArrayList<>(free(deliveries(4, 5, 7)));
    waiting.set(1, new Candidate(waiting.get(1).delivery(), true));

    assertThat(together("slack", 50, waiting)).containsExactly(4, 7);
  }

  @Test
  void aMessageHasRoomForWhatServicesTake() {
    List<Delivery> long1000 =
        IntStream.range(0, 100)
            .mapToObj(number -> delivery(number, "incident.fired", "é".repeat(1_000)))
            .toList();

    assertThat(together("teams", 100, free(long1000))).hasSize(GroupedMessage.MAX_BYTES / 2_000);
    assertThat(together("webhook", 100, free(long1000))).as("lines are not sent").hasSize(100);
    Delivery huge = delivery(1, "incident.fired", "x".repeat(2 * GroupedMessage.MAX_BYTES));
    assertThat(together("slack", 50, free(List.of(huge, huge)))).hasSize(1);
  }

  @Test
  void theSameTransitionsAreTheSameMessage() {
    GroupedMessage one = GroupedMessage.of(integration("slack"), deliveries(4, 5), URL);

    assertThat(GroupedMessage.of(integration("slack"), deliveries(4, 5), URL)).isEqualTo(one);
    assertThat(GroupedMessage.of(integration("slack"), deliveries(4, 5, 7), URL).messageId())
        .isNotEqualTo(one.messageId());
    assertThat(one.messageId()).startsWith("msg_").hasSize(36);
  }

  @ParameterizedTest
  @ValueSource(strings = {"slack", "teams", "email", "webhook"})
  void oneByItselfIsAsWithoutGrouping(String kind) {
    Delivery alone = deliveries(4).get(0);
    GroupedMessage message = GroupedMessage.of(integration(kind), List.of(alone), URL);

    assertThat(message.messageId()).isEqualTo(alone.messageId());
    assertThat(message.body()).isEqualTo(alone.body());
  }

  @Test
  void peopleReadHowManyWhichAndWhere() {
    List<Delivery> together = new ArrayList<>(deliveries(4, 5));
    together.add(delivery(7, "incident.resolved", "CRITICAL: resolved:\nqueue 4"));
    String head = "3 transitions of Queue is long: 2 fired, 1 resolved";
    String lines = "- CRITICAL: queue 4\n- CRITICAL: queue 5\n- CRITICAL: resolved: queue 4";

    assertThat(body("slack", together, URL).path("text").asString())
        .isEqualTo(head + "\n" + lines + "\n" + URL);
    JsonNode card = body("teams", together, URL).at("/attachments/0/content/body");
    assertThat(card.at("/0/text").asString()).isEqualTo(head);
    assertThat(card.at("/1/text").asString()).isEqualTo(lines + "\n\n[Incidents](" + URL + ")");
    assertThat(body("email", together, URL).path("subject").asString()).isEqualTo(head);
    assertThat(body("email", together, null).path("text").asString()).isEqualTo(lines + "\n\n");
  }

  @Test
  void aWebhookHasEveryMessageWhole() {
    JsonNode body = body("webhook", deliveries(4, 5), URL);

    assertThat(body.path("type").asString()).isEqualTo("incidents.grouped");
    assertThat(body.at("/data/count").asInt()).isEqualTo(2);
    assertThat(body.at("/data/group").asString()).isEqualTo("Queue is long");
    assertThat(body.at("/data/url").asString()).isEqualTo(URL);
    assertThat(body.at("/data/messages/1/data/event_id").asString()).isEqualTo("event-5");
  }
}
