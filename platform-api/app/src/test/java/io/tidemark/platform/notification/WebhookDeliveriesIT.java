package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionRecorder;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.WebhookReceiver;
import io.tidemark.platform.testing.WebhookVerifiers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receivers hear of incidents: signed, in order, whatever another receiver does. */
@ExtendWith(RunningPlatform.Extension.class)
class WebhookDeliveriesIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RunningPlatform platform;
  private final ControlApi demo;

  WebhookDeliveriesIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private static <T> T await(String what, Supplier<T> ask, Predicate<T> satisfied) {
    return InterruptibleDelay.until(what, PATIENCE, () -> Optional.of(ask.get()), satisfied);
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  private JsonNode integration(String place, WebhookReceiver receiver, boolean isTested) {
    Answer made =
        demo.post(
            place + "/integrations",
            "{\"name\":\"R\",\"kind\":\"webhook\",\"url\":\"%s\",\"send_test\":%s}"
                .formatted(receiver.url(), isTested));
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    return made.body();
  }

  private void tell(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind));
  }

  @Test
  void addressesInsideAndCredentialsInUrlsAreRefused() {
    String place = environment("env-alerts-urls");
    for (String url :
        List.of(
            "https://10.0.0.1/",
            "https://[::1]/",
            "https://169.254.169.254/latest",
            "https://2130706434/".replace("2130706434", "3232235777"),
            "https://user:secret@example.org/",
            "https://example.org/#fragment",
            "ftp://example.org/",
            "nonsense")) {
      Answer refused =
          demo.post(
              place + "/integrations",
              "{\"name\":\"R\",\"kind\":\"webhook\",\"url\":\"" + url + "\"}");
      assertThat(refused.status()).as(url).isEqualTo(400);
      assertThat(refused.body().path("errors").toString()).as(url).contains("url ");
    }
  }

  @Test
  void anIncidentIsToldOnceInOrderAndSigned() throws Exception {
    String place = environment("env-alerts-told");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    // The test message and the first attempt of the incident fail.
    try (WebhookReceiver receiver = new WebhookReceiver(500)) {
      String secret = integration(place, receiver, false).path("secret").asString();
      tell("env-alerts-told", rule, "inc-told", 1, Kind.FIRED);
      tell("env-alerts-told", rule, "inc-told", 1, Kind.FIRED);
      tell("env-alerts-told", rule, "inc-told", 2, Kind.RESOLVED);
      tell("env-alerts-told", rule, "inc-told", 2, Kind.RESOLVED);

      List<WebhookReceiver.Message> messages = receiver.messages(3);

      assertThat(messages.get(0).id()).as("tried again").isEqualTo(messages.get(1).id());
      assertThat(messages.stream().map(message -> message.data().path("state").asString()).toList())
          .containsExactly("open", "open", "resolved");
      for (WebhookReceiver.Message message : messages) {
        new Webhook(secret)
            .verify(message.body(), HttpHeaders.of(message.headers(), (name, value) -> true));
      }
      JsonNode incident = demo.get(place + "/incidents/inc-told").body();
      assertThat(incident.path("state").asString()).isEqualTo("resolved");
      assertThat(incident.path("annotations").path("summary").asString())
          .isEqualTo("orders has 150.0");
      assertThat(incident.path("timeline")).hasSize(2);
    }
  }

  @Test
  void aReceiverThatIsGoneIsNotTriedAgainUntilItIsEnabled() throws Exception {
    String place = environment("env-alerts-gone");
    try (WebhookReceiver receiver = new WebhookReceiver(410)) {
      JsonNode made = integration(place, receiver, true);
      String path = place + "/integrations/" + made.path("integration").path("id").asString();
      JsonNode disabled =
          await(
              "the end of deliveries",
              () -> demo.get(path).body(),
              body -> body.path("disabled_reason").asString().contains("410"));
      assertThat(receiver.messages(1)).hasSize(1);
      assertThat(
              demo.call(
                      "PUT",
                      path,
                      "{\"name\":\"R\",\"kind\":\"webhook\",\"url\":\"%s\"}"
                          .formatted(receiver.url()),
                      "If-Match",
                      "*")
                  .status())
          .isEqualTo(200);
      assertThat(disabled.path("failing_since").asString()).isNotEmpty();

      List<WebhookReceiver.Message> messages = receiver.messages(2);
      assertThat(messages.get(1).id()).isEqualTo(messages.get(0).id());
    }
  }

  @Test
  void aRedirectIsAFailureAndTheLogShowsEveryAttempt() throws Exception {
    String place = environment("env-alerts-log");
    try (WebhookReceiver receiver = new WebhookReceiver(302)) {
      JsonNode made = integration(place, receiver, true);
      String path = place + "/integrations/" + made.path("integration").path("id").asString();
      assertThat(receiver.messages(1)).hasSize(1);
      String delivery =
          demo.get(path + "/deliveries").body().path("data").path(0).path("id").asString();
      JsonNode tried =
          await(
              "the attempt in the log",
              () -> demo.get(path + "/deliveries/" + delivery).body(),
              body -> body.path("attempts").size() == 1);
      assertThat(tried.path("attempts").path(0).path("status").asInt()).isEqualTo(302);
      assertThat(tried.path("state").asString()).isEqualTo("waiting");

      assertThat(demo.post(path + "/deliveries/" + delivery + "/resend", null).status())
          .isEqualTo(202);
      List<WebhookReceiver.Message> messages = receiver.messages(2);
      assertThat(messages.get(1).id()).isEqualTo(messages.get(0).id());
      await(
          "the delivery",
          () -> demo.get(path + "/deliveries/" + delivery).body(),
          body -> body.path("state").asString().equals("delivered"));
    }
  }

  @Test
  void anotherReceiverDoesNotWaitForOneThatIsAway() throws Exception {
    String place = environment("env-alerts-away");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    try (WebhookReceiver away = new WebhookReceiver(503, 503, 503, 503);
        WebhookReceiver here = new WebhookReceiver()) {
      integration(place, away, false);
      integration(place, here, false);
      for (int i = 0; i < 20; i++) {
        tell("env-alerts-away", rule, "inc-away-" + i, 1, Kind.FIRED);
      }

      assertThat(here.messages(20)).hasSize(20);
      assertThat(away.messages(1).size()).as("one probes for all").isLessThan(20);
    }
  }

  /** Takes messages and answers none, until it is closed. */
  private static final class SilentReceiver implements AutoCloseable {
    private final AtomicInteger taken = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    SilentReceiver() throws Exception {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
      server.setExecutor(threads);
      server.createContext(
          "/",
          exchange -> {
            taken.incrementAndGet();
            try {
              closed.await();
            } catch (InterruptedException stopped) {
              Thread.currentThread().interrupt();
            }
            exchange.close();
          });
      server.start();
    }

    String body(String more) {
      return "{\"name\":\"S\",\"kind\":\"webhook\",\"send_test\":false,%s\"url\":\"http://127.0.0.1:%d/\"}"
          .formatted(more, server.getAddress().getPort());
    }

    @Override
    public void close() {
      closed.countDown();
      server.stop(0);
      threads.shutdownNow();
    }
  }

  @Test
  void oneThatNeverAnswersAndOneThatIsDisabledKeepNobodyWaiting() throws Exception {
    String place = environment("env-alerts-silent");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    try (SilentReceiver silent = new SilentReceiver();
        WebhookReceiver here = new WebhookReceiver()) {
      Answer made = demo.post(place + "/integrations", silent.body(""));
      assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
      String path =
          place + "/integrations/" + made.body().path("integration").path("id").asString();
      int more = 80;
      for (int i = 0; i < more; i++) {
        tell("env-alerts-silent", rule, "inc-silent-" + i, 1, Kind.FIRED);
      }
      await("an attempt", silent.taken::get, taken -> taken > 0);
      integration(place, here, false);
      tell("env-alerts-silent", rule, "inc-silent-heard", 1, Kind.FIRED);
      assertThat(here.messages(1)).hasSize(1);
      assertThat(silent.taken.get()).as("it has few threads").isLessThanOrEqualTo(3);

      // Its messages have waited longest, and nothing pauses it but whoever disabled it.
      assertThat(
              demo.call("PUT", path, silent.body("\"enabled\":false,"), "If-Match", "*").status())
          .isEqualTo(200);
      assertThat(
              platform
                  .database()
                  .sql("UPDATE integration SET paused_until = NULL WHERE id = :id")
                  .param("id", made.body().path("integration").path("id").asString())
                  .update())
          .isEqualTo(1);
      tell("env-alerts-silent", rule, "inc-silent-heard", 2, Kind.RESOLVED);
      assertThat(here.messages(2)).hasSize(2);
      assertThat(
              demo.get(path + "/deliveries").body().path("data").path(0).path("state").asString())
          .as("what waits for it stays")
          .isEqualTo("waiting");
    }
  }

  @Test
  void aSecretIsReplacedWithAnOverlap() throws Exception {
    String place = environment("env-alerts-secret");
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      JsonNode made = integration(place, receiver, false);
      String path = place + "/integrations/" + made.path("integration").path("id").asString();
      Answer rotated = demo.post(path + "/rotate-secret", null);
      assertThat(rotated.status()).isEqualTo(200);
      assertThat(demo.post(path + "/rotate-secret", null).status()).isEqualTo(409);
      assertThat(demo.post(path + "/test", null).status()).isEqualTo(202);

      WebhookReceiver.Message message = receiver.messages(1).get(0);
      for (JsonNode secret : List.of(made.path("secret"), rotated.body().path("secret"))) {
        new Webhook(secret.asString())
            .verify(message.body(), HttpHeaders.of(message.headers(), (name, value) -> true));
      }
      assertThat(demo.get(path).body().has("secret")).isFalse();
    }
  }

  @Test
  void referenceLibrariesOfFourLanguagesVerifyWhatIsDelivered() throws Exception {
    String place = environment("env-alerts-verified");
    WebhookVerifiers verifiers = new WebhookVerifiers();
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      JsonNode made = integration(place, receiver, true);
      String secret = made.path("secret").asString();
      WebhookReceiver.Message message = receiver.messages(1).get(0);
      new Webhook(secret)
          .verify(message.body(), HttpHeaders.of(message.headers(), (name, value) -> true));
      Map<String, String> headers = new TreeMap<>();
      message
          .headers()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));

      assertThat(verifiers.verify(secret, message.body(), headers))
          .hasSize(3)
          .allSatisfy((language, run) -> assertThat(run.exit()).as(run.told()).isZero());
      assertThat(verifiers.verify(secret, message.body() + " ", headers))
          .allSatisfy((language, run) -> assertThat(run.exit()).as(run.told()).isEqualTo(1));
    }
  }

  @Test
  void aHeartbeatComesAsLongAsAlertsAreDecided() throws Exception {
    String place = environment("env-alerts-heartbeat");
    platform.progress().completeUntil(Instant.now().minus(Duration.ofMinutes(10)));
    try (WebhookReceiver receiver = new WebhookReceiver()) {
      Answer made =
          demo.post(
              place + "/integrations",
              """
              {"name":"Watch","kind":"webhook","url":"%s","send_test":false,"heartbeat_minutes":5}
              """
                  .formatted(receiver.url()));
      assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
      String id = made.body().path("integration").path("id").asString();
      await(
          "a look that found the pipeline standing",
          () ->
              platform
                  .database()
                  .sql("SELECT heartbeat_at IS NOT NULL FROM integration WHERE id = :id")
                  .param("id", id)
                  .query(Boolean.class)
                  .single(),
          Boolean::booleanValue);
      assertThat(receiver.messages(0)).isEmpty();

      platform.progress().completeUntil(Instant.now());
      platform
          .database()
          .sql("UPDATE integration SET heartbeat_at = now() WHERE id = :id")
          .param("id", id)
          .update();
      WebhookReceiver.Message message = receiver.messages(1).get(0);
      assertThat(JSON.readTree(message.body()).path("type").asString()).isEqualTo("heartbeat");
      assertThat(message.data().path("next_within_minutes").asInt()).isEqualTo(5);
      new Webhook(made.body().path("secret").asString())
          .verify(message.body(), HttpHeaders.of(message.headers(), (name, value) -> true));
      assertThat(receiver.messages(1)).hasSize(1);
    }
    Answer refused =
        demo.post(
            place + "/integrations",
            """
            {"name":"Pager","kind":"pagerduty","url":"https://events.pagerduty.com/v2/enqueue",
             "routing_key":"k","heartbeat_minutes":0}
            """);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("errors").toString())
        .contains("heartbeat_minutes must be 1 to 1440", "absent for pagerduty");
  }
}
