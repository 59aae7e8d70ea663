package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import io.tidemark.pipeline.support.RunningStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code make soak}: sends points at a steady rate for hours on a stack of its own and looks at its
 * memory and its lag each half minute, and twelve times at what Java processes need of their heaps.
 * Fails when one of these grows, when one look of twenty got no answer, when what was acknowledged
 * is not what Druid adds up, or when a component ended meanwhile. Tells at the end what the stack
 * costs without load. Nothing else may run beside it.
 */
@ExtendWith(RunningStack.class)
class SoakRun {
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);
  private static final int LOOKS_BETWEEN_LINES = 10;
  private static final int COLLECTIONS = 12;
  private static final String ORGANIZATION = "org-ledger";
  private static final int POINTS_OF_BODY = 1_000;
  private static final String METRIC = "soak";

  private final RunningStack.Started stack = RunningStack.get();
  private final StackProcesses processes = new StackProcesses(stack);
  private final BenchReport report = new BenchReport();
  private final List<SoakTrend.Look> looks = new ArrayList<>();
  private final List<Map<String, Long>> collections = new ArrayList<>();
  private int unanswered;

  @Test
  void memoryAndLagStayFlat() throws Exception {
    Duration time = Duration.ofMinutes(Integer.getInteger("soak.minutes", 120));
    int rate = Integer.getInteger("soak.rate", 4_000);
    HostFleet fleet = new HostFleet(METRIC, Integer.getInteger("soak.series", 10_000));
    OtlpSender otlp =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(ORGANIZATION));
    Map<String, Long> before = processes.ids();
    Map<String, Long> limits = JavaHeaps.limits(before);
    Map<String, Long> java = new TreeMap<>(before);
    java.keySet().retainAll(limits.keySet());
    ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
    try (PacedSender sender = new PacedSender(otlp, POINTS_OF_BODY)) {
      long begin = System.nanoTime();
      var unused =
          looking.scheduleAtFixedRate(
              () -> look(begin),
              BETWEEN_LOOKS.toSeconds(),
              BETWEEN_LOOKS.toSeconds(),
              TimeUnit.SECONDS);
      long betweenCollections = time.toSeconds() / (COLLECTIONS + 1);
      var unusedToo =
          looking.scheduleAtFixedRate(
              () -> collect(java), betweenCollections, betweenCollections, TimeUnit.SECONDS);
      PacedSender.Outcome outcome = sender.send(fleet, rate, time);
      report.note(
          "%,.0f points a second for %d minutes; acknowledged after p50 %.1f, p99 %.1f ms; %d bodies again"
              .formatted(
                  outcome.perSecond(),
                  time.toMinutes(),
                  outcome.latency().quantile(0.5),
                  outcome.latency().quantile(0.99),
                  outcome.refused()));
    } finally {
      looking.shutdownNow();
      looking.awaitTermination(1, TimeUnit.MINUTES);
    }
    Path picture = stack.settings().root().resolve("integration-tests/pipeline/target/soak.svg");
    new SoakPicture(looks).write(picture);
    report.note("picture: " + stack.settings().root().relativize(picture));
    // Nothing compiles any more that is used.
    new PipelineCost(stack, ORGANIZATION, report)
        .idle(Integer.getInteger("bench.idle-seconds", 60));
    requireAll(fleet);
    List<String> growth = new ArrayList<>(SoakTrend.growth(looks, limits));
    int warmUp = collections.size() / 3;
    growth.addAll(SoakTrend.growthOfLive(collections.subList(warmUp, collections.size())));
    growth.forEach(report::note);
    assertThat(processes.ids()).as("processes at the end").isEqualTo(before);
    assertThat(growth).isEmpty();
    assertThat(unanswered).as("looks without an answer").isLessThanOrEqualTo(looks.size() / 20);
  }

  private void requireAll(PointFleet fleet) throws Exception {
    Map<String, PointFleet.Total> sent = new TreeMap<>(fleet.totals());
    FleetTotals totals =
        new FleetTotals(new BenchDruid(stack), new LakeReader(stack), ORGANIZATION);
    totals.awaitRows("rollup_1m", sent, PATIENCE);
    report.note(
        "%,d points acknowledged, all of them in Druid, each once"
            .formatted(sent.values().stream().mapToLong(PointFleet.Total::count).sum()));
  }

  private void look(long begin) {
    try {
      SoakTrend.Look look =
          new SoakTrend.Look(
              (System.nanoTime() - begin) / 60e9,
              processes.residentMemory(),
              secondsBehind(),
              RollupLag.batches(stack));
      looks.add(look);
      if (looks.size() % LOOKS_BETWEEN_LINES == 1) {
        report.note(
            "minute %.0f: %,d MiB, complete until %.0f s ago, %d batches unread (%s)"
                .formatted(
                    look.minute(),
                    look.total(),
                    look.behind(),
                    look.unread(),
                    look.resident().entrySet().stream()
                        .map(one -> one.getKey() + " " + one.getValue())
                        .collect(Collectors.joining(", "))));
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (Exception failed) {
      unanswered++;
      report.note(
          "minute %.0f: no answer: %s".formatted((System.nanoTime() - begin) / 60e9, failed));
    }
  }

  private void collect(Map<String, Long> java) {
    try {
      Map<String, Long> live = JavaHeaps.live(java);
      collections.add(live);
      report.note("needed of heaps, MiB: " + live);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (IOException failed) {
      unanswered++;
      report.note("no look at heaps: " + failed);
    }
  }

  private double secondsBehind() throws Exception {
    Instant now = Instant.now();
    ObjectNode question =
        MetricsQuery.body(
            METRIC + ".host.0",
            "COUNT",
            "ALL",
            now.truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(10)),
            now.truncatedTo(ChronoUnit.MINUTES),
            List.of());
    JsonNode until =
        new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization(ORGANIZATION))
            .post("cloud", question)
            .body()
            .at("/meta/completeness/complete_until");
    if (!until.isTextual()) {
      return Duration.ofMinutes(10).toSeconds();
    }
    return Duration.between(Instant.parse(until.asText()), now).toMillis() / 1e3;
  }
}
