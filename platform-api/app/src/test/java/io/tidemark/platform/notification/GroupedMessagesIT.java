package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionRecorder;
import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.WebhookReceiver;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Transitions that share messages: each is told, in the order of its incident, and a message is the
 * same in every attempt, whoever makes it.
 */
@ExtendWith(RunningPlatform.Extension.class)
class GroupedMessagesIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RunningPlatform platform;
  private final ControlApi demo;

  GroupedMessagesIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  private String rule(String place) {
    return demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
  }

  private static String body(String kind, String url, int most) {
    return """
        {"name":"R","kind":"%s","url":"%s","send_test":false,
         "group_messages":{"wait_seconds":0,"max_transitions":%d}}
        """
        .formatted(kind, url, most);
  }

  /** The path of an integration. */
  private String integration(String place, String body) {
    Answer made = demo.post(place + "/integrations", body);
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    return place + "/integrations/" + made.body().path("integration").path("id").asString();
  }

  private static String id(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private void tell(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind));
  }

  private void pause(String integration, String until) {
    assertThat(
            platform
                .database()
                .sql("UPDATE integration SET paused_until = " + until + " WHERE id = :id")
                .param("id", id(integration))
                .update())
        .isEqualTo(1);
  }

  /** What a message tells, as incident and state. */
  private static List<String> told(WebhookReceiver.Message message) {
    List<String> told = new ArrayList<>();
    JsonNode body = JSON.readTree(message.body());
    if (body.path("type").asString().equals("incidents.grouped")) {
      body.at("/data/messages").forEach(one -> told.add(toldBy(one)));
    } else {
      told.add(toldBy(body));
    }
    return told;
  }

  private static String toldBy(JsonNode body) {
    return body.at("/data/incident_id").asString() + " " + body.at("/data/state").asString();
  }

  private List<Delivery> waiting(String integration) {
    return platform
        .bean(TenantTransactions.class)
        .within(
            DEMO,
            () ->
                platform
                    .bean(JdbcDeliveries.class)
                    .list(DEMO, id(integration), Long.MAX_VALUE, 500)
                    .stream()
                    .map(Integrations.ListedDelivery::delivery)
                    .sorted(Comparator.comparingLong(Delivery::number))
                    .toList());
  }

  private JsonNode delivered(String integration, int least) {
    return InterruptibleDelay.until(
        least + " deliveries in the log",
        PATIENCE,
        () -> Optional.of(demo.get(integration + "/deliveries?limit=100").body().path("data")),
        all ->
            IntStream.range(0, all.size())
                    .filter(i -> all.path(i).path("state").asString().equals("delivered"))
                    .count()
                >= least);
  }

  @Test
  void ofManyDispatchersOneSendsEachGroupAndADeadReceiverDelaysNoOther() throws Exception {
    String place = environment("env-grouped");
    String rule = rule(place);
    int incidents = 24;
    ExecutorService rivals = Executors.newFixedThreadPool(4);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      integration(place, body("slack", "http://127.0.0.1:9/", 10));
      String path = integration(place, body("webhook", receiver.url(), 10));
      pause(path, "now() + interval '1 hour'");
      for (int i = 0; i < incidents; i++) {
        tell("env-grouped", rule, "inc-grouped-" + i, 1, Kind.FIRED);
      }
      tell("env-grouped", rule, "inc-grouped-0", 2, Kind.RESOLVED);
      List<Delivery> all = waiting(path);
      assertThat(all).hasSize(incidents + 1);
      List<Due> first = List.of(new Due(DEMO, all.get(0).id(), id(path)));
      pause(path, "NULL");
      List<Future<?>> attempts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        attempts.add(rivals.submit(() -> platform.bean(DeliveryDispatcher.class).dispatch(first)));
      }
      for (Future<?> each : attempts) {
        each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }

      JsonNode log = delivered(path, incidents + 1);
      List<WebhookReceiver.Message> messages = receiver.messages(3);
      assertThat(messages).as("25 transitions, 10 a message").hasSize(3);
      assertThat(messages.stream().map(WebhookReceiver.Message::id).distinct()).hasSize(3);
      List<String> told = messages.stream().flatMap(message -> told(message).stream()).toList();
      assertThat(told)
          .as("each once")
          .containsExactlyInAnyOrderElementsOf(
              IntStream.rangeClosed(0, incidents)
                  .mapToObj(
                      i -> i < incidents ? "inc-grouped-" + i + " open" : "inc-grouped-0 resolved")
                  .toList());
      assertThat(told.indexOf("inc-grouped-0 resolved"))
          .isGreaterThan(told.indexOf("inc-grouped-0 open"));

      JsonNode newest = demo.get(path + "/deliveries/" + log.path(0).path("id").asString()).body();
      assertThat(newest.path("message_id").asString()).isEqualTo(messages.get(2).id());
      assertThat(newest.path("group").asString()).isEqualTo("Queue is long");
      assertThat(newest.path("transition_count").asInt()).isEqualTo(5);
      assertThat(newest.path("transition_ids").toString())
          .contains("inc-grouped-23-1", "inc-grouped-0-2");
      assertThat(newest.path("body").asString()).isEqualTo(messages.get(2).body());
      assertThat(newest.path("attempts")).hasSize(1);
      assertThat(log.path(0).path("message_id").asString()).isEqualTo(messages.get(2).id());
    } finally {
      rivals.shutdownNow();
    }
  }

  @Test
  void aRetrySendsTheSameTransitionsUnderTheSameIdentifier() throws Exception {
    String place = environment("env-grouped-retry");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver(503)) {
      String path = integration(place, body("webhook", receiver.url(), 50));
      pause(path, "now() + interval '1 hour'");
      tell("env-grouped-retry", rule, "inc-retry-a", 1, Kind.FIRED);
      tell("env-grouped-retry", rule, "inc-retry-b", 1, Kind.FIRED);
      pause(path, "NULL");
      receiver.messages(1);
      tell("env-grouped-retry", rule, "inc-retry-a", 2, Kind.RESOLVED);
      tell("env-grouped-retry", rule, "inc-retry-c", 1, Kind.FIRED);

      List<WebhookReceiver.Message> messages = receiver.messages(3);
      assertThat(messages.get(1).id()).isEqualTo(messages.get(0).id());
      assertThat(messages.get(1).body()).isEqualTo(messages.get(0).body());
      assertThat(told(messages.get(1))).containsExactly("inc-retry-a open", "inc-retry-b open");
      assertThat(told(messages.get(2))).containsExactly("inc-retry-a resolved", "inc-retry-c open");
      delivered(path, 4);
      assertThat(receiver.messages(3)).hasSize(3);

      String resent = waiting(path).get(1).id();
      assertThat(demo.post(path + "/deliveries/" + resent + "/resend", "").status()).isEqualTo(202);
      WebhookReceiver.Message again = receiver.messages(4).get(3);
      assertThat(again.id()).as("by hand, too").isEqualTo(messages.get(0).id());
      assertThat(again.body()).isEqualTo(messages.get(0).body());
    }
  }

  /** A dispatcher that was killed leaves its message and its claims, and nothing else. */
  @Test
  void whatAKilledDispatcherHadGroupedGoesAsItWasWhenTheClaimEnds() throws Exception {
    String place = environment("env-grouped-killed");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      String path = integration(place, body("webhook", receiver.url(), 50));
      pause(path, "now() + interval '1 hour'");
      tell("env-grouped-killed", rule, "inc-killed-a", 1, Kind.FIRED);
      tell("env-grouped-killed", rule, "inc-killed-b", 1, Kind.FIRED);
      Instant until = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.MICROS);
      String messageId = groupAndDie(path, until);
      tell("env-grouped-killed", rule, "inc-killed-a", 2, Kind.RESOLVED);
      pause(path, "NULL");

      List<WebhookReceiver.Message> messages = receiver.messages(2);
      assertThat(Instant.now()).isAfterOrEqualTo(until);
      assertThat(messages.get(0).id()).isEqualTo(messageId);
      assertThat(told(messages.get(0))).containsExactly("inc-killed-a open", "inc-killed-b open");
      assertThat(told(messages.get(1))).containsExactly("inc-killed-a resolved");
    }
  }

  private String groupAndDie(String path, Instant until) {
    JdbcDeliveries deliveries = platform.bean(JdbcDeliveries.class);
    return platform
        .bean(TenantTransactions.class)
        .within(
            DEMO,
            () -> {
              Integration integration =
                  platform.bean(JdbcIntegrations.class).lock(DEMO, id(path)).orElseThrow();
              List<Delivery> all =
                  deliveries.list(DEMO, id(path), Long.MAX_VALUE, 10).stream()
                      .map(Integrations.ListedDelivery::delivery)
                      .sorted(Comparator.comparingLong(Delivery::number))
                      .toList();
              GroupedMessage message =
                  GroupedMessage.of(
                      integration,
                      GroupedMessage.together(
                          "webhook", deliveries.candidates(DEMO, all.get(0), 50), 50),
                      null);
              deliveries.carry(DEMO, id(path), message, Instant.now(), until);
              return message.messageId();
            });
  }

  @Test
  void groupingThatIsSwitchedOffLeavesTheOrderOfIncidents() throws Exception {
    String place = environment("env-grouped-off");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver(503)) {
      String path = integration(place, body("webhook", receiver.url(), 50));
      pause(path, "now() + interval '1 hour'");
      tell("env-grouped-off", rule, "inc-off-a", 1, Kind.FIRED);
      tell("env-grouped-off", rule, "inc-off-b", 1, Kind.FIRED);
      assertThat(
              demo.call("PUT", path, body("webhook", receiver.url(), 1), "If-Match", "*").status())
          .isEqualTo(200);
      pause(path, "now() + interval '1 hour'");
      tell("env-grouped-off", rule, "inc-off-b", 2, Kind.RESOLVED);
      pause(path, "NULL");

      assertThat(
              receiver.messages(4).stream()
                  .flatMap(message -> told(message).stream())
                  .filter(told -> told.startsWith("inc-off-b"))
                  .toList())
          .endsWith("inc-off-b open", "inc-off-b resolved")
          .filteredOn("inc-off-b resolved"::equals)
          .hasSize(1);
    }
  }

  @Test
  void slackIsGroupedAsShippedAndTheFieldIsCheckedAndShown() throws Exception {
    String place = environment("env-grouped-slack");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      String path =
          integration(
              place,
              "{\"name\":\"S\",\"kind\":\"slack\",\"url\":\"%s\",\"send_test\":false}"
                  .formatted(receiver.url()));
      assertThat(demo.get(path).body().has("group_messages")).isFalse();
      tell("env-grouped-slack", rule, "inc-slack-a", 1, Kind.FIRED);
      tell("env-grouped-slack", rule, "inc-slack-b", 1, Kind.FIRED);

      String text = JSON.readTree(receiver.messages(1).get(0).body()).path("text").asString();
      assertThat(text).startsWith("2 transitions of Queue is long: 2 fired\n- CRITICAL: fired");
      delivered(path, 2);
      assertThat(receiver.messages(1)).hasSize(1);
    }
    Answer refused =
        demo.post(
            place + "/integrations",
            """
            {"name":"P","kind":"slack","url":"https://example.org/","send_test":false,
             "group_messages":{"by":["team"],"wait_seconds":999,"max_transitions":0}}
            """);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("errors").toString())
        .contains("group_messages.by", "group_messages.wait_seconds", "max_transitions");
    String path =
        integration(
            place,
            """
            {"name":"P","kind":"teams","url":"https://example.org/","send_test":false,
             "group_messages":{"by":["labels.team"],"wait_seconds":30}}
            """);
    JsonNode shown = demo.get(path).body().path("group_messages");
    assertThat(shown.at("/by/0").asString()).isEqualTo("labels.team");
    assertThat(shown.path("wait_seconds").asInt()).isEqualTo(30);
    assertThat(shown.has("max_transitions")).isFalse();
  }
}
