package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What rollups, the split and the hot tier save in Druid, each asked as platform-api asks. */
final class StoreRows {
  private static final String WHOLE = "bench_whole";
  private static final String REDUCED = "bench_reduced";
  private static final String HOT = "bench_recent_hot";
  private static final String DEFAULT_ONLY = "bench_recent";
  private static final String TIER = "_default_tier";

  private final BenchDruid druid;
  private final Path folder;
  private final WeekOfPoints week;
  private final BenchReport report;

  StoreRows(BenchDruid druid, Path folder, WeekOfPoints week, BenchReport report) {
    this.druid = druid;
    this.folder = folder;
    this.week = week;
    this.report = report;
  }

  /**
   * Sums of seven days from points and from rows.
   *
   * @param rows the datasource of the rows
   * @param told what is compared
   * @param goal empty where another source is the one that platform-api asks
   */
  private record Summed(
      String width, List<String> groupBy, String rows, String told, String goal) {}

  /** The same sums of seven days from points and from the rows that platform-api plans with. */
  void rollup(int rounds) throws Exception {
    week.load();
    String goal = "≥ 20x, aim 60x";
    List<Summed> all =
        List.of(
            new Summed("P1D", List.of(), WeekOfPoints.DAYS, "by P1D", goal),
            new Summed("P1D", List.of(), WeekOfPoints.HOURS, "by P1D from rows of hours", ""),
            new Summed(
                "PT1H", List.of("metric.topic"), WeekOfPoints.HOURS, "by PT1H and topic", goal));
    for (Summed summed : all) {
      rollup(summed, rounds);
    }
  }

  private void rollup(Summed summed, int rounds) throws Exception {
    int each = Integer.getInteger("bench.week-queries", 12);
    StoreQuestion question = week.question(WeekOfPoints.RAW, summed.width(), summed.groupBy());
    ObjectNode raw = question.sums();
    ObjectNode rows = question.of(summed.rows()).sums();
    equal(raw, rows);
    String ofRaw = raw.toString();
    String ofRows = rows.toString();
    Contest contest =
        new Contest(each)
            .with("points", () -> druid.ask(ofRaw))
            // Clock ticks are 10 ms: what is cheap is asked more often.
            .with("rows", each * 20, () -> druid.ask(ofRows))
            .measuring(druid::cpuSeconds)
            .warmingUp(druid.warmUp(report))
            .run(rounds);
    report.row(
        "rollup against raw, 7 days %s, %s".formatted(summed.told(), week.size()),
        "%.1f CPU-ms a query; from points %.1f"
            .formatted(
                contest.median("rows", Contest.Block::cpuMillisEach),
                contest.median("points", Contest.Block::cpuMillisEach)),
        "%.0fx less"
            .formatted(
                contest.median(
                    "points",
                    "rows",
                    (points, few) -> points.cpuMillisEach() / few.cpuMillisEach())),
        summed.goal(),
        contest.size() + " (20 times as many from rows)");
  }

  private void equal(ObjectNode one, ObjectNode other) throws Exception {
    double left = sum(druid.read(one));
    double right = sum(druid.read(other));
    if (left != right || left == 0) {
      throw new IOException(left + " is not " + right);
    }
  }

  private static double sum(JsonNode answer) {
    double sum = 0;
    for (JsonNode item : answer) {
      // Of a row that is a list the last is the number of stored rows.
      sum +=
          item.isArray()
              ? item.path(item.size() - 2).asDouble()
              : item.at("/result/f_sum").asDouble();
    }
    return sum;
  }

  /** Minutes of many clients, with and without a row for each of them. */
  public void split(int rounds) throws Exception {
    int clients = Integer.getInteger("bench.clients", 1_000);
    int topics = 10;
    int hours = 2;
    Instant begin = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(hours + 3, ChronoUnit.HOURS);
    BenchRows whole = new BenchRows(folder, WHOLE);
    BenchRows reduced = new BenchRows(folder, REDUCED);
    for (int minute = 0; minute < 60 * hours; minute++) {
      Instant time = begin.plus(minute, ChronoUnit.MINUTES);
      for (int topic = 0; topic < topics; topic++) {
        double sum = 0;
        for (int client = 0; client < clients; client++) {
          double value = (minute * 31 + topic * 17 + client) % 1_000;
          sum += value;
          whole.add(time, series(topic, client), value, 6);
        }
        reduced.add(time, series(topic, -1), sum, 6L * clients);
      }
    }
    load(WHOLE, whole);
    load(REDUCED, reduced);
    StoreQuestion question =
        new StoreQuestion(
            BenchRows.ORGANIZATION,
            WHOLE,
            "bench.split",
            Map.of(),
            List.of("metric.topic"),
            "PT1M",
            begin,
            begin.plus(hours, ChronoUnit.HOURS));
    equal(question.sums(), question.of(REDUCED).sums());
    String with = question.of(REDUCED).sums().toString();
    String without = question.sums().toString();
    Contest contest =
        new Contest(Integer.getInteger("bench.queries", 60))
            .with("with", () -> druid.ask(with))
            .with("without", () -> druid.ask(without))
            .warmingUp(druid.warmUp(report))
            .run(rounds);
    report.row(
        "split: %d h of minutes by topic, %d series, %d rows a minute without the split, %d with it"
            .formatted(hours, topics * clients, topics * clients, topics),
        contest.times("with") + "; without the split " + contest.times("without"),
        lower(contest),
        "≥ 30 % lower, aim 60 %",
        contest.size());
  }

  private static BenchRows.Series series(int topic, int client) {
    Map<String, String> labels =
        client < 0
            ? Map.of("topic", "t" + topic)
            : Map.of("topic", "t" + topic, "client", "client-" + client);
    return new BenchRows.Series("bench.split", "lkc-1", topic * 100_000 + client + 1, labels);
  }

  /** Recent minutes on both tiers and on the default tier only, beside wide queries. */
  void tiers(int rounds) throws Exception {
    week.load();
    int series = 1_000;
    Instant begin = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(2, ChronoUnit.HOURS);
    druid.loadOn(HOT, "hot", TIER);
    druid.loadOn(DEFAULT_ONLY, TIER);
    for (String datasource : List.of(HOT, DEFAULT_ONLY)) {
      BenchRows rows = new BenchRows(folder, datasource);
      for (int minute = 0; minute < 60; minute++) {
        for (int i = 0; i < series; i++) {
          rows.add(begin.plus(minute, ChronoUnit.MINUTES), series(i % 100, i / 100), i, 6);
        }
      }
      load(datasource, rows);
    }
    druid.awaitOn("hot", HOT);
    StoreQuestion question =
        new StoreQuestion(
            BenchRows.ORGANIZATION,
            HOT,
            "bench.split",
            Map.of("metric.topic", "t7"),
            List.of("metric.client"),
            "PT1M",
            begin,
            begin.plus(1, ChronoUnit.HOURS));
    equal(question.sums(), question.of(DEFAULT_ONLY).sums());
    String with = question.sums().toString();
    String without = question.of(DEFAULT_ONLY).sums().toString();
    int wide = Integer.getInteger("bench.wide-queries", 2);
    Contest contest =
        new Contest(Integer.getInteger("bench.tier-queries", 20))
            .with("with", () -> druid.ask(with))
            .with("without", () -> druid.ask(without));
    try (Wide ignored = new Wide(druid, week, wide)) {
      contest.warmingUp(druid.warmUp(report)).run(rounds);
      report.row(
          "hot tier: 60 minutes of 10 series while %d wide queries run all the time (7 days, %s)"
              .formatted(wide, week.size()),
          contest.times("with") + "; without the tier " + contest.times("without"),
          lower(contest),
          "≥ 60 % lower, aim 85 %",
          contest.size() + ", " + ignored.done() + " wide queries beside them");
    }
  }

  private void load(String datasource, BenchRows rows) throws Exception {
    rows.close();
    druid.await(druid.append(druid.schema("rollup_1m", datasource), rows.file()));
    java.nio.file.Files.delete(rows.file());
    druid.awaitRows(datasource, rows.rows());
  }

  private static String lower(Contest contest) {
    return "%.0f %% lower"
        .formatted(
            100
                * contest.median(
                    "with", "without", (with, without) -> 1 - with.p95() / without.p95()));
  }

  /** Asks for every hour of every series of a week, again and again. */
  private static final class Wide implements AutoCloseable {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();
    private final List<Future<?>> running = new ArrayList<>();
    private final ExecutorService threads;

    Wide(BenchDruid druid, WeekOfPoints week, int number) {
      threads = Executors.newFixedThreadPool(number);
      ObjectNode tree =
          week.question(WeekOfPoints.RAW, "PT1H", List.of("metric.topic", "metric.partition"))
              .sums();
      // They are to be slow, not to fail.
      tree.withObject("/context").put("timeout", 55_000);
      String query = tree.toString();
      for (int i = 0; i < number; i++) {
        running.add(
            threads.submit(
                () -> {
                  while (!isOver.get()) {
                    druid.ask(query);
                    done.incrementAndGet();
                  }
                  return null;
                }));
      }
    }

    int done() {
      return done.get();
    }

    @Override
    public void close() throws Exception {
      isOver.set(true);
      threads.shutdown();
      if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new IOException("Wide queries did not end");
      }
      for (Future<?> each : running) {
        // A wide query that failed was no load.
        each.get();
      }
    }
  }
}
