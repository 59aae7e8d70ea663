package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.alerts.WebhookReceiver;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From a committed row that breaches a rule to the first byte at a receiver, on a stack of its own.
 * Each breach is of a group of its own. Late ones are points of a minute that is decided already,
 * so that nothing waits for a minute's end. Those in time are decided when their minute has ended,
 * all of a minute together. Points of another series come in time all the while: a tenant of whom
 * nothing but late points comes is behind, and its rules are blind. Run by {@code make
 * bench-alert-latency}.
 */
@ExtendWith(RunningStack.class)
class AlertLatencyBench {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String METRIC = "alerts/bench.queue";
  private static final String IN_TIME = "alerts/bench.beat";
  private static final String PLACE = "/api/v1/organizations/org-demo/environments/env-demo";
  private static final int WARM_UP = 5;
  private static final int BREACHES = Integer.getInteger("bench.breaches", 40);
  private static final int MINUTES = Integer.getInteger("bench.minutes", 6);
  private static final int BREACHES_A_MINUTE = 8;

  private final RunningStack.Started stack = RunningStack.get();
  private final HttpClient http = HttpClient.newHttpClient();
  private final String authorization = stack.authorization("org-demo");
  private final OtlpSender sender =
      new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), authorization);
  private final BenchReport report = new BenchReport();

  private JsonNode ask(String method, String path, String body, int status) throws Exception {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(
                    URI.create(stack.coordinates().get("TIDEMARK_URL") + PLACE + path))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(
                    method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return JsonHttp.JSON.readTree(answer.body());
  }

  private void send(String metric, String queue, Instant time, long value) throws Exception {
    byte[] batch =
        OtlpSender.batch(
                "alerts-bench", List.of(new Point(metric, Map.of("queue", queue), time, value)))
            .toByteArray();
    assertThat(sender.send(batch).statusCode()).isEqualTo(200);
  }

  /** Each is sent in time until the executor is shut down; a refusal ends them. */
  private ScheduledFuture<?> sendInTime(ScheduledExecutorService executor) {
    return executor.scheduleAtFixedRate(
        () -> {
          try {
            send(IN_TIME, "any", Instant.now(), 1);
          } catch (Exception e) {
            throw new IllegalStateException("A point in time was not taken", e);
          }
        },
        0,
        1,
        TimeUnit.SECONDS);
  }

  @Test
  void fromCommittedBreachToFirstByte() throws Exception {
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    try (AutoCloseable ended = executor::shutdownNow;
        WebhookReceiver receiver = new WebhookReceiver();
        CommittedRows rows =
            new CommittedRows(
                stack.coordinates().get("TIDEMARK_KAFKA"),
                Pattern.compile("\"metric\\.queue\":\"(breach-[\\d-]+)\""))) {
      ask(
          "POST",
          "/integrations",
          "{\"name\":\"Bench\",\"kind\":\"webhook\",\"send_test\":false,\"url\":\"%s\"}"
              .formatted(receiver.url()),
          201);
      JsonNode rule =
          ask(
              "POST",
              "/alert-rules",
              """
              {"name":"Queue is long","severity":"critical",
               "condition":{"metric":"%s","aggregation":"sum","operator":"gt","threshold":100,
                 "group_by":["metric.queue"]}}
              """
                  .formatted(METRIC),
              201);
      Instant minute = Instant.parse(rule.path("effective_from").asText());
      ScheduledFuture<?> inTime = sendInTime(executor);
      send(METRIC, "first", minute, 1);
      String path = "/alert-rules/" + rule.path("id").asText();
      Await.until(
          "the minute is decided",
          PATIENCE,
          () -> ask("GET", path, null, 200).path("evaluation").path("decided_until").asText(""),
          until -> !until.isEmpty() && Instant.parse(until).isAfter(minute.plusSeconds(59)));

      Samples lateFromRow = new Samples();
      Samples lateFromStatement = new Samples();
      for (int i = 0; i < WARM_UP + BREACHES; i++) {
        String queue = "breach-" + i;
        send(METRIC, queue, minute, 200);
        long heard = heard(receiver, queue);
        if (i >= WARM_UP) {
          lateFromRow.add((heard - rows.row(queue)) / 1e6);
          lateFromStatement.add((heard - rows.statementBefore(heard)) / 1e6);
        }
      }
      Samples fromRow = new Samples();
      Samples fromEnd = new Samples();
      for (int round = 0; round < MINUTES; round++) {
        Instant now = Instant.now();
        Instant end = now.truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
        for (int i = 0; i < BREACHES_A_MINUTE; i++) {
          send(METRIC, "breach-" + round + "-" + i, now, 200);
        }
        for (int i = 0; i < BREACHES_A_MINUTE; i++) {
          String queue = "breach-" + round + "-" + i;
          long heard = heard(receiver, queue);
          fromRow.add((heard - rows.row(queue)) / 1e6);
          long sinceEnd = Duration.between(end, Instant.now()).toNanos();
          fromEnd.add((sinceEnd - (System.nanoTime() - heard)) / 1e6);
        }
      }
      assertThat(inTime.isDone()).as("points in time ended").isFalse();
      tell("late row committed to first byte", lateFromRow);
      tell("statement before the decision committed to first byte", lateFromStatement);
      tell("row of a minute committed to first byte", fromRow);
      tell("minute's end to first byte", fromEnd);
    }
  }

  private static long heard(WebhookReceiver receiver, String queue) throws InterruptedException {
    String group = "\"" + queue + "\"";
    return Await.until(
            "the message about " + queue,
            PATIENCE,
            () ->
                receiver.received().stream()
                    .filter(message -> message.body().contains(group))
                    .toList(),
            messages -> !messages.isEmpty())
        .get(0)
        .at();
  }

  private void tell(String what, Samples samples) {
    report.row(
        what,
        "p50 %.0f ms, longest %.0f ms".formatted(samples.quantile(0.5), samples.quantile(1)),
        "p95 %.0f ms".formatted(samples.quantile(0.95)),
        "≤ 1 s, aim 200 ms",
        samples.size() + " breaches");
  }
}
