package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.bench.RecoveryCurve.Observation;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.TidemarkStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Measures how long answers are not whole after kill -9 of each component, and after a restart of
 * all: points are sent at a rate, the fault comes with the last acknowledgement, the stack is
 * repaired as {@code make up} repairs it, and the Metrics API is asked each second until it has
 * every point and says so. Fails when it never has, when something counts twice, or when a repair
 * fails. Run by {@code make bench-recovery}.
 *
 * <p>A round ends after {@code bench.patience-seconds} at the latest, no round begins after {@code
 * bench.minutes}.
 */
@ExtendWith(RunningStack.class)
class RecoveryBench {
  private static final String ORGANIZATION = "org-ledger";
  private static final int POINTS_OF_BODY = 1_000;
  private static final int SECONDS_BETWEEN_LINES = 5;

  private final RunningStack.Started stack = RunningStack.get();
  private final StackProcesses processes = new StackProcesses(stack);
  private final BenchReport report = new BenchReport();
  private final TidemarkStack repaired =
      new TidemarkStack(stack.settings(), line -> report.note("up " + line.strip()));
  private final List<String> components =
      stack.stack().status().stream().map(TidemarkStack.ComponentStatus::id).toList();
  private final Duration patience =
      Duration.ofSeconds(Integer.getInteger("bench.patience-seconds", 300));
  private final long end =
      System.nanoTime() + TimeUnit.MINUTES.toNanos(Integer.getInteger("bench.minutes", 240));
  private final List<RecoveryCurve> curves = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private int number;

  /** What is asked: all points of one metric, until a moment. */
  private record Question(MetricsQuery api, ObjectNode body, Instant until, long points) {}

  @Test
  void measure() throws Exception {
    List<RecoveryFault> faults =
        RecoveryFault.of(System.getProperty("bench.components", ""), components);
    load("warm", Integer.getInteger("bench.warm-up-seconds", 20));
    // As `make up` does behind itself.
    report.note("%d class archives made".formatted(stack.stack().archiveClasses()));
    for (RecoveryFault fault : faults) {
      measure(fault);
      picture();
    }
    assertThat(wrong).isEmpty();
  }

  private void measure(RecoveryFault fault) throws Exception {
    Samples whole = new Samples();
    int rounds = Integer.getInteger("bench.rounds", 3);
    for (int round = 1; round <= rounds; round++) {
      String name = "%s, round %d of %d".formatted(fault.name(), round, rounds);
      if (System.nanoTime() > end) {
        wrong.add(name + ": not run, the time is over");
        continue;
      }
      RecoveryCurve curve = round(fault, name);
      curves.add(curve);
      report.note(curve.line());
      curve
          .whole()
          .ifPresentOrElse(
              seconds -> whole.add(TimeUnit.SECONDS.toMillis(1) * seconds),
              () -> wrong.add(name + ": not whole within " + patience.toSeconds() + " s"));
      if (curve.surplus() > 0) {
        wrong.add(name + ": %,d points twice".formatted(curve.surplus()));
      }
    }
    if (whole.size() > 0) {
      report.row(
          "whole after " + fault.told(),
          "median %.0f s, longest %.0f s"
              .formatted(whole.quantile(0.5) / 1e3, whole.quantile(1) / 1e3),
          "%.0f s".formatted(whole.quantile(1) / 1e3),
          "≤ 60 s",
          whole.size() + " of " + rounds + " rounds");
    }
    report.took(fault.name());
  }

  private RecoveryCurve round(RecoveryFault fault, String name) throws Exception {
    Question question = load(name, Integer.getInteger("bench.seconds", 60));
    ExecutorService repair = Executors.newSingleThreadExecutor();
    try {
      Observation before = look(question, System.nanoTime());
      report.note("%s: %s before the fault".formatted(name, told(question, before)));
      long asked = System.nanoTime();
      boolean isOrderly = fault.name().equals(RecoveryFault.RESTART);
      if (isOrderly) {
        fault.happen(repaired, components);
        report.note("%s: stopped in %.1f s".formatted(name, (System.nanoTime() - asked) / 1e9));
      }
      var threads = processes.ofThreads();
      // A restart is wanted: its time counts from where things start again.
      long begin = isOrderly ? System.nanoTime() : asked;
      Future<Integer> up =
          repair.submit(
              () -> {
                if (!isOrderly) {
                  fault.happen(repaired, components);
                }
                // As `make up` does, but longer: the load of these rounds is more than of most
                // starts.
                return repaired.up(Duration.ofSeconds(120));
              });
      List<Observation> seen =
          new ArrayList<>(List.of(new Observation(0, before.points(), before.isFinal())));
      seen.addAll(watch(question, name, begin, up));
      report.note("%s: core-seconds: %s".formatted(name, processes.spentSince(threads)));
      report.note("%s: repaired, %d components started".formatted(name, finished(up, name, begin)));
      return new RecoveryCurve(fault.name(), question.points(), seen);
    } finally {
      repair.shutdownNow();
    }
  }

  /** Fails with what the repair failed with; no longer than a start of everything may take. */
  private int finished(Future<Integer> up, String name, long begin) throws Exception {
    try {
      long left = 2 * patience.toNanos() - (System.nanoTime() - begin);
      return up.get(Math.max(1, left), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      throw new IOException(name + ": the repair failed: " + failed.getCause(), failed);
    } catch (TimeoutException late) {
      throw new IOException(name + ": the repair has not ended after twice the patience", late);
    }
  }

  /** Sends at the rate; returns what is to be asked. */
  private Question load(String name, int seconds) throws Exception {
    int series = Integer.getInteger("bench.series", 10_000);
    int rate = Integer.getInteger("bench.rate", 40_000);
    PointFleet fleet = new HostFleet("bench.kill" + number++, series);
    int steps = (int) Math.max(1, Math.round((double) rate * seconds / fleet.series()));
    // As many rows as the points of 10 s steps make, and their minutes are over.
    Instant until = Instant.now().truncatedTo(ChronoUnit.DAYS);
    Instant from = until.minusSeconds((long) steps * PointFleet.STEP_SECONDS);
    OtlpSender otlp =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    try (PacedSender sender = new PacedSender(otlp, POINTS_OF_BODY)) {
      PacedSender.Outcome outcome =
          sender.send(
              fleet, rate, steps, step -> from.plusSeconds((long) step * PointFleet.STEP_SECONDS));
      report.note(
          "%s: %,d points sent at %,.0f a second (wanted: %,d), %d bodies again"
              .formatted(
                  name,
                  (long) steps * fleet.series(),
                  outcome.perSecond(),
                  rate,
                  outcome.refused()));
    }
    var metric = fleet.totals().entrySet().iterator().next();
    ObjectNode body =
        MetricsQuery.body(
            metric.getKey(),
            "COUNT",
            "ALL",
            from.truncatedTo(ChronoUnit.MINUTES),
            until,
            List.of());
    MetricsQuery api =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization(ORGANIZATION));
    return new Question(api, body, until, metric.getValue().count());
  }

  /** Until two answers in a row are whole, patience ends, or the repair has failed. */
  private List<Observation> watch(Question question, String name, long begin, Future<Integer> up)
      throws Exception {
    List<Observation> seen = new ArrayList<>();
    double toldAt = 0;
    int whole = 0;
    double seconds;
    do {
      Thread.sleep(1_000);
      Observation now = look(question, begin);
      seconds = now.seconds();
      seen.add(now);
      whole = now.points() == question.points() && now.isFinal() ? whole + 1 : 0;
      if (whole == 1 || seconds - toldAt >= SECONDS_BETWEEN_LINES) {
        report.note("%s: %s after %.0f s".formatted(name, told(question, now), seconds));
        toldAt = seconds;
      }
      if (up.isDone()) {
        finished(up, name, begin);
      }
    } while (whole < 2 && seconds < patience.toSeconds());
    return seen;
  }

  private static String told(Question question, Observation seen) {
    return "%.1f %% of the points%s"
        .formatted(
            100.0 * seen.points() / question.points(), seen.isFinal() ? ", said to be all" : "");
  }

  /** No answer is an answer without points. */
  private static Observation look(Question question, long begin) throws InterruptedException {
    long count = 0;
    boolean isFinal = false;
    try {
      JsonHttp.Answer answer = question.api().post("cloud", question.body());
      for (JsonNode row : answer.body().path("data")) {
        count += row.path("value").asLong();
      }
      JsonNode until = answer.body().at("/meta/completeness/complete_until");
      boolean isRead = !answer.body().at("/meta/completeness/is_behind").asBoolean();
      isFinal =
          isRead && until.isTextual() && !Instant.parse(until.asText()).isBefore(question.until());
    } catch (IOException down) {
      // Observation as what it is: nothing.
    }
    return new Observation((System.nanoTime() - begin) / 1e9, count, isFinal);
  }

  /** Written anew after each fault, so that a run that is ended leaves one. */
  private void picture() throws IOException {
    Path root = stack.settings().root();
    Path file = root.resolve("integration-tests/pipeline/target/recovery.svg");
    new RecoveryPicture(curves).write(file);
    report.note("picture: " + root.relativize(file));
  }
}
