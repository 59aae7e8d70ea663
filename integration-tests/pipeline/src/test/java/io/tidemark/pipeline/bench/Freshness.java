package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** From a point's acknowledgement to its first answer, and from a minute's end to its last. */
final class Freshness {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String METRIC = "bench.fresh";
  private static final long POLL_MS = 20;

  private final RunningStack.Started stack;
  private final BenchReport report;
  private final Random random = new Random(7);

  Freshness(RunningStack.Started stack, BenchReport report) {
    this.stack = stack;
    this.report = report;
  }

  private OtlpSender sender(String organization) {
    return new OtlpSender(
        stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(organization));
  }

  private MetricsQuery reader(String organization) {
    return new MetricsQuery(
        stack.coordinates().get("TIDEMARK_URL"), stack.authorization(organization));
  }

  private static void send(OtlpSender sender, String series, Instant time)
      throws IOException, InterruptedException {
    byte[] batch =
        OtlpSender.batch(
                "bench", List.of(new OtlpSender.Point(METRIC, Map.of("n", series), time, 1)))
            .toByteArray();
    int status = sender.send(batch).statusCode();
    if (status != 200) {
      throw new IOException("A point got " + status);
    }
  }

  /** Of every minute as it is asked for now. */
  private static ObjectNode question(String series, Instant minute) {
    ObjectNode body =
        MetricsQuery.body(METRIC, "MAX", "PT1M", minute, minute.plusSeconds(60), List.of());
    body.putObject("filter").put("field", "metric.n").put("op", "EQ").put("value", series);
    return body;
  }

  /** Each point is of a series of its own, so that an answer with data has seen it. */
  void visible() throws Exception {
    int points = Integer.getInteger("bench.points", 100);
    OtlpSender sender = sender("org-ledger");
    MetricsQuery reader = reader("org-ledger");
    Samples visible = new Samples();
    int warmUp = 10;
    for (int i = 0; i < points + warmUp; i++) {
      String series = "point-" + i;
      Instant time = Instant.now();
      send(sender, series, time);
      long acknowledged = System.nanoTime();
      ObjectNode body = question(series, time.truncatedTo(ChronoUnit.MINUTES));
      while (reader.post("cloud", body).body().path("data").isEmpty()) {
        if (System.nanoTime() - acknowledged > PATIENCE.toNanos()) {
          throw new IOException("Never visible: " + series);
        }
        Thread.sleep(POLL_MS);
      }
      if (i >= warmUp) {
        visible.add((System.nanoTime() - acknowledged) / 1e6);
      }
      // The job shows open minutes every second: points fall anywhere between.
      Thread.sleep(random.nextInt(1_000));
    }
    report.row(
        "acknowledged to visible (provisional), a new series each",
        "p50 %.2f s, p95 %.2f s, longest %.2f s"
            .formatted(
                visible.quantile(0.5) / 1e3,
                visible.quantile(0.95) / 1e3,
                visible.quantile(1) / 1e3),
        "%.2f s".formatted(visible.quantile(0.95) / 1e3),
        "≤ 5 s, aim 1 s",
        points + " points");
  }

  /** Two organisations send every second; a third sends once in a minute and is silent then. */
  void complete() throws Exception {
    int minutes = Integer.getInteger("bench.minutes", 5);
    List<String> steady = List.of("org-ledger", "org-other");
    ScheduledExecutorService sending = Executors.newScheduledThreadPool(2);
    ExecutorService waiting = Executors.newCachedThreadPool();
    List<Future<?>> loops = new ArrayList<>();
    try {
      for (String organization : steady) {
        OtlpSender sender = sender(organization);
        loops.add(sending.scheduleAtFixedRate(() -> sendOrEnd(sender), 0, 1, TimeUnit.SECONDS));
      }
      Samples ofSteady = new Samples();
      Samples ofSilent = new Samples();
      List<Future<?>> ends = new ArrayList<>();
      OtlpSender once = sender("org-late");
      // One more: the first minute began before the senders.
      for (int i = 0; i <= minutes; i++) {
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);
        send(once, "steady", minute.plusSeconds(1));
        Instant end = minute.plusSeconds(60);
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), end).toMillis()));
        if (i > 0) {
          steady.forEach(
              organization ->
                  ends.add(waiting.submit(() -> awaitFinal(organization, minute, ofSteady))));
          ends.add(waiting.submit(() -> awaitFinal("org-late", minute, ofSilent)));
        }
      }
      for (Future<?> end : ends) {
        end.get();
      }
      for (Future<?> loop : loops) {
        if (loop.isDone()) {
          throw new IOException("A sender ended");
        }
      }
      told("a point every second", ofSteady);
      told("one point in the minute", ofSilent);
    } finally {
      sending.shutdownNow();
      waiting.shutdownNow();
    }
  }

  private void told(String what, Samples samples) {
    report.row(
        "minute's end to final, " + what,
        "p50 %.1f s, longest %.1f s"
            .formatted(samples.quantile(0.5) / 1e3, samples.quantile(1) / 1e3),
        "p95 %.1f s".formatted(samples.quantile(0.95) / 1e3),
        "≤ 45 s, aim 20 s",
        samples.size() + " minutes");
  }

  private static void sendOrEnd(OtlpSender sender) {
    try {
      send(sender, "steady", Instant.now());
    } catch (IOException refused) {
      throw new IllegalStateException(refused);
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private Void awaitFinal(String organization, Instant minute, Samples samples) throws Exception {
    MetricsQuery reader = reader(organization);
    ObjectNode body = question("steady", minute);
    Instant end = minute.plusSeconds(60);
    while (true) {
      JsonHttp.Answer answer = reader.post("cloud", body);
      JsonNode state = answer.body().at("/meta/completeness/state");
      if (answer.ok() && !state.asText().equals("provisional")) {
        if (answer.body().path("data").isEmpty()) {
          throw new IOException("Final without its points: " + answer.text());
        }
        samples.add(Duration.between(end, Instant.now()).toMillis());
        return null;
      }
      if (Duration.between(end, Instant.now()).compareTo(PATIENCE) > 0) {
        throw new IOException("Never final: " + answer.text());
      }
      Thread.sleep(5 * POLL_MS);
    }
  }
}
