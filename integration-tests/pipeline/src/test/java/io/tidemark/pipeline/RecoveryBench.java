package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Measures how long answers lack points after kill -9 of one component: points are sent as fast as
 * they are taken, the component dies with the last acknowledgement, the stack is repaired as {@code
 * make up} repairs it, and the Metrics API is asked until it has every point. Fails when it never
 * has. Run by {@code make bench-recovery}.
 */
@ExtendWith(RunningStack.class)
class RecoveryBench {
  private static final String ORGANIZATION = "org-ledger";
  private static final String ALL =
      "platform-api,kafka,flink-taskmanager,flink-jobmanager,druid-indexer,druid-broker,"
          + "druid-historical,druid-coordinator,postgres,zookeeper";
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final double MILLION = 1e6;
  private static final String[] HEIGHTS = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  private static final int MAX_COLUMNS = 60;

  private final RunningStack.Started stack = RunningStack.get();
  private final BenchReport report = new BenchReport();

  /** What the API answered at a time after the kill. */
  private record Sample(double seconds, double part) {}

  @Test
  void measure() throws Exception {
    int series = Integer.getInteger("bench.series", 10_000);
    double millions = Double.parseDouble(System.getProperty("bench.points", "2.4"));
    int steps = (int) Math.max(1, Math.round(millions * MILLION / series));
    List<String> never = new ArrayList<>();
    int number = 0;
    for (String component : System.getProperty("bench.components", ALL).split(",")) {
      Samples whole = new Samples();
      for (int round = 0; round < Integer.getInteger("bench.rounds", 3); round++) {
        List<Sample> seen = round(component, new HostFleet("bench.kill" + number++, series), steps);
        Sample last = seen.get(seen.size() - 1);
        if (last.part() < 1) {
          never.add(component);
        }
        whole.add(TimeUnit.SECONDS.toMillis(1) * last.seconds());
        report.note(curve(component, seen));
      }
      report.row(
          "whole after kill -9 of " + component,
          "median %.0f s, longest %.0f s"
              .formatted(whole.quantile(0.5) / 1e3, whole.quantile(1) / 1e3),
          "%.0f s".formatted(whole.quantile(1) / 1e3),
          "≤ 60 s",
          whole.size() + " rounds");
      report.took(component);
    }
    assertThat(never).as("components whose points never came back").isEmpty();
  }

  private List<Sample> round(String component, PointFleet fleet, int steps) throws Exception {
    Instant end = Instant.now().truncatedTo(ChronoUnit.DAYS);
    Instant begin = end.minusSeconds((long) steps * PointFleet.STEP_SECONDS);
    OtlpSender otlp =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    try (FleetSender sender = new FleetSender(otlp)) {
      sender.send(fleet, 0, steps, begin);
    }
    var metric = fleet.totals().entrySet().iterator().next();
    ObjectNode question =
        MetricsQuery.body(
            metric.getKey(), "COUNT", "ALL", begin.truncatedTo(ChronoUnit.MINUTES), end, List.of());
    ExecutorService repair = Executors.newSingleThreadExecutor();
    try {
      long killed = System.nanoTime();
      stack.stack().kill(component);
      Future<Integer> up = repair.submit(() -> stack.stack().up());
      List<Sample> seen = watch(question, metric.getValue().count(), killed);
      up.get();
      return seen;
    } finally {
      repair.shutdown();
    }
  }

  /** Until all points are counted, or patience ends. */
  private List<Sample> watch(ObjectNode question, long points, long killed)
      throws InterruptedException {
    MetricsQuery api =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization(ORGANIZATION));
    List<Sample> seen = new ArrayList<>();
    double seconds;
    do {
      Thread.sleep(1_000);
      double part = (double) count(api, question) / points;
      seconds = (System.nanoTime() - killed) / 1e9;
      seen.add(new Sample(seconds, part));
    } while (seen.get(seen.size() - 1).part() < 1 && seconds < PATIENCE.toSeconds());
    return seen;
  }

  /** No answer is an answer without points. */
  private static long count(MetricsQuery api, ObjectNode question) throws InterruptedException {
    try {
      JsonHttp.Answer answer = api.post("cloud", question);
      long count = 0;
      for (JsonNode row : answer.body().path("data")) {
        count += row.path("value").asLong();
      }
      return count;
    } catch (IOException down) {
      return 0;
    }
  }

  /** One column for each equal part of the time: how much of the points answers lacked. */
  private static String curve(String component, List<Sample> seen) {
    double length = seen.get(seen.size() - 1).seconds();
    int columns = Math.min(MAX_COLUMNS, seen.size());
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < columns; column++) {
      double until = length * (column + 1) / columns;
      double lacking = 1;
      for (Sample each : seen) {
        if (each.seconds() <= until) {
          lacking = 1 - each.part();
        }
      }
      line.append(HEIGHTS[(int) Math.round(Math.max(0, lacking) * (HEIGHTS.length - 1))]);
    }
    return "%s: lacking over %.0f s %s".formatted(component, length, line);
  }
}
