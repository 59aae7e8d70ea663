package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.clients.KafkaSender;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Two processes of platform-api behind a proxy are restarted one after the other, as an upgrade
 * does, while clients send, ask and change things: nobody is refused, and every point is counted
 * once. Runs by {@code make test-replicas}.
 */
@ExtendWith(RunningStack.class)
@Isolated("platform-api is stopped")
class RollingRestart {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String METRIC = "rolling.requests";
  private static final long BEFORE_AND_AFTER = 20;

  private final RunningStack.Started stack = RunningStack.get();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicLong> answered = new TreeMap<>();
  private final AtomicLong sum = new AtomicLong();
  private final Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);

  /** One exchange; returns how it was refused, or nothing. */
  private interface Exchange {
    String once(long number) throws Exception;
  }

  @Test
  void noRequestIsLostWhenProcessesAreReplaced() throws Exception {
    assertThat(platform()).extracting(ComponentStatus::state).containsExactly("up", "up");
    answered.put("sends over HTTP", new AtomicLong());
    answered.put("sends over Kafka", new AtomicLong());
    answered.put("queries", new AtomicLong());
    answered.put("changes", new AtomicLong());
    ExecutorService clients = Executors.newFixedThreadPool(4);
    List<Future<?>> running = new ArrayList<>();
    try (KafkaSender kafka =
        new KafkaSender(
            stack.coordinates().get("TIDEMARK_KAFKA_DOOR"),
            "org-other",
            "env-other",
            stack.keys().get("org-other"))) {
      running.add(clients.submit(() -> repeat("sends over HTTP", sender())));
      running.add(
          clients.submit(
              () -> repeat("sends over Kafka", number -> kafka.send().get("kafka") ? "" : "no")));
      running.add(clients.submit(() -> repeat("queries", reader())));
      running.add(clients.submit(() -> repeat("changes", writer())));
      awaitEach();
      for (ComponentStatus process : platform()) {
        stack.stack().stop(process.id());
        // The other one serves alone.
        awaitEach();
        stack.stack().start(process.id());
        awaitEach();
      }
      isOver.set(true);
      for (Future<?> client : running) {
        client.get();
      }
    } finally {
      isOver.set(true);
      clients.shutdownNow();
    }
    System.out.println("REPLICAS answered " + answered + ", refused " + refused.size());
    assertThat(refused).isEmpty();

    MetricsQuery query =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-ledger"));
    ObjectNode total =
        MetricsQuery.body(
            METRIC, "SUM", "ALL", minute, minute.plus(1, ChronoUnit.MINUTES), List.of());
    Await.until(
        "every point that was acknowledged is counted once",
        PATIENCE,
        () -> query.ask("cloud", total).values().stream().mapToDouble(v -> v).sum(),
        counted -> counted == sum.get());
  }

  private List<ComponentStatus> platform() {
    return stack.stack().status().stream()
        .filter(component -> component.id().startsWith("platform-api"))
        .toList();
  }

  /** New ones of every kind were answered. */
  private void awaitEach() throws Exception {
    Map<String, Long> before = new TreeMap<>();
    answered.forEach((kind, count) -> before.put(kind, count.get()));
    Await.until(
        "clients of every kind are answered",
        PATIENCE,
        () -> answered,
        now ->
            !refused.isEmpty()
                || now.entrySet().stream()
                    .allMatch(
                        kind ->
                            kind.getValue().get() > before.get(kind.getKey()) + BEFORE_AND_AFTER));
    assertThat(refused).isEmpty();
  }

  private void repeat(String kind, Exchange exchange) {
    for (long number = 0; !isOver.get(); number++) {
      String fault;
      try {
        fault = exchange.once(number);
      } catch (Exception lost) {
        fault = lost.toString();
      }
      if (fault.isEmpty()) {
        answered.get(kind).incrementAndGet();
      } else {
        refused.add(kind + " " + number + " at " + Instant.now() + ": " + fault);
        return;
      }
    }
  }

  private Exchange sender() {
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"));
    return number -> {
      Point point = new Point(METRIC, Map.of("host", "h"), minute.plusMillis(number), number);
      var answer = sender.send(OtlpSender.batch("rolling", List.of(point)).toByteArray());
      if (answer.statusCode() == 200) {
        sum.addAndGet(number);
      }
      return answer.statusCode() == 200 ? "" : "status " + answer.statusCode();
    };
  }

  private Exchange reader() {
    MetricsQuery query =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-ledger"));
    ObjectNode body =
        MetricsQuery.body(
            METRIC, "SUM", "PT1M", minute, minute.plus(5, ChronoUnit.MINUTES), List.of());
    return number -> {
      JsonHttp.Answer answer = query.post("cloud", body);
      // Nothing is known of a metric before its first row.
      return answer.status() == 200 || answer.status() == 404
          ? ""
          : answer.status() + " " + answer.text();
    };
  }

  /** Declares metrics, each once. */
  private Exchange writer() {
    JsonHttp http = new JsonHttp();
    String metrics =
        stack.coordinates().get("TIDEMARK_URL")
            + "/api/v1/organizations/org-demo/environments/env-demo/metrics";
    String demo = stack.authorization("org-demo");
    return number -> {
      // The control API takes six hundred requests a minute of one organisation.
      TimeUnit.MILLISECONDS.sleep(150);
      ObjectNode metric =
          JsonHttp.JSON.createObjectNode().put("name", "rolling.declared." + number);
      metric.putObject("declaration").put("unit", "1").put("type", "gauge");
      JsonHttp.Answer answer = http.post(metrics, demo, metric);
      return answer.status() == 201 ? "" : answer.status() + " " + answer.text();
    };
  }
}
