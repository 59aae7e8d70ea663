package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingDruidRows;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.WebhookVerifiers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
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

/** Rules reach the pipeline, what it says becomes incidents, and receivers hear of them. */
@ExtendWith(RunningPlatform.Extension.class)
class AlertsApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RunningPlatform platform;
  private final ControlApi demo;

  AlertsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private static <T> T await(String what, Supplier<T> ask, Predicate<T> satisfied) {
    return InterruptibleDelay.until(what, PATIENCE, () -> Optional.of(ask.get()), satisfied);
  }

  private static AlertRuleControl rule(byte[] value) {
    try {
      return AlertRuleControl.parseFrom(value);
    } catch (InvalidProtocolBufferException notOfTheContract) {
      throw new AssertionError(notOfTheContract);
    }
  }

  /** A receiver that answers as told, and 204 after that. */
  private static final class Receiver implements AutoCloseable {
    private record Message(String body, Map<String, List<String>> headers) {
      String id() {
        return headers.get("Webhook-id").get(0);
      }

      JsonNode data() {
        return JSON.readTree(body).path("data");
      }
    }

    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    Receiver(Integer... answers) throws Exception {
      this.answers.addAll(List.of(answers));
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            messages.add(new Message(body, Map.copyOf(exchange.getRequestHeaders())));
            Integer answer = this.answers.poll();
            if (answer != null && answer / 100 == 3) {
              exchange.getResponseHeaders().add("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(answer == null ? 204 : answer, -1);
            exchange.close();
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    List<Message> messages(int least) throws Exception {
      return await(
          least + " messages", () -> List.copyOf(messages), received -> received.size() >= least);
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  private JsonNode integration(String place, Receiver receiver, boolean isTested) {
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
  void aRuleReachesThePipelineWithEachChangeAndGoesWithATombstone() throws Exception {
    String place = environment("env-alerts-rule");
    Answer made = demo.post(place + "/alert-rules", TestingAlerts.RULE, "Idempotency-Key", "r1");
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    String id = made.body().path("id").asString();
    assertThat(
            demo.post(place + "/alert-rules", TestingAlerts.RULE, "Idempotency-Key", "r1")
                .body()
                .path("id")
                .asString())
        .isEqualTo(id);
    String key = "org-demo/env-alerts-rule/" + id;

    AlertRuleControl first = published(key, 1);
    assertThat(first.getSignal().getMetric()).isEqualTo("queue");
    assertThat(first.getComparison().getThreshold()).isEqualTo(100);
    assertThat(first.getEffectiveFromUnixMs() % 60_000).isZero();
    Answer changed =
        demo.call(
            "PUT",
            place + "/alert-rules/" + id,
            TestingAlerts.RULE.replace("100", "200"),
            "If-Match",
            made.header("ETag"));
    assertThat(changed.status()).isEqualTo(200);
    assertThat(published(key, 2).getComparison().getThreshold()).isEqualTo(200);
    assertThat(
            demo.call(
                    "PUT",
                    place + "/alert-rules/" + id,
                    TestingAlerts.RULE,
                    "If-Match",
                    made.header("ETag"))
                .status())
        .isEqualTo(412);

    assertThat(demo.call("DELETE", place + "/alert-rules/" + id, null).status()).isEqualTo(204);
    await(
        "the tombstone",
        () -> platform.controlTopics().last("control.alert-rules.v1", key),
        record -> record.isPresent() && record.get().value() == null);
    assertThat(demo.get(place + "/alert-rules/" + id).status()).isEqualTo(404);
  }

  private AlertRuleControl published(String key, long version) throws Exception {
    return await(
        "version " + version,
        () -> {
          var record = platform.controlTopics().last("control.alert-rules.v1", key);
          return rule(record.map(ControlRecord::value).orElse(new byte[0]));
        },
        rule -> rule.getVersion() == version);
  }

  @Test
  void everyFaultOfARuleIsNamedAtOnce() {
    String place = environment("env-alerts-bad");
    Answer refused =
        demo.post(
            place + "/alert-rules",
            """
            {"name":"","severity":"info","runbook_url":"ftp://x","annotations":{"a":"%s"},
             "condition":{"metric":"","operator":"gt","threshold":1,"recovery_threshold":2,
               "window_minutes":0,"group_by":["queue"],"kind":"absence","early":true,
               "matchers":[{"label":"metric.q","operator":"regex","value":"("}]}}
            """
                .formatted("x".repeat(1_001)));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    String faults = refused.body().path("errors").toString();
    for (String field :
        List.of(
            "name must",
            "runbook_url must",
            "annotations must",
            "condition.metric must",
            "condition.recovery_threshold must",
            "condition.window_minutes must",
            "condition.group_by must",
            "condition.early must",
            "condition.matchers.value is not")) {
      assertThat(faults).contains(field);
    }
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
    try (Receiver receiver = new Receiver(500)) {
      String secret = integration(place, receiver, false).path("secret").asString();
      tell("env-alerts-told", rule, "inc-told", 1, Kind.FIRED);
      tell("env-alerts-told", rule, "inc-told", 1, Kind.FIRED);
      tell("env-alerts-told", rule, "inc-told", 2, Kind.RESOLVED);
      tell("env-alerts-told", rule, "inc-told", 2, Kind.RESOLVED);

      List<Receiver.Message> messages = receiver.messages(3);

      assertThat(messages.get(0).id()).as("tried again").isEqualTo(messages.get(1).id());
      assertThat(messages.stream().map(message -> message.data().path("state").asString()).toList())
          .containsExactly("open", "open", "resolved");
      for (Receiver.Message message : messages) {
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
  void anOpenMinuteRaisesAndTheCompleteOneConfirmsOrTakesBack() throws Exception {
    String place = environment("env-alerts-early");
    Answer made =
        demo.post(
            place + "/alert-rules",
            TestingAlerts.RULE.replace("\"threshold\":100", "\"threshold\":100,\"early\":true"));
    String rule = made.body().path("id").asString();
    assertThat(made.body().path("condition").path("early").asBoolean()).isTrue();
    assertThat(published("org-demo/env-alerts-early/" + rule, 1).getEarly()).isTrue();

    early("env-alerts-early", rule, "inc-right", 1, Kind.FIRED);
    JsonNode raised = demo.get(place + "/incidents/inc-right").body();
    assertThat(raised.path("early").asBoolean()).isTrue();
    assertThat(raised.path("state").asString()).isEqualTo("open");
    assertThat(demo.get(place + "/alert-rules/" + rule).body().path("groups")).isEmpty();
    tell("env-alerts-early", rule, "inc-right", 1, Kind.FIRED);
    JsonNode confirmed = demo.get(place + "/incidents/inc-right").body();
    assertThat(confirmed.has("early")).isFalse();
    assertThat(confirmed.path("timeline").findValuesAsString("kind"))
        .containsExactly("fired", "changed");

    // Read again, or too late: a complete minute has decided.
    early("env-alerts-early", rule, "inc-right", 2, Kind.FIRED);
    early("env-alerts-early", rule, "inc-right", 3, Kind.RETRACTED);
    assertThat(demo.get(place + "/incidents/inc-right").body()).isEqualTo(confirmed);

    early("env-alerts-early", rule, "inc-wrong", 1, Kind.FIRED);
    early("env-alerts-early", rule, "inc-wrong", 2, Kind.RETRACTED);
    JsonNode gone = demo.get(place + "/incidents/inc-wrong").body();
    assertThat(gone.path("state").asString()).isEqualTo("retracted");
    assertThat(gone.path("early").asBoolean()).isTrue();
  }

  private void early(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(
            TestingAlerts.early(
                TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind)));
  }

  @Test
  void lateDataRetractAnIncidentAndPeopleWorkOnIt() {
    String place = environment("env-alerts-work");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    tell("env-alerts-work", rule, "inc-work", 1, Kind.FIRED);
    String incident = place + "/incidents/inc-work";

    assertThat(demo.post(incident + "/acknowledge", null).status()).isEqualTo(200);
    assertThat(demo.post(incident + "/comments", "{\"text\":\"On it\"}").status()).isEqualTo(200);
    assertThat(demo.post(incident + "/assign", "{\"to\":\"Ada\"}").status()).isEqualTo(200);
    tell("env-alerts-work", rule, "inc-work", 2, Kind.RETRACTED);

    JsonNode after = demo.get(incident).body();
    assertThat(after.path("state").asString()).isEqualTo("retracted");
    assertThat(after.path("assigned_to").asString()).isEqualTo("Ada");
    assertThat(after.path("timeline").findValuesAsString("kind"))
        .containsExactly("fired", "acknowledged", "commented", "assigned", "retracted");
    assertThat(demo.post(incident + "/comments", "{\"text\":\"\"}").status()).isEqualTo(400);
    assertThat(demo.get(place + "/incidents?state=retracted&rule_id=" + rule).body().path("data"))
        .hasSize(1);
    assertThat(demo.get(place + "/incidents?state=open").body().path("data")).isEmpty();
  }

  @Test
  void aRuleIsBlindWhileThePipelineStandsAndFiringStays() {
    String place = environment("env-alerts-blind");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    String path = place + "/alert-rules/" + rule;
    Instant now = platform.bean(Clock.class).instant();
    platform.progress().completeUntil(now);
    assertThat(demo.get(path).body().path("state").asString()).isEqualTo("normal");
    assertThat(demo.get(path).body().path("evaluation").path("is_blind").asBoolean()).isFalse();

    platform.progress().completeUntil(now.minus(Duration.ofMinutes(10)));
    JsonNode blind = demo.get(path).body();
    assertThat(blind.path("state").asString()).isEqualTo("blind");
    assertThat(blind.path("evaluation").path("reason").asString()).contains("stands");
    tell("env-alerts-blind", rule, "inc-blind", 1, Kind.FIRED);
    JsonNode firing = demo.get(path).body();
    assertThat(firing.path("state").asString()).isEqualTo("firing");
    assertThat(firing.path("evaluation").path("groups").path("firing").asLong()).isEqualTo(1);
    prometheusListsIt("env-alerts-blind", firing.path("name").asString());
    platform.progress().completeUntil(now);
  }

  /** Rules and alerts under the names of Prometheus; of other organisations nothing. */
  private void prometheusListsIt(String environment, String name) {
    JsonNode groups = prometheus("rules", RunningPlatform.DEMO_KEY).path("groups");
    JsonNode group =
        groups
            .valueStream()
            .filter(each -> each.path("name").asString().equals(environment))
            .findFirst()
            .orElseThrow();
    JsonNode listed = group.path("rules").get(0);
    assertThat(listed.path("name").asString()).isEqualTo(name);
    assertThat(listed.path("state").asString()).isEqualTo("firing");
    assertThat(listed.path("health").asString()).isEqualTo("err");
    assertThat(listed.path("lastError").asString()).contains("stands");
    assertThat(listed.path("query").asString()).startsWith("threshold: ");
    JsonNode alert = listed.path("alerts").get(0);
    assertThat(alert.path("labels").path("alertname").asString()).isEqualTo(name);
    assertThat(alert.path("labels").path("environment_id").asString()).isEqualTo(environment);
    assertThat(prometheus("alerts", RunningPlatform.DEMO_KEY).path("alerts").valueStream())
        .contains(alert);
    assertThat(prometheus("alerts", RunningPlatform.EXTRA_KEY).toString())
        .doesNotContain(environment);
    assertThat(prometheus("rules?rule_name[]=none", RunningPlatform.DEMO_KEY).path("groups"))
        .isEmpty();
  }

  private JsonNode prometheus(String path, String key) {
    return JSON.readTree(
            Http.text(
                Http.get(
                    platform.api("/prometheus/api/v1/" + path.replace("[]", "%5B%5D")),
                    "Authorization",
                    TestingKeys.basic(key))))
        .path("data");
  }

  @Test
  void aReceiverThatIsGoneIsNotTriedAgainUntilItIsEnabled() throws Exception {
    String place = environment("env-alerts-gone");
    try (Receiver receiver = new Receiver(410)) {
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

      List<Receiver.Message> messages = receiver.messages(2);
      assertThat(messages.get(1).id()).isEqualTo(messages.get(0).id());
    }
  }

  @Test
  void aRedirectIsAFailureAndTheLogShowsEveryAttempt() throws Exception {
    String place = environment("env-alerts-log");
    try (Receiver receiver = new Receiver(302)) {
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
      List<Receiver.Message> messages = receiver.messages(2);
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
    try (Receiver away = new Receiver(503, 503, 503, 503);
        Receiver here = new Receiver()) {
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
        Receiver here = new Receiver()) {
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
    try (Receiver receiver = new Receiver()) {
      JsonNode made = integration(place, receiver, false);
      String path = place + "/integrations/" + made.path("integration").path("id").asString();
      Answer rotated = demo.post(path + "/rotate-secret", null);
      assertThat(rotated.status()).isEqualTo(200);
      assertThat(demo.post(path + "/rotate-secret", null).status()).isEqualTo(409);
      assertThat(demo.post(path + "/test", null).status()).isEqualTo(202);

      Receiver.Message message = receiver.messages(1).get(0);
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
    try (Receiver receiver = new Receiver()) {
      JsonNode made = integration(place, receiver, true);
      String secret = made.path("secret").asString();
      Receiver.Message message = receiver.messages(1).get(0);
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
    try (Receiver receiver = new Receiver()) {
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
      Receiver.Message message = receiver.messages(1).get(0);
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

  @Test
  void aPreviewSaysWhenARuleWouldHaveFired() {
    String place = environment("env-alerts-preview");
    platform.progress().completeUntil(Instant.parse("2026-01-01T00:30:00Z"));
    platform
        .druid()
        .answerFrom(
            new TestingDruidRows(
                List.of(
                    stored("org-demo", "env-alerts-preview", "orders", "150"),
                    stored("org-demo", "env-alerts-preview", "mails", "7"),
                    stored("org-demo", "env-alerts-other", "orders", "9000"),
                    stored("org-extra", "env-alerts-preview", "orders", "9000"))));
    try {
      Answer answer =
          demo.post(
              place + "/alert-rules/preview",
              """
              {"condition":{"metric":"queue","operator":"gt","threshold":100,
               "group_by":["metric.queue"],
               "matchers":[{"label":"metric.queue","operator":"regex","value":"o.*"}]}}
              """);

      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      assertThat(answer.body().path("incidents_total").asInt()).isEqualTo(1);
      JsonNode incident = answer.body().path("incidents").path(0);
      assertThat(incident.path("started_at").asString()).isEqualTo("2026-01-01T00:00:00Z");
      assertThat(incident.path("value").asDouble()).isEqualTo(150);
      assertThat(incident.at("/group/metric.queue").asString()).isEqualTo("orders");
      assertThat(answer.body().path("groups")).hasSize(1);
      assertThat(demo.get(place + "/alert-rules").body().path("data")).isEmpty();
    } finally {
      platform.druid().answerWith(200, "[]");
      platform.progress().completeUntil(Instant.now());
    }
    Answer refused =
        demo.post(
            place + "/alert-rules/preview",
            "{\"condition\":{\"metric\":\"\",\"operator\":\"gt\",\"threshold\":1},\"days\":31}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("errors").toString())
        .contains("days must be 1 to 30", "condition.metric");
  }

  private static Map<String, String> stored(
      String organization, String environment, String queue, String sum) {
    return Map.ofEntries(
        Map.entry("organization_id", organization),
        Map.entry("environment_id", environment),
        Map.entry("metric", "queue"),
        Map.entry("metric_type", "gauge"),
        Map.entry("unit", "1"),
        Map.entry("resource_type", "service"),
        Map.entry("resource_id", "shop"),
        Map.entry("series_id", "0123456789abcdef0123456789abcdef"),
        Map.entry("metric.queue", queue),
        Map.entry("sum", sum));
  }
}
