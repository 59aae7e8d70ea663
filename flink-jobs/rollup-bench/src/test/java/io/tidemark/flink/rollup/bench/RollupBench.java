package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.testing.Fleet.Form;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The rollup job against its peers and against itself under harder conditions, per core-second of
 * the Flink processes, with Kafka at both ends. Variants take turns; every measured run's rows are
 * read back and checked. Run by {@code make bench-rollup}, never by the build.
 */
class RollupBench {

  private static final Path ROOT = Path.of(System.getProperty("bench.root", "../.."));
  private static final Path ENGINES =
      Path.of(System.getProperty("bench.engines", ROOT.resolve(".tidemark/engines").toString()));
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Rows of the report; what a row is compared with is always measured. */
  private static final List<String> ALL =
      List.of(
          "sql", "per-point", "interval", "sketch", "explicit", "late", "kept", "million", "live");

  /** Rows that are measured only when they are asked for. */
  private static final List<String> MORE = List.of("own", "late-parts", "metering");

  /** Rows that are compared with the job as it is, and that row. */
  private static final Set<String> COMPARED = Set.of("own", "sql", "per-point", "interval");

  /** Rows with processes of their own, because some are killed. */
  private static final Set<String> LATE = Set.of("late", "kept", "late-parts");

  /** A job that runs for days has met everything; that takes some hundred million points. */
  private static final int OWN_WARM_UPS = Integer.getInteger("bench.warm-ups", 8);

  /** Peers get as much time: a point takes them several times as long. */
  private static final int SQL_WARM_UPS = Integer.getInteger("bench.warm-ups", 3);

  /** Histograms need code that gauges do not. */
  private static final int SKETCH_WARM_UPS = Integer.getInteger("bench.warm-ups", 3);

  /** Pairs: the rollup job has run before, neither its metering nor the usage job has. */
  private static final int METERED_WARM_UPS = Integer.getInteger("bench.metered-warm-ups", 4);

  /** Of a round. Runs differ by more than metering adds; the median of many pairs does not. */
  private static final int METERED_PAIRS = Integer.getInteger("bench.metered-pairs", 4);

  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
  private static final long MILLION = 1_000_000L;
  private static final int SERIES = 10_000;
  private static final long STEP_MS = 10_000;
  private static final int HEAP_MIB = 1536;
  private static final int MANAGED_MIB = 512;

  @Test
  void pointsPerCoreSecond() throws Exception {
    Set<String> chosen = chosen();
    Report report = new Report();
    try (Lab lab = Lab.open(ROOT, ENGINES, Lab.emptyFolder(TARGET.resolve("bench")))) {
      Turns turns = new Turns(report, TARGET);
      if (!LATE.containsAll(chosen)) {
        addOwn(lab, turns, report, chosen);
      }
      if (chosen.stream().anyMatch(LATE::contains)) {
        addLate(lab, turns, report, chosen);
      }
      turns.take(ROUNDS);
    }
    System.out.println(report.write(TARGET));
  }

  /** The job in one process, its peers, and itself with other points. */
  private static void addOwn(Lab lab, Turns turns, Report report, Set<String> chosen)
      throws Exception {
    Input first = lab.past(SERIES, STEP_MS, points("bench.warm-points", 12), SendOrder.IN_ORDER);
    FlinkProcess own = lab.process("rollup", HEAP_MIB, MANAGED_MIB);
    for (int i = 0; i < OWN_WARM_UPS; i++) {
      lab.warmUp(own, Contestant.ROLLUP, first);
    }
    if (chosen.stream().anyMatch(COMPARED::contains)) {
      // Start and end of a job take some two CPU-seconds, which should not weigh.
      Input large = lab.past(SERIES, STEP_MS, points("bench.points", 60), SendOrder.IN_ORDER);
      turns.add(Report.OWN, () -> lab.measure(own, Contestant.ROLLUP, large));
    }
    addPeers(lab, turns, chosen);
    if (chosen.contains("interval")) {
      Input minutely =
          lab.past(SERIES, 60_000, points("bench.interval-points", 6), SendOrder.IN_ORDER);
      turns.add(Report.INTERVAL, () -> lab.measure(own, Contestant.ROLLUP, minutely));
    }
    if (chosen.contains("sketch")) {
      addForms(
          lab,
          own,
          turns,
          new FormRow(Report.TOTALS, Form.EXPONENTIAL_HISTOGRAM_WITHOUT_BUCKETS),
          new FormRow(Report.SKETCHES, Form.EXPONENTIAL_HISTOGRAM));
    }
    if (chosen.contains("explicit")) {
      addForms(
          lab,
          own,
          turns,
          new FormRow(Report.EXPLICIT_TOTALS, Form.HISTOGRAM_WITHOUT_BUCKETS),
          new FormRow(Report.EXPLICIT_BUCKETS, Form.HISTOGRAM));
    }
    if (chosen.contains("metering")) {
      addMetered(lab, own, turns, report, first);
    }
    if (chosen.contains("million") || chosen.contains("live")) {
      addMillion(lab, own, turns, report, chosen.contains("live"));
    }
  }

  private static void addPeers(Lab lab, Turns turns, Set<String> chosen) throws Exception {
    if (!chosen.contains("sql") && !chosen.contains("per-point")) {
      return;
    }
    Input input = lab.past(SERIES, STEP_MS, points("bench.peer-points", 6), SendOrder.IN_ORDER);
    if (chosen.contains("sql")) {
      FlinkProcess sql = lab.process("sql", HEAP_MIB, MANAGED_MIB);
      for (int i = 0; i < SQL_WARM_UPS; i++) {
        lab.warmUp(sql, Contestant.SQL, input);
      }
      turns.add(Report.SQL, () -> lab.measure(sql, Contestant.SQL, input));
    }
    if (chosen.contains("per-point")) {
      FlinkProcess perPoint = lab.process("per-point", HEAP_MIB, MANAGED_MIB);
      lab.warmUp(perPoint, Contestant.PER_POINT, input);
      turns.add(Report.PER_POINT, () -> lab.measure(perPoint, Contestant.PER_POINT, input));
    }
  }

  /** Many pairs, who comes first by turns; the usage job over as many points and over few. */
  private static void addMetered(Lab lab, FlinkProcess own, Turns turns, Report report, Input warm)
      throws Exception {
    MeteredRun run = new MeteredRun(lab, own);
    for (int i = 0; i < METERED_WARM_UPS; i++) {
      System.out.println("BENCH warm-up of metering: " + run.pair(warm, i % 2 == 1));
      System.out.println("BENCH warm-up of USAGE: " + run.usage(warm));
    }
    Input large = lab.past(SERIES, STEP_MS, points("bench.metered-points", 24), SendOrder.IN_ORDER);
    // A run of less than a second ends before the batches that came before the tenant are let in.
    Input few = lab.past(SERIES, STEP_MS, points("bench.metered-few", 4), SendOrder.IN_ORDER);
    AtomicInteger pairs = new AtomicInteger();
    turns.add(
        Report.METERED,
        () -> {
          report.add(Report.UNMETERED_FEW, run.pair(few, false).without());
          report.add(Report.METERED_FEW, run.usage(few));
          for (int i = 0; i < METERED_PAIRS; i++) {
            MeteredRun.Pair pair = run.pair(large, pairs.getAndIncrement() % 2 == 1);
            report.add(Report.UNMETERED, pair.without());
            report.add(Report.ROLLED_UP, pair.with());
          }
          return run.usage(large);
        });
  }

  private record FormRow(String name, Form form) {}

  /** They take turns from the first warm-up on. */
  private static void addForms(Lab lab, FlinkProcess own, Turns turns, FormRow... rows)
      throws Exception {
    List<Input> inputs = new ArrayList<>();
    for (FormRow row : rows) {
      Input input = lab.past(row.form(), SERIES, STEP_MS, points("bench.sketch-points", 20));
      inputs.add(input);
      turns.add(row.name(), () -> lab.measure(own, Contestant.ROLLUP, input));
    }
    for (int i = 0; i < SKETCH_WARM_UPS; i++) {
      for (Input input : inputs) {
        lab.warmUp(own, Contestant.ROLLUP, input);
      }
    }
  }

  private static void addLate(Lab lab, Turns turns, Report report, Set<String> chosen)
      throws Exception {
    // A kill every two minutes; the work of some seconds is done again and a job started.
    long points = points("bench.late-points", 240);
    Input inOrder = lab.past(SERIES, STEP_MS, points, SendOrder.IN_ORDER);
    KilledRun killed = new KilledRun(lab, inOrder.fleet(), HEAP_MIB, MANAGED_MIB);
    boolean isInParts = chosen.contains("late-parts");
    if (isInParts || chosen.contains("late")) {
      Input late = lab.past(SERIES, STEP_MS, points, SendOrder.SCATTERED);
      turns.add(Report.LATE, () -> paired(report, killed.measure(late, inOrder), Report.LATE));
      if (isInParts) {
        turns.add(
            Report.LATE_ONLY,
            () -> paired(report, killed.undisturbed(late, inOrder), Report.LATE_ONLY));
        turns.add(
            Report.KILLED_ONLY,
            () -> paired(report, killed.measure(inOrder, inOrder), Report.KILLED_ONLY));
      }
    }
    if (chosen.contains("kept")) {
      Input kept = lab.past(SERIES, STEP_MS, points, SendOrder.KEPT);
      turns.add(Report.KEPT, () -> paired(report, killed.measure(kept, inOrder), Report.KEPT));
    }
  }

  private static Result paired(Report report, KilledRun.Pair pair, String name) {
    report.add(Report.inOrder(name), pair.inOrder());
    return pair.hard();
  }

  private static void addMillion(
      Lab lab, FlinkProcess own, Turns turns, Report report, boolean isLive) throws Exception {
    int series = Integer.getInteger("bench.many-series", 1_000_000);
    long points = points("bench.many-points", 12);
    // With threads, code and metaspace the process stays below 4 GiB; the report says by how much.
    FlinkProcess large =
        lab.process(
            "million",
            Integer.getInteger("bench.many-heap", 2688),
            Integer.getInteger("bench.many-managed", 640));
    ActiveRun few = new ActiveRun(lab, own, SERIES, points);
    ActiveRun many = new ActiveRun(lab, large, series, points);
    if (!Boolean.getBoolean("bench.many-cold")) {
      System.out.println("BENCH warm-up of a million series: " + many.measure());
    }
    turns.add(Report.FEW_ACTIVE, () -> few.measure().active());
    turns.add(
        Report.MILLION,
        () -> {
          ActiveRun.Parts parts = many.measure();
          report.add(Report.REGISTERED, parts.registered());
          report.stateBytesPerSeries(parts.active().checkpoints().stateBytes() / series);
          report.peakMemoryMiB(large.peakMemoryMiB());
          return parts.active();
        });
    if (isLive) {
      LiveRun live = new LiveRun(lab, large, series);
      turns.add(
          Report.LIVE,
          () -> {
            Result result = live.measure();
            report.peakMemoryMiB(large.peakMemoryMiB());
            return result;
          });
    }
  }

  private static long points(String property, long millions) {
    return Long.getLong(property, millions * MILLION);
  }

  private static Set<String> chosen() {
    Set<String> chosen =
        new HashSet<>(
            Arrays.asList(System.getProperty("bench.rows", String.join(",", ALL)).split(",")));
    Set<String> unknown = new HashSet<>(chosen);
    ALL.forEach(unknown::remove);
    MORE.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "No rows " + unknown + "; there are " + ALL + " and " + MORE);
    }
    return chosen;
  }
}
