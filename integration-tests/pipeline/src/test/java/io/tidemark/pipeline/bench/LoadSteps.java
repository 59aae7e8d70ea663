package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import io.tidemark.pipeline.support.RunningStack;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code make load-test}: raises the rate of points on a stack of its own, step by step, and draws
 * throughput against latency. Fails only when what was acknowledged is not what Druid adds up.
 */
@ExtendWith(RunningStack.class)
class LoadSteps {
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final String ORGANIZATION = "org-ledger";
  private static final int POINTS_OF_BODY = 1_000;
  private static final int SERIES = Integer.getInteger("load.series", 10_000);

  private final RunningStack.Started stack = RunningStack.get();
  private final StackProcesses processes = new StackProcesses(stack);
  private final BenchReport report = new BenchReport();
  private final Map<String, PointFleet.Total> sent = new TreeMap<>();

  @Test
  void throughputAgainstLatency() throws Exception {
    int[] rates =
        Stream.of(System.getProperty("load.rates", "1000,2000,4000,8000,16000,32000").split(","))
            .mapToInt(Integer::parseInt)
            .toArray();
    Duration time = Duration.ofSeconds(Integer.getInteger("load.seconds", 30));
    OtlpSender otlp =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    List<LoadStep> steps = new ArrayList<>();
    try (PacedSender sender = new PacedSender(otlp, POINTS_OF_BODY)) {
      // Compilers and first series are no part of a step.
      step(sender, "warm", rates[0], time);
      report.took("warm-up");
      for (int rate : rates) {
        steps.add(step(sender, "at" + rate, rate, time));
        report.took(rate + " points/s");
      }
    }
    report(steps);
    Path picture =
        stack.settings().root().resolve("integration-tests/pipeline/target/load-test.svg");
    new LoadPicture(steps).write(picture);
    report.note("picture: " + stack.settings().root().relativize(picture));
    FleetTotals totals =
        new FleetTotals(new BenchDruid(stack), new LakeReader(stack), ORGANIZATION);
    totals.awaitRows("rollup_1m", sent, PATIENCE);
    report.note(
        "%,d points acknowledged, all of them in Druid, each once"
            .formatted(sent.values().stream().mapToLong(PointFleet.Total::count).sum()));
  }

  private LoadStep step(PacedSender sender, String name, int rate, Duration time) throws Exception {
    HostFleet fleet = new HostFleet("load." + name, SERIES);
    Map<String, Double> before = processes.ofComponents();
    long begin = System.nanoTime();
    PacedSender.Outcome outcome = sender.send(fleet, rate, time);
    double seconds = (System.nanoTime() - begin) / 1e9;
    Map<String, Double> cores = new TreeMap<>();
    processes
        .ofComponents()
        .forEach((id, spent) -> cores.put(id, (spent - before.getOrDefault(id, 0.0)) / seconds));
    sent.putAll(fleet.totals());
    return new LoadStep(
        rate,
        outcome.perSecond(),
        outcome.latency().quantile(0.5),
        outcome.latency().quantile(0.95),
        outcome.latency().quantile(0.99),
        outcome.refused(),
        RollupLag.batches(stack),
        cores);
  }

  private void report(List<LoadStep> steps) {
    report.note(
        "| offered | points/s | p50 ms | p95 ms | p99 ms | again | batches behind | cores |");
    report.note("|---|---|---|---|---|---|---|---|");
    for (LoadStep step : steps) {
      double cores = step.cores().values().stream().mapToDouble(Double::doubleValue).sum();
      report.note(
          "| %d | %.0f | %.1f | %.1f | %.1f | %d | %d | %.2f |"
              .formatted(
                  step.offered(),
                  step.perSecond(),
                  step.p50(),
                  step.p95(),
                  step.p99(),
                  step.refused(),
                  step.lag(),
                  cores));
    }
    report.note("cores by component, from the lowest rate to the highest:");
    for (String component : steps.get(0).cores().keySet()) {
      report.note(
          "| %s | %s |"
              .formatted(
                  component,
                  String.join(
                      " | ",
                      steps.stream()
                          .map(step -> "%.2f".formatted(step.cores().getOrDefault(component, 0.0)))
                          .toList())));
    }
    report.note(
        LoadStep.knee(steps)
            .map(step -> "knee at %.0f points/s".formatted(step.perSecond()))
            .orElse("no knee among these rates"));
  }
}
