package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RegionProxy;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.PortPlan;
import io.tidemark.stack.Progress;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.TidemarkStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code make test-regions}: a second region reads the first one's stream with jobs, Druid and lake
 * of its own. Processes of both are killed under load; afterwards both give the ledger's answers,
 * and queries are switched between them. Wants 16 GiB for two stacks.
 */
@ExtendWith(RunningStack.class)
@Isolated("two stacks")
class TwoRegions {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final Duration SWITCH = Duration.ofSeconds(30);
  private static final String ORGANIZATION = "org-ledger";
  private static final String METRIC = "regions.requests";

  private final RunningStack.Started first = RunningStack.get();
  private final Instant from = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(600);

  @Test
  void bothAnswerAlikeAfterKillsInEitherAndQueriesAreSwitched() throws Exception {
    RunningStack.Started second = second();
    try (RegionProxy proxy =
            new RegionProxy(
                first.settings(), second.settings(), second.settings().home().resolve("proxy"));
        LedgerLoad load =
            new LedgerLoad(
                new OtlpSender(
                    first.coordinates().get("TIDEMARK_OTLP_HTTP"),
                    first.authorization(ORGANIZATION)),
                METRIC,
                new LedgerLoad.Habits(Duration.ofMinutes(25), 40, Duration.ZERO, 0))) {
      assertThat(second.stack().jobs().keySet())
          .as("the second region neither meters nor alerts")
          .containsExactlyInAnyOrder("rollup", "lake");
      awaitMore(load);
      restart(first, "flink-taskmanager");
      restart(second, "druid-indexer");
      awaitMore(load);
      restart(second, "flink-jobmanager", "flink-taskmanager");
      restart(first, "druid-indexer");
      awaitMore(load);
      restart(second, "kafka");
      awaitMore(load);
      load.finish();
      assertExact("first", first, load);
      assertExact("second", second, load);
      for (String aggregation : List.of("SUM", "COUNT", "MIN", "MAX", "LAST")) {
        ObjectNode question = question(aggregation);
        assertThat(query(second).ask("cloud", question))
            .as(aggregation)
            .isEqualTo(query(first).ask("cloud", question));
      }
      switchQueries(proxy, second, load);
    } finally {
      second.stack().down();
    }
  }

  private void switchQueries(RegionProxy proxy, RunningStack.Started second, LedgerLoad load)
      throws Exception {
    MetricsQuery through = new MetricsQuery(proxy.url(), first.authorization(ORGANIZATION));
    TreeMap<Bucket, Double> expected = load.sums();
    assertAnsweredBy(proxy, "first 200");

    // The first region's processes are gone: the proxy sees it.
    first.stack().kill("platform-api");
    assertAnsweredBy(proxy, "second 200");
    assertThat(through.ask("cloud", question("SUM"))).isEqualTo(expected);
    first.stack().start("platform-api");
    assertAnsweredBy(proxy, "first 200");

    // It is ready and cannot answer: nobody sees that but people, who switch by hand.
    first.stack().kill("druid-broker");
    proxy.first("maint");
    assertAnsweredBy(proxy, "second 200");
    assertThat(through.ask("cloud", question("SUM"))).isEqualTo(expected);
    first.stack().start("druid-broker");
    proxy.first("ready");
    assertAnsweredBy(proxy, "first 200");
    Await.until(
        "the first region answers all again",
        PATIENCE,
        () -> through.ask("cloud", question("SUM")),
        expected::equals);
  }

  private void assertAnsweredBy(RegionProxy proxy, String expected) throws Exception {
    long began = System.nanoTime();
    Await.until(
        "queries are answered by " + expected,
        expected.startsWith("first") ? PATIENCE : SWITCH,
        () -> proxy.answering(first.authorization(ORGANIZATION), question("SUM").toString()),
        expected::equals);
    System.out.printf(
        "REGIONS answered by %s after %.1f s%n", expected, (System.nanoTime() - began) / 1e9);
  }

  private RunningStack.Started second() throws Exception {
    Path home = first.settings().home().resolveSibling("second-region");
    StackSettings own = StackSettings.fromEnvironment(first.settings().root(), Map.of());
    RunningStack.removeLeftovers(own, home);
    StackSettings settings =
        first
            .settings()
            .at(home, PortPlan.free((int) ProcessHandle.current().pid() + 1))
            .with("TIDEMARK_FIRST_REGION", first.settings().home().toString())
            .with("TIDEMARK_WITHOUT", "druid-historical-hot,druid-indexer-batch");
    Files.createDirectories(home);
    EnvironmentFile.write(
        home.resolve("ports.env"),
        "Ports of the last run here.",
        RunningStack.ports(settings.ports()));
    TidemarkStack stack = new TidemarkStack(settings, Progress.console());
    try {
      stack.up();
    } catch (Exception e) {
      stack.down();
      throw e;
    }
    return new RunningStack.Started(stack, settings, first.keys());
  }

  private static void restart(RunningStack.Started region, String... components) throws Exception {
    for (String component : components) {
      region.stack().kill(component);
    }
    for (String component : components) {
      region.stack().start(component);
    }
  }

  private static void awaitMore(LedgerLoad load) throws InterruptedException {
    long before = load.acknowledged();
    Await.until("load flows", PATIENCE, load::acknowledged, now -> now > before + 3_000);
  }

  private ObjectNode question(String aggregation) {
    return MetricsQuery.body(
        METRIC,
        aggregation,
        "PT1M",
        from,
        from.plus(3, ChronoUnit.HOURS),
        List.of("metric.worker"));
  }

  private static MetricsQuery query(RunningStack.Started region) {
    return new MetricsQuery(
        region.coordinates().get("TIDEMARK_URL"), region.authorization(ORGANIZATION));
  }

  private void assertExact(String name, RunningStack.Started region, LedgerLoad load)
      throws Exception {
    TreeMap<Bucket, Double> expected = load.sums();
    Await.until(
        "Druid of the " + name + " region equals the ledger",
        PATIENCE,
        () -> query(region).ask("cloud", question("SUM")),
        expected::equals);
    RowFigures all = load.figures().values().stream().reduce(RowFigures::plus).orElseThrow();
    JsonNode lake =
        Await.until(
            "the lake of the " + name + " region holds as much as was acknowledged",
            PATIENCE,
            () -> new LakeReader(region).read(ORGANIZATION, METRIC),
            read ->
                read.at("/raw_points/rows").asLong() >= all.count()
                    && read.at("/rollup_1m/count").asLong() >= all.count());
    assertThat(lake.at("/raw_points/rows").asLong()).as(name).isEqualTo(all.count());
    assertThat(lake.at("/raw_points/sum").asDouble()).as(name).isEqualTo(all.sum());
    assertThat(lake.at("/rollup_1m/count").asLong()).as(name).isEqualTo(all.count());
    assertThat(region.stack().failedCommits()).as(name).isEmpty();
  }
}
