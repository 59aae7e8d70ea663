package io.tidemark.platform.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionIntake;
import io.tidemark.platform.alerting.TransitionRecorder;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * How soon receivers hear of what was decided: one transition after another, and thousands at once
 * of which one receiver answers none. {@code make bench-webhooks}.
 */
class WebhookBench {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final int ENVIRONMENTS = 5;
  private static final int RECEIVERS = 100;
  private static final int RULES = Integer.getInteger("bench.rules", 10_000);
  private static final int SINGLE = Integer.getInteger("bench.single", 500);

  /** Records of one poll; as many as a Kafka consumer gives at most. */
  private static final int POLL = Integer.getInteger("bench.poll", 500);

  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final double MEGABYTE = 1 << 20;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** As shipped, and not as other tests have it. */
  private static final Map<String, Object> SHIPPED =
      Map.of(
          "tidemark.notification.period", "200ms",
          "tidemark.notification.timeout", "15s",
          "tidemark.alerting.suppression-period", "1s");

  private static void report(String what, Object figure) {
    System.out.println("BENCH webhooks " + what + " " + figure);
  }

  /** Receivers at one port; one of them takes messages and answers none until it is told to. */
  private static final class Receivers implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch awake = new CountDownLatch(1);

    /** When the first byte of an incident's message came. */
    private final Map<String, Long> heard = new ConcurrentHashMap<>();

    private final AtomicInteger ofBurst = new AtomicInteger();
    private volatile long lastOfBurst;

    Receivers() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
      server.createContext("/silent", exchange -> answer(exchange, true));
      server.createContext("/", exchange -> answer(exchange, false));
      server.setExecutor(threads);
      server.start();
    }

    private void answer(HttpExchange exchange, boolean isSilent) throws IOException {
      long at = System.nanoTime();
      String body = new String(exchange.getRequestBody().readAllBytes(), "UTF-8");
      if (isSilent) {
        try {
          awake.await();
        } catch (InterruptedException closed) {
          Thread.currentThread().interrupt();
        }
      }
      String incident = JSON.readTree(body).path("data").path("incident_id").asString();
      if (heard.putIfAbsent(incident, at) == null && incident.startsWith("inc-burst-")) {
        lastOfBurst = at;
        ofBurst.incrementAndGet();
      }
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    }

    String url(String path) {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + path;
    }

    @Override
    public void close() {
      awake.countDown();
      server.stop(0);
      threads.shutdownNow();
    }
  }

  private static String made(Answer answer) {
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
    return answer.body().path("id").asString();
  }

  private static String integration(String name, String url) {
    return "{\"name\":\"%s\",\"kind\":\"webhook\",\"url\":\"%s\",\"send_test\":false,"
            .formatted(name, url)
        + "\"labels\":{\"team\":\""
        + name
        + "\"}}";
  }

  private static double milliseconds(List<Long> nanos, double part) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * part)) / 1e6;
  }

  @Test
  void whatIsDecidedIsHeard() throws Exception {
    try (Receivers receivers = new Receivers();
        RunningPlatform platform = RunningPlatform.with(SHIPPED)) {
      ControlApi demo = new ControlApi(platform, DEMO.value(), RunningPlatform.DEMO_KEY);
      double single = oneByOne(platform, demo, receivers);
      allAtOnce(platform, demo, receivers);
      assertThat(single).as("p95 of one after another").isLessThan(1_000);
    }
  }

  private static double oneByOne(RunningPlatform platform, ControlApi demo, Receivers receivers)
      throws Exception {
    made(demo.post("/environments", "{\"id\":\"env-single\",\"display_name\":\"x\"}"));
    String place = "/environments/env-single";
    String rule = made(demo.post(place + "/alert-rules", TestingAlerts.RULE));
    Answer to = demo.post(place + "/integrations", integration("it", receivers.url("single")));
    assertThat(to.status()).as("%s", to.body()).isEqualTo(201);
    Map<String, Long> told = new ConcurrentHashMap<>();
    TransitionRecorder recorder = platform.bean(TransitionRecorder.class);
    for (int i = 0; i < SINGLE; i++) {
      String incident = "inc-single-" + i;
      told.put(incident, System.nanoTime());
      recorder.record(TestingAlerts.transition(DEMO, "env-single", rule, incident, 1, Kind.FIRED));
      TimeUnit.MILLISECONDS.sleep(BETWEEN.toMillis());
    }
    await("single messages", () -> receivers.heard.keySet().containsAll(told.keySet()));
    List<Long> waits = new ArrayList<>();
    told.forEach((incident, at) -> waits.add(receivers.heard.get(incident) - at));
    report("one by one, transition to first byte p50 ms", milliseconds(waits, 0.5));
    report("one by one, transition to first byte p95 ms", milliseconds(waits, 0.95));
    return milliseconds(waits, 0.95);
  }

  private static void allAtOnce(RunningPlatform platform, ControlApi demo, Receivers receivers)
      throws Exception {
    for (int e = 0; e < ENVIRONMENTS; e++) {
      String id = "env-burst-" + e;
      made(demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id)));
      for (int r = e; r < RECEIVERS; r += ENVIRONMENTS) {
        Answer answer =
            demo.post(
                "/environments/" + id + "/integrations",
                integration("r" + r, receivers.url(r == 0 ? "silent" : "r" + r)));
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
      }
      String first = made(demo.post("/environments/" + id + "/alert-rules", TestingAlerts.RULE));
      copies(platform, first, e);
    }
    long heap = heap();
    TransitionIntake intake = platform.bean(TransitionIntake.class);
    long begin = System.nanoTime();
    for (int from = 0; from < RULES; from += POLL) {
      intake.record(
          IntStream.range(from, Math.min(from + POLL, RULES))
              .mapToObj(
                  i ->
                      TestingAlerts.transition(
                          DEMO,
                          "env-burst-" + i % ENVIRONMENTS,
                          "burst-" + i,
                          "inc-burst-" + i,
                          1,
                          Kind.FIRED))
              .toList());
    }
    report("rules that open at once", RULES);
    report("recorded after ms", (System.nanoTime() - begin) / 1_000_000);
    int silent = RULES / RECEIVERS;
    report("heard while they were recorded", receivers.ofBurst.get());
    await("messages of the others", () -> receivers.ofBurst.get() == RULES - silent);
    report(
        "all but those of the silent receiver heard after ms",
        (receivers.lastOfBurst - begin) / 1_000_000);
    report("heap grew by MB", Math.round((heap() - heap) / MEGABYTE));
    // What is heard is settled a moment later.
    await("those of the silent receiver, none lost", () -> waiting(platform) == silent);
    long woken = System.nanoTime();
    receivers.awake.countDown();
    await("messages of the silent receiver", () -> receivers.ofBurst.get() == RULES);
    report("silent receiver has all after ms", (System.nanoTime() - woken) / 1_000_000);
    await("the end", () -> waiting(platform) == 0);
  }

  /** Rules like the first, each for one receiver. */
  private static void copies(RunningPlatform platform, String first, int environment) {
    platform
        .database()
        .sql(
            """
            INSERT INTO alert_rule (organization_id, environment_id, id, definition, version,
              effective_from, enabled_from, created_at, updated_at)
            SELECT organization_id, environment_id, 'burst-' || i,
              jsonb_set(definition, '{labels}', jsonb_build_object('team', 'r' || i % :receivers)),
              version, effective_from, enabled_from, created_at, updated_at
            FROM alert_rule CROSS JOIN generate_series(:environment, :last, :step) AS i
            WHERE id = :first
            """)
        .param("receivers", RECEIVERS)
        .param("environment", environment)
        .param("last", RULES - 1)
        .param("step", ENVIRONMENTS)
        .param("first", first)
        .update();
  }

  private static long waiting(RunningPlatform platform) {
    return platform
        .database()
        .sql("SELECT count(*) FROM delivery WHERE state = 'waiting'")
        .query(Long.class)
        .single();
  }

  /** What is left after a collection. */
  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void await(String what, BooleanSupplier satisfied) {
    InterruptibleDelay.until(
        what, PATIENCE, () -> Optional.of(satisfied.getAsBoolean()), Boolean::booleanValue);
  }
}
