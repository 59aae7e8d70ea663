package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionRecorder;
import io.tidemark.platform.notification.CrossTenantDeliveries.Due;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.WebhookReceiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whatever receivers and dispatchers do, each transition is told under one identifier, in order.
 */
@ExtendWith(RunningPlatform.Extension.class)
class WebhookFaultsIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RunningPlatform platform;
  private final ControlApi demo;

  WebhookFaultsIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  /** What a receiver does with its first message; it takes all others. */
  private enum Fault {
    ASKS_FOR_SEVEN_SECONDS,
    DROPS_THE_CONNECTION,
    ANSWERS_BYTE_BY_BYTE
  }

  private record ReceivedMessage(String id, String state, long at) {}

  /** Has one fault. */
  private static final class FaultyReceiver implements AutoCloseable {
    private final Fault fault;
    private final ConcurrentLinkedQueue<ReceivedMessage> heard = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    FaultyReceiver(Fault fault) throws IOException {
      this.fault = fault;
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean isFirst = heard.isEmpty();
      heard.add(
          new ReceivedMessage(
              exchange.getRequestHeaders().getFirst("webhook-id"),
              JSON.readTree(body).path("data").path("state").asString(),
              System.nanoTime()));
      if (!isFirst) {
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
        return;
      }
      switch (fault) {
        case ASKS_FOR_SEVEN_SECONDS -> {
          exchange.getResponseHeaders().add("Retry-After", "7");
          exchange.sendResponseHeaders(429, -1);
        }
        case DROPS_THE_CONNECTION -> {
          // Closed without an answer.
        }
        case ANSWERS_BYTE_BY_BYTE -> {
          exchange.sendResponseHeaders(200, 0);
          try {
            do {
              exchange.getResponseBody().write('.');
              exchange.getResponseBody().flush();
            } while (!closed.await(100, TimeUnit.MILLISECONDS));
          } catch (IOException | InterruptedException cutOff) {
            // As it should be.
          }
        }
      }
      exchange.close();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    List<ReceivedMessage> heard(int least) {
      return InterruptibleDelay.until(
          least + " messages for a receiver that " + fault,
          PATIENCE,
          () -> Optional.of(List.copyOf(heard)),
          messages -> messages.size() >= least);
    }

    @Override
    public void close() {
      closed.countDown();
      server.stop(0);
      threads.shutdownNow();
    }
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

  /** The path of an integration. */
  private String integration(String place, String kind, String url, String more) {
    Answer made =
        demo.post(
            place + "/integrations",
            "{\"name\":\"R\",\"kind\":\"%s\",\"url\":\"%s\",%s\"send_test\":false}"
                .formatted(kind, url, more));
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

  private JsonNode newestDelivery(String integration, int place) {
    JsonNode all = demo.get(integration + "/deliveries").body().path("data");
    return demo.get(integration + "/deliveries/" + all.path(place).path("id").asString()).body();
  }

  @Test
  void aReceiverThatFailsHearsAgainUnderTheSameIdentifierAndInOrder() throws Exception {
    String place = environment("env-alerts-faults");
    String rule = rule(place);
    List<FaultyReceiver> receivers = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    try {
      for (Fault fault : Fault.values()) {
        receivers.add(new FaultyReceiver(fault));
        paths.add(integration(place, "webhook", receivers.get(receivers.size() - 1).url(), ""));
      }
      tell("env-alerts-faults", rule, "inc-faults", 1, Kind.FIRED);
      tell("env-alerts-faults", rule, "inc-faults", 2, Kind.RESOLVED);

      for (FaultyReceiver receiver : receivers) {
        List<ReceivedMessage> heard = receiver.heard(3);
        assertThat(heard)
            .extracting(ReceivedMessage::state)
            .containsExactly("open", "open", "resolved");
        assertThat(heard.get(0).id()).isEqualTo(heard.get(1).id());
        assertThat(heard.get(2).id()).isNotEqualTo(heard.get(1).id());
      }
      List<ReceivedMessage> busy = receivers.get(0).heard(3);
      assertThat(busy.get(1).at() - busy.get(0).at())
          .as("not before it asked for")
          .isGreaterThanOrEqualTo(Duration.ofSeconds(7).toNanos());
      assertThat(newestDelivery(paths.get(0), 1).at("/attempts/0/status").asInt()).isEqualTo(429);
      assertThat(newestDelivery(paths.get(1), 1).at("/attempts/0").has("status")).isFalse();
      assertThat(newestDelivery(paths.get(2), 1).at("/attempts/0/error").asString())
          .startsWith("No answer within");
    } finally {
      receivers.forEach(FaultyReceiver::close);
    }
  }

  /** A dispatcher that was killed leaves its claims, and nothing else. */
  @Test
  void whatAKilledDispatcherHadClaimedGoesWhenTheClaimEnds() throws Exception {
    String place = environment("env-alerts-killed");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      String path = integration(place, "webhook", receiver.url(), "");
      pause(path, "now() + interval '1 hour'");
      tell("env-alerts-killed", rule, "inc-killed", 1, Kind.FIRED);
      tell("env-alerts-killed", rule, "inc-killed", 2, Kind.RESOLVED);
      Instant until = Instant.now().plusSeconds(2);
      assertThat(
              platform
                  .database()
                  .sql(
                      """
                      UPDATE delivery SET claimed_until = now() + interval '2 seconds'
                      WHERE integration_id = :id AND type = 'incident.fired'
                      """)
                  .param("id", id(path))
                  .update())
          .isEqualTo(1);
      pause(path, "NULL");

      List<WebhookReceiver.Message> messages = receiver.messages(2);
      assertThat(Instant.now()).isAfterOrEqualTo(until);
      assertThat(messages.stream().map(message -> message.data().path("state").asString()).toList())
          .containsExactly("open", "resolved");
    }
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

  @Test
  void ofManyDispatchersOneMakesEachAttempt() throws Exception {
    String place = environment("env-alerts-rivals");
    String rule = rule(place);
    int incidents = 24;
    ExecutorService rivals = Executors.newFixedThreadPool(4);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      String path = integration(place, "webhook", receiver.url(), "");
      pause(path, "now() + interval '1 hour'");
      for (int i = 0; i < incidents; i++) {
        tell("env-alerts-rivals", rule, "inc-rivals-" + i, 1, Kind.FIRED);
      }
      List<Due> due =
          platform
              .database()
              .sql("SELECT id FROM delivery WHERE integration_id = :id")
              .param("id", id(path))
              .query((row, number) -> new Due(DEMO, row.getString(1), id(path)))
              .list();
      assertThat(due).hasSize(incidents);
      pause(path, "NULL");
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(rivals.submit(() -> platform.bean(DeliveryDispatcher.class).dispatch(due)));
      }
      for (Future<?> each : all) {
        each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }

      receiver.messages(incidents);
      InterruptibleDelay.until(
          "the end of all deliveries",
          PATIENCE,
          () ->
              Optional.of(
                  platform
                      .database()
                      .sql(
                          """
                          SELECT count(*) FROM delivery
                          WHERE integration_id = :id AND state = 'delivered' AND attempt_count = 1
                            AND claimed_until IS NULL
                          """)
                      .param("id", id(path))
                      .query(Integer.class)
                      .single()),
          delivered -> delivered == incidents);
      assertThat(receiver.messages(incidents).stream().map(WebhookReceiver.Message::id).distinct())
          .hasSize(incidents);
      assertThat(receiver.messages(incidents)).as("each once").hasSize(incidents);
    } finally {
      rivals.shutdownNow();
    }
  }

  @Test
  void anIntegrationThatTookNothingForDaysIsDisabledAndOthersHearOfIt() throws Exception {
    String place = environment("env-alerts-days");
    String rule = rule(place);
    try (WebhookReceiver gone = new WebhookReceiver(503);
        WebhookReceiver here = new WebhookReceiver()) {
      String path = integration(place, "webhook", gone.url(), "\"labels\":{\"team\":\"it\"},");
      integration(place, "webhook", here.url(), "\"labels\":{\"team\":\"other\"},");
      assertThat(
              platform
                  .database()
                  .sql(
                      """
                      UPDATE integration SET failing_since = now() - interval '121 hours'
                      WHERE id = :id
                      """)
                  .param("id", id(path))
                  .update())
          .isEqualTo(1);
      tell("env-alerts-days", rule, "inc-days", 1, Kind.FIRED);

      WebhookReceiver.Message notice = here.messages(1).get(0);
      assertThat(JSON.readTree(notice.body()).path("type").asString())
          .isEqualTo("integration.disabled");
      assertThat(notice.data().path("integration_id").asString()).isEqualTo(id(path));
      assertThat(notice.data().path("reason").asString()).startsWith("No message was taken since");
      assertThat(demo.get(path).body().path("disabled_reason").asString())
          .isEqualTo(notice.data().path("reason").asString());
      assertThat(gone.messages(1)).as("and it is left alone").hasSize(1);
      assertThat(here.messages(1)).as("told once").hasSize(1);
    }
  }

  @Test
  void anAlertOfOpsgenieIsClosedWhereItWasMade() throws Exception {
    String place = environment("env-alerts-opsgenie");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      String url = receiver.url() + "/v2/alerts";
      String path = integration(place, "opsgenie", url, "\"routing_key\":\"genie\",");
      tell("env-alerts-opsgenie", rule, "inc-opsgenie", 1, Kind.FIRED);
      tell("env-alerts-opsgenie", rule, "inc-opsgenie", 2, Kind.RESOLVED);

      List<WebhookReceiver.Message> messages = receiver.messages(2);
      assertThat(JSON.readTree(messages.get(0).body()).path("alias").asString())
          .isEqualTo("inc-opsgenie");
      JsonNode closed =
          InterruptibleDelay.until(
              "the attempt in the log",
              PATIENCE,
              () -> Optional.of(newestDelivery(path, 0)),
              body -> body.path("attempts").size() == 1);
      assertThat(closed.at("/attempts/0/request/url").asString())
          .isEqualTo(url + "/inc-opsgenie/close?identifierType=alias");
      assertThat(closed.toString()).as("the key is a header").doesNotContain("GenieKey");
    }
  }

  /** The log shows what was sent, without what is secret. */
  @Test
  void theLogShowsTheRequestAndKeepsTheRoutingKey() throws Exception {
    String place = environment("env-alerts-request");
    String rule = rule(place);
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      String path =
          integration(place, "pagerduty", receiver.url(), "\"routing_key\":\"very-secret\",");
      tell("env-alerts-request", rule, "inc-request", 1, Kind.FIRED);
      WebhookReceiver.Message message = receiver.messages(1).get(0);
      assertThat(JSON.readTree(message.body()).path("routing_key").asString())
          .isEqualTo("very-secret");

      JsonNode delivery =
          InterruptibleDelay.until(
              "the attempt in the log",
              PATIENCE,
              () -> Optional.of(newestDelivery(path, 0)),
              body -> body.path("attempts").size() == 1);
      JsonNode request = delivery.at("/attempts/0/request");
      assertThat(request.path("url").asString()).isEqualTo(receiver.url());
      assertThat(request.path("headers").path("webhook-id").asString()).isEqualTo(message.id());
      assertThat(request.path("headers").path("webhook-signature").asString()).startsWith("v1,");
      assertThat(delivery.toString()).doesNotContain("very-secret");
      assertThat(
              platform
                  .database()
                  .sql("SELECT count(*) FROM delivery WHERE body LIKE '%very-secret%'")
                  .query(Integer.class)
                  .single())
          .as("nor does the database")
          .isZero();
    }
  }
}
