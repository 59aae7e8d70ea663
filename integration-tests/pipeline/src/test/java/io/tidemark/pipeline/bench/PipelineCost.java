package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What points cost each process of a running stack, from the first request until every level in
 * Druid and every table of the lake holds all of them, and again until Druid has published.
 */
final class PipelineCost {
  private static final Duration PATIENCE = Duration.ofMinutes(12);
  static final String ROLLUP_GROUP = "tidemark-rollup";
  private static final String MINUTES = "rollup_1m";
  private static final int SETTLING_SECONDS = 20;
  private static final double MILLION = 1e6;
  private static final int THREADS_TOLD = 40;

  /** Fewer new series in a minute than the plan lets an environment have: none is folded. */
  private static final int INTRODUCED_PER_SECOND = 600;

  private static final int POINTS_OF_BODY = 1_000;

  /** Writes hours again in its own time: what it does during a load, another one caused. */
  private static final String COMPACTION = "druid-indexer-batch";

  private final RunningStack.Started stack;
  private final BenchReport report;
  private final JsonHttp http = new JsonHttp();
  private final StackProcesses processes;
  private final BenchDruid druid;
  private final FleetTotals totals;
  private final String organization;
  private final String overlord;
  private final Watch all;
  private Map<String, Double> idle = Map.of();

  /** What compaction uses while it does nothing: the least that was seen. */
  private double quietCompaction = Double.MAX_VALUE;

  private int nextStep;
  private long sent;

  /** When the first of so many steps is. */
  @FunctionalInterface
  public interface Begin {
    Instant of(int steps);
  }

  /**
   * CPU seconds by component.
   *
   * @param seconds on the clock
   * @param threads the same by component and kind of thread, of threads that still live
   */
  record Spent(double seconds, Map<String, Double> cpu, Map<String, Double> threads) {}

  /**
   * One load.
   *
   * @param sending until all points were acknowledged
   * @param whole until Druid and the lake held them
   * @param published from then until Druid had published them
   */
  record Measured(
      long points,
      Spent sending,
      Spent whole,
      Spent published,
      Map<String, FleetTotals.Stored> druid,
      List<String> differences) {}

  PipelineCost(RunningStack.Started stack, String organization, BenchReport report)
      throws IOException, InterruptedException {
    this.stack = stack;
    this.report = report;
    this.organization = organization;
    this.processes = new StackProcesses(stack);
    this.druid = new BenchDruid(stack);
    this.totals = new FleetTotals(druid, new LakeReader(stack), organization);
    this.overlord = "http://" + stack.settings().ports().address("druid-coordinator");
    this.all = new Watch();
  }

  /** One point of every series, as slowly as new series may come. */
  public void introduce(PointFleet fleet, Begin begin) throws Exception {
    Instant time = begin.of(1);
    try (PacedSender sender = new PacedSender(otlp(), POINTS_OF_BODY)) {
      sender.send(fleet, INTRODUCED_PER_SECOND, 1, step -> time);
    }
    nextStep++;
    sent += points(fleet);
    report.note("%,d series are known".formatted(fleet.series()));
  }

  /** Sends points and waits until Druid has their minutes: work that does not count. */
  public void load(PointFleet fleet, int steps, Begin begin) throws Exception {
    send(fleet, steps, begin.of(steps));
    awaitRollup();
    awaitMinutes(fleet);
    report.note("warm after %,d points".formatted(points(fleet)));
  }

  /** The next steps of a fleet; returns how many points they had. */
  private long send(PointFleet fleet, int steps, Instant first) throws Exception {
    long before = points(fleet);
    try (FleetSender sender = new FleetSender(otlp())) {
      sender.send(fleet, nextStep, steps, first);
    }
    nextStep += steps;
    long added = points(fleet) - before;
    sent += added;
    return added;
  }

  private OtlpSender otlp() {
    return new OtlpSender(
        stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(organization));
  }

  /** What the stack costs while only its own telemetry comes. */
  void idle(int seconds) throws Exception {
    Thread.sleep(
        TimeUnit.SECONDS.toMillis(Integer.getInteger("bench.settling-seconds", SETTLING_SECONDS)));
    Watch watch = new Watch();
    Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
    Spent spent = watch.look();
    Map<String, Double> rates = new TreeMap<>();
    spent.cpu().forEach((id, cpu) -> rates.put(id, cpu / spent.seconds()));
    idle = rates;
    report.note("| process | without load, % of a core |");
    report.note("|---|---|");
    rates.forEach((id, rate) -> report.note("| %s | %.2f |".formatted(id, 100 * rate)));
    threads("% of a core without load", spent, 100 / spent.seconds());
    double all = rates.values().stream().mapToDouble(Double::doubleValue).sum();
    double compaction = rates.getOrDefault(COMPACTION, 0.0);
    quietCompaction = Math.min(quietCompaction, compaction);
    report.row(
        "the stack without load",
        seconds + " s",
        "%.1f %%, without compaction %.1f %%".formatted(100 * all, 100 * (all - compaction)),
        "≤ 15 %",
        "1");
  }

  /** The kinds of threads that used most, in a unit of the caller's. */
  private void threads(String unit, Spent spent, double units) {
    report.note("| threads | " + unit + " |");
    report.note("|---|---|");
    spent.threads().entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(THREADS_TOLD)
        .forEach(
            kind -> report.note("| %s | %.2f |".formatted(kind.getKey(), units * kind.getValue())));
  }

  Measured measure(PointFleet fleet, int steps, Begin begin) throws Exception {
    Instant first = begin.of(steps);
    Watch watch = new Watch();
    long points = send(fleet, steps, first);
    Spent sending = watch.look();
    awaitRollup();
    awaitMinutes(fleet);
    List<String> differences = awaitAll(fleet);
    Spent whole = watch.look();
    Map<String, FleetTotals.Stored> stored = new TreeMap<>();
    // The day may have hours of other loads.
    Instant day = first.truncatedTo(ChronoUnit.DAYS);
    Instant end = first.plusSeconds((long) steps * PointFleet.STEP_SECONDS);
    for (String level : FleetTotals.LEVELS) {
      Instant from = level.equals("rollup_1d") ? day : first;
      stored.put(level, totals.stored(level, from, end, fleet.totals()));
    }
    Spent published = publish();
    return new Measured(points, sending, whole, published, stored, differences);
  }

  private static long points(PointFleet fleet) {
    return fleet.totals().values().stream().mapToLong(PointFleet.Total::count).sum();
  }

  /** Looks at offsets only: questions to Druid would be part of the cost. */
  private void awaitRollup() throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", stack.settings().ports().address("kafka")))) {
      Map<TopicPartition, Long> ends = pointsEnds(admin);
      Await.until(
          "rollup job behind " + ends,
          PATIENCE,
          () -> {
            Thread.sleep(1_000);
            return admin
                .listConsumerGroupOffsets(ROLLUP_GROUP)
                .partitionsToOffsetAndMetadata()
                .get(10, TimeUnit.SECONDS);
          },
          committed -> has(committed, ends));
    }
  }

  private static boolean has(
      Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(
            end -> {
              OffsetAndMetadata read = committed.get(end.getKey());
              return end.getValue() == 0 || (read != null && read.offset() >= end.getValue());
            });
  }

  static Map<TopicPartition, Long> pointsEnds(Admin admin) throws Exception {
    String topic = "telemetry.points.v1";
    Map<TopicPartition, OffsetSpec> asked = new TreeMap<>((a, b) -> a.partition() - b.partition());
    admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get(10, TimeUnit.SECONDS)
        .get(topic)
        .partitions()
        .forEach(
            info -> asked.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new TreeMap<>((a, b) -> a.partition() - b.partition());
    admin
        .listOffsets(asked)
        .all()
        .get(10, TimeUnit.SECONDS)
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  /** One metric is asked for, every few seconds. */
  private void awaitMinutes(PointFleet fleet) throws Exception {
    var first = fleet.totals().entrySet().iterator().next();
    Await.until(
        "minutes of " + first,
        PATIENCE,
        () -> {
          Thread.sleep(3_000);
          return totals.stored(MINUTES, Map.of(first.getKey(), first.getValue())).points();
        },
        found -> found >= first.getValue().count());
  }

  /** What differs in the end; empty once all stores are equal to what was sent. */
  private List<String> awaitAll(PointFleet fleet) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<String> differences = new ArrayList<>();
      for (String level : FleetTotals.LEVELS) {
        differences.addAll(
            FleetTotals.differences(
                level, fleet.totals(), totals.stored(level, fleet.totals()).totals()));
      }
      if (differences.isEmpty()) {
        totals
            .inLake(fleet.totals())
            .forEach(
                (table, stored) ->
                    differences.addAll(
                        FleetTotals.differences("lake " + table, fleet.totals(), stored.totals())));
      }
      if (differences.isEmpty() || System.nanoTime() > deadline) {
        return differences;
      }
      Thread.sleep(5_000);
    }
  }

  /** Druid's tasks publish what they hold, merged into segments, and others take over. */
  private Spent publish() throws Exception {
    Watch watch = new Watch();
    Map<String, Integer> before = new TreeMap<>();
    ObjectNode group = JsonHttp.JSON.createObjectNode();
    group.putArray("taskGroupIds").add(0);
    for (String level : FleetTotals.LEVELS) {
      before.put(level, ended(level));
      String supervisor = overlord + "/druid/indexer/v1/supervisor/" + level;
      JsonHttp.Answer answer = http.post(supervisor + "/taskGroups/handoff", group);
      if (!answer.ok()) {
        throw new IOException(answer.status() + " " + answer.text());
      }
    }
    for (String level : FleetTotals.LEVELS) {
      Await.until(
          "published " + level, PATIENCE, () -> ended(level), found -> found > before.get(level));
    }
    return watch.look();
  }

  private int ended(String datasource) throws IOException, InterruptedException {
    return http.get(
            overlord
                + "/druid/indexer/v1/tasks?state=complete&type=index_kafka&datasource="
                + datasource)
        .body()
        .size();
  }

  /** Core-seconds per million points of all components but compaction, net of idle. */
  double net(Measured measured) {
    double net = 0;
    for (String id : measured.whole().cpu().keySet()) {
      net += id.equals(COMPACTION) ? 0 : net(measured.whole(), id);
    }
    return net * MILLION / measured.points();
  }

  private double net(Spent spent, String component) {
    return spent.cpu().get(component) - idle.getOrDefault(component, 0.0) * spent.seconds();
  }

  /** What compaction used for everything that was sent, once it finds no more to do. */
  void reportCompaction() throws Exception {
    String compaction = overlord + "/druid/coordinator/v1/compaction/";
    Await.until(
        "nothing to compact",
        PATIENCE,
        () -> {
          http.post(compaction + "compact", JsonHttp.JSON.createObjectNode());
          Thread.sleep(3_000);
          return http.get(compaction + "status").body().path("latestStatus");
        },
        PipelineCost::isCompacted);
    Spent spent = all.look();
    double net = spent.cpu().get(COMPACTION) - quietCompaction * spent.seconds();
    report.row(
        "core-seconds per million points, net, compaction",
        "in its own time",
        "%.1f".formatted(net * MILLION / sent),
        "",
        "%.1f M points".formatted(sent / MILLION));
  }

  private static boolean isCompacted(JsonNode datasources) {
    long awaiting = 0;
    for (JsonNode datasource : datasources) {
      awaiting += datasource.path("bytesAwaitingCompaction").asLong();
    }
    return !datasources.isEmpty() && awaiting == 0;
  }

  /** A line for each component, and the sums. */
  void report(PointFleet fleet, Measured measured) throws IOException {
    double millions = measured.points() / MILLION;
    report.note(
        "%s, %,d points, sent in %.0f s, whole after %.0f s, published in %.0f s"
            .formatted(
                fleet.shape(),
                measured.points(),
                measured.sending().seconds(),
                measured.whole().seconds(),
                measured.published().seconds()));
    measured
        .druid()
        .forEach(
            (level, stored) ->
                report.note(
                    "%s: %,d rows of %,d panes".formatted(level, stored.rows(), stored.panes())));
    report.note("| process | idle, % of a core | gross | net | publishing | peak MiB |");
    report.note("|---|---|---|---|---|---|");
    double[] sums = new double[5];
    for (String id : measured.whole().cpu().keySet()) {
      double rate = idle.getOrDefault(id, 0.0);
      double gross = measured.whole().cpu().get(id) / millions;
      double net = gross - rate * measured.whole().seconds() / millions;
      double later =
          (measured.published().cpu().getOrDefault(id, 0.0) - rate * measured.published().seconds())
              / millions;
      long memory = processes.peakMemory(id);
      double[] row = {100 * rate, gross, net, later, memory};
      for (int i = 0; i < row.length; i++) {
        sums[i] += row[i];
      }
      report.note(line(id, row));
    }
    report.note(line("all", sums));
    report.row(
        "core-seconds per million points, net, without compaction",
        fleet.shape(),
        "%.1f".formatted(net(measured)),
        "≤ 12, aim 7",
        "%.1f M points".formatted(millions));
    threads("gross, core-seconds per million points", measured.whole(), 1 / millions);
  }

  private static String line(String name, double[] row) {
    return "| %s | %.1f | %.2f | %.2f | %.2f | %.0f |"
        .formatted(name, row[0], row[1], row[2], row[3], row[4]);
  }

  /** Since it was made. */
  private final class Watch {
    private final long begin = System.nanoTime();
    private final Map<String, Double> before = processes.ofComponents();
    private final Map<StackProcesses.ComponentThread, Double> threadsBefore = processes.ofThreads();

    Watch() throws IOException {}

    Spent look() throws IOException {
      Map<String, Double> spent = new TreeMap<>();
      processes
          .ofComponents()
          .forEach((id, seconds) -> spent.put(id, seconds - before.getOrDefault(id, 0.0)));
      Map<String, Double> threads = new TreeMap<>();
      processes
          .ofThreads()
          .forEach(
              (thread, seconds) ->
                  threads.merge(
                      thread.component() + " " + thread.name(),
                      seconds - threadsBefore.getOrDefault(thread, 0.0),
                      Double::sum));
      return new Spent((System.nanoTime() - begin) / 1e9, spent, threads);
    }
  }
}
