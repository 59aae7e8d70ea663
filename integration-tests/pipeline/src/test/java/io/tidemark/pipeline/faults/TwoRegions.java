package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RegionProxy;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.FirstRegion;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.PortPlan;
import io.tidemark.stack.Progress;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.TidemarkStack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code make test-regions}: a second region reads the first one's stream with jobs, Druid and lake
 * of its own. Processes of both are killed under load; afterwards both give the ledger's answers, a
 * deletion reaches the stores of both, and queries are switched between them. Wants 16 GiB for two
 * stacks.
 */
@ExtendWith(RunningStack.class)
@Isolated("two stacks")
class TwoRegions {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final Duration SWITCH = Duration.ofSeconds(30);
  private static final String ORGANIZATION = "org-ledger";
  private static final String METRIC = "regions.requests";

  private static final String DELETER = "org-demo";
  private static final String GONE = "regions.deleted";
  private static final String KEPT = "regions.kept";
  private static final int OLD_POINTS = 30;
  private static final Duration CERTIFIED = Duration.ofMinutes(15);

  private final RunningStack.Started first = RunningStack.get();
  private final HttpClient http = HttpClient.newHttpClient();
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
      sendOld(GONE);
      sendOld(KEPT);
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
      deleteInBoth(second);
      switchQueries(proxy, second, load);
    } finally {
      second.stack().down();
    }
  }

  /** Of a day that is over, so that all its rows are written soon. */
  private void sendOld(String metric) throws Exception {
    List<Point> sent = new ArrayList<>();
    for (int i = 0; i < OLD_POINTS; i++) {
      sent.add(new Point(metric, Map.of("route", "/" + i % 3), old().plusSeconds(60L * i), i + 1));
    }
    assertThat(
            new OtlpSender(
                    first.coordinates().get("TIDEMARK_OTLP_HTTP"), first.authorization(DELETER))
                .send(OtlpSender.batch("regions", sent).toByteArray())
                .statusCode())
        .isEqualTo(200);
  }

  private Instant old() {
    return from.truncatedTo(ChronoUnit.DAYS).minus(30, ChronoUnit.HOURS);
  }

  private void deleteInBoth(RunningStack.Started second) throws Exception {
    List<RunningStack.Started> regions = List.of(first, second);
    for (RunningStack.Started region : regions) {
      awaitOld(region, GONE, OLD_POINTS);
    }
    String deletions =
        first.coordinates().get("TIDEMARK_URL")
            + "/api/v1/organizations/org-demo/environments/env-demo/deletions";
    JsonNode begun = post(deletions, "{\"metric\":\"" + GONE + "\"}");
    long began = System.nanoTime();
    JsonNode done =
        Await.until(
            "the certificate of both regions",
            CERTIFIED,
            () -> get(deletions + "/" + begun.path("id").asText()),
            answer -> answer.path("state").asText().equals("done"));
    System.out.printf("REGIONS certified after %.1f s%n", (System.nanoTime() - began) / 1e9);
    JsonNode certificate = JsonHttp.JSON.readTree(done.path("certificate").asText());
    JsonNode reader = certificate.path("regions").path(0);
    assertThat(reader.path("region").asText()).isEqualTo(FirstRegion.READER);
    for (JsonNode stores : List.of(certificate, reader)) {
      assertThat(stores.at("/druid/0/points_removed").asLong()).isEqualTo(OLD_POINTS);
      assertThat(stores.at("/lake/0/rows_removed").asLong()).isEqualTo(OLD_POINTS);
    }
    for (RunningStack.Started region : regions) {
      awaitOld(region, GONE, 0);
      awaitOld(region, KEPT, OLD_POINTS);
    }
  }

  /** Points of a metric in Druid and in the lake. */
  private void awaitOld(RunningStack.Started region, String metric, long points) throws Exception {
    DruidRows druid = new DruidRows(region.coordinates().get("TIDEMARK_DRUID"));
    for (String level : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      Await.until(
          metric + " in " + level + " of " + region.settings().home(),
          PATIENCE,
          () ->
              druid
                  .figures(level, "day", metric, "", old().minus(2, ChronoUnit.DAYS), Instant.now())
                  .values()
                  .stream()
                  .mapToLong(RowFigures::count)
                  .sum(),
          count -> count == points);
    }
    Await.until(
        metric + " in the lake of " + region.settings().home(),
        PATIENCE,
        Await.LONG_PAUSE,
        () -> new LakeReader(region).read(DELETER, metric),
        read ->
            read.at("/raw_points/rows").asLong() == points
                && read.at("/rollup_1d/count").asLong() == points);
  }

  private JsonNode post(String url, String body) throws Exception {
    return answer(HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body)));
  }

  private JsonNode get(String url) throws Exception {
    return answer(HttpRequest.newBuilder(URI.create(url)).GET());
  }

  private JsonNode answer(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer =
        http.send(
            request
                .header("Authorization", first.authorization(DELETER))
                .header("Content-Type", "application/json")
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202);
    return JsonHttp.JSON.readTree(answer.body());
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
            .with("TIDEMARK_WITHOUT", "druid-historical-hot");
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
