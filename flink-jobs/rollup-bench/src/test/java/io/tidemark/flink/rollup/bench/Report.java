package io.tidemark.flink.rollup.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Measured runs, and the table of medians that comes of them. */
final class Report {

  static final String OWN = "rollup job, catch-up: 1m+1h+1d, full labels, RocksDB";
  static final String SQL = "Flink SQL TUMBLE, 1m only, heap";
  static final String PER_POINT = "DataStream keyBy per point, 1m only, RocksDB";
  static final String INTERVAL = "60 s interval, M rows per core-second";
  static final String TOTALS = "delta exponential histograms without buckets";
  static final String SKETCHES = "delta exponential histograms, distribution sketch in every cell";
  static final String EXPLICIT_TOTALS = "delta explicit histograms without buckets";
  static final String EXPLICIT_BUCKETS =
      "delta explicit histograms, 16 buckets sent with every point, sketch in every cell";
  static final String LATE = "5 % of batches late by up to 2 h, one kill -9";
  static final String KEPT =
      "senders away for up to 2 h send what they kept, 5 % of points; one kill -9";
  static final String LATE_ONLY = "5 % of batches late by up to 2 h, no kill";
  static final String KILLED_ONLY = "in order, one kill -9";
  static final String UNMETERED = "rollup job without metering";
  static final String ROLLED_UP = "rollup job with metering, over the same points";
  static final String METERED = "usage job over the increments of that";
  static final String UNMETERED_FEW =
      "rollup job without metering, few points: start and end weigh";
  static final String METERED_FEW = "usage job over the increments of few points";
  static final String FEW_ACTIVE = "10,000 active series, without the end of the run";
  static final String REGISTERED = "1,000,000 series, their first 7 points: all are new";
  static final String MILLION = "1,000,000 active series, TaskManager below 4 GiB";
  static final String LIVE = "1,000,000 series, live pace: 100,000 points a second";

  /** CPU that metering may add to the rollup job. */
  private static final double MAX_METERED = 0.05;

  private final Map<String, List<Result>> results = new LinkedHashMap<>();
  private long stateBytesPerSeries;
  private long peakMemoryMiB;

  /** What a row is compared with: points in order, no kill, in the process that went on. */
  static String inOrder(String row) {
    return "as many in order before and after (" + row + ")";
  }

  void add(String name, Result result) {
    results.computeIfAbsent(name, ignored -> new ArrayList<>()).add(result);
    System.out.println("BENCH " + name + ": " + result);
  }

  void stateBytesPerSeries(long bytes) {
    stateBytesPerSeries = Math.max(stateBytesPerSeries, bytes);
  }

  void peakMemoryMiB(long peak) {
    peakMemoryMiB = Math.max(peakMemoryMiB, peak);
  }

  /** Leaves the table beside the figures of every run so far. */
  String write(Path folder) throws IOException {
    StringBuilder table = new StringBuilder();
    table.append("| row | n | median (lowest–highest) | compared with | ratio |\n");
    table.append("|---|---|---|---|---|\n");
    line(table, OWN, Result::rate, null, 0);
    line(table, SQL, Result::rate, "rollup job is times as fast", rate(OWN) / rate(SQL));
    line(
        table, PER_POINT, Result::rate, "rollup job is times as fast", rate(OWN) / rate(PER_POINT));
    line(table, INTERVAL, Result::rowRate, "own rows at 10 s", rows(INTERVAL) / rows(OWN));
    line(table, TOTALS, Result::rate, null, 0);
    line(table, SKETCHES, Result::rate, "without sketch", rate(SKETCHES) / rate(TOTALS));
    line(table, EXPLICIT_TOTALS, Result::rate, null, 0);
    line(
        table,
        EXPLICIT_BUCKETS,
        Result::rate,
        "without sketch, a third of the bytes",
        rate(EXPLICIT_BUCKETS) / rate(EXPLICIT_TOTALS));
    for (String hard : List.of(LATE, KEPT, LATE_ONLY, KILLED_ONLY)) {
      line(table, inOrder(hard), Result::rate, null, 0);
      line(table, hard, Result::rate, "in order, same process", pairedRatio(hard));
    }
    line(table, UNMETERED, Result::rate, null, 0);
    line(table, ROLLED_UP, Result::rate, null, 0);
    line(table, METERED, Result::rate, null, 0);
    metered(table);
    line(table, FEW_ACTIVE, Result::rate, null, 0);
    line(table, REGISTERED, Result::rate, null, 0);
    line(table, MILLION, Result::rate, "10,000 active series", rate(MILLION) / rate(FEW_ACTIVE));
    line(table, LIVE, Result::rate, "catch-up of as many series", rate(LIVE) / rate(MILLION));
    if (results.containsKey(MILLION)) {
      fact(
          table,
          "longest synchronous part of a checkpoint, 10,000 series",
          stall(FEW_ACTIVE),
          "ms");
      fact(table, "the same, 1,000,000 series becoming known", stall(REGISTERED), "ms");
      fact(table, "the same, 1,000,000 active series", stall(MILLION), "ms");
      fact(table, "the same, 1,000,000 series at live pace", stall(LIVE), "ms");
      fact(table, "state per active series, 1m+1h+1d open", stateBytesPerSeries, "bytes");
      fact(table, "peak memory of the process, JobManager included", peakMemoryMiB, "MiB");
    }
    Files.writeString(folder.resolve("bench-rollup.md"), table);
    Files.writeString(folder.resolve("bench-rollup.json"), json());
    return table.toString();
  }

  /**
   * What metering adds to the rollup job: the difference of each pair, and what the usage job takes
   * more for the points of a pair than for few. Both are shares of what the rollup job takes more
   * without metering: start and end of a job are in none of them.
   */
  private void metered(StringBuilder table) {
    if (!results.containsKey(METERED)) {
      return;
    }
    for (String name : List.of(UNMETERED, ROLLED_UP, METERED, UNMETERED_FEW, METERED_FEW)) {
      cpu(table, name);
    }
    double points = median(UNMETERED, Result::points);
    double more = points - median(UNMETERED_FEW, Result::points);
    double base = median(UNMETERED, Result::cpuSeconds) - median(UNMETERED_FEW, Result::cpuSeconds);
    double usage =
        (median(METERED, Result::cpuSeconds) - median(METERED_FEW, Result::cpuSeconds)) / base;
    double[] shares = new double[results.get(UNMETERED).size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (cpu(ROLLED_UP, i) - cpu(UNMETERED, i)) / (base * points / more) + usage;
    }
    share(table, "CPU that metering adds, rollup job and usage job", shares);
    fact(table, "of it the usage job", Math.round(1000 * usage), "thousandths");
    fact(table, "half of the pairs lie within", Math.round(1000 * spread(shares)), "thousandths");
  }

  /** Between the first and the third quarter. */
  private static double spread(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length * 3 / 4] - sorted[sorted.length / 4];
  }

  private double cpu(String name, int run) {
    return results.get(name).get(run).cpuSeconds();
  }

  private void cpu(StringBuilder table, String name) {
    table.append(
        String.format(
            Locale.ROOT,
            "| CPU-seconds, %s | %d | %.2f | | |%n",
            name,
            results.get(name).size(),
            median(name, Result::cpuSeconds)));
  }

  private static void share(StringBuilder table, String name, double[] shares) {
    double[] sorted = shares.clone();
    Arrays.sort(sorted);
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | %.1f %% (%.1f–%.1f) | must be ≤ 5 %%, aim 2 %% | %s |%n",
            name,
            sorted.length,
            100 * median(shares),
            100 * sorted[0],
            100 * sorted[sorted.length - 1],
            median(shares) <= MAX_METERED ? "met" : "not met"));
  }

  private static void fact(StringBuilder table, String name, long figure, String unit) {
    table.append(String.format(Locale.ROOT, "| %s | | %,d %s | | |%n", name, figure, unit));
  }

  private void line(
      StringBuilder table,
      String name,
      ToDoubleFunction<Result> figure,
      @Nullable String compared,
      double ratio) {
    List<Result> runs = results.get(name);
    if (runs == null) {
      return;
    }
    double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
    table.append(
        String.format(
            Locale.ROOT,
            "| %s | %d | %.3f (%.3f–%.3f) | %s | %s |%n",
            name,
            sorted.length,
            median(name, figure),
            sorted[0],
            sorted[sorted.length - 1],
            compared == null ? "" : compared,
            compared == null ? "" : String.format(Locale.ROOT, "%.2f", ratio)));
  }

  /** The median of each run's ratio: processes differ by more than the runs of one. */
  private double pairedRatio(String hard) {
    List<Result> runs = results.getOrDefault(hard, List.of());
    List<Result> inOrder = results.getOrDefault(inOrder(hard), List.of());
    double[] ratios = new double[runs.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = runs.get(i).rate() / inOrder.get(i).rate();
    }
    return median(ratios);
  }

  private double rate(String name) {
    return median(name, Result::rate);
  }

  private double rows(String name) {
    return median(name, Result::rowRate);
  }

  private double median(String name, ToDoubleFunction<Result> figure) {
    return median(
        results.getOrDefault(name, Collections.emptyList()).stream().mapToDouble(figure).toArray());
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private long stall(String name) {
    return results.getOrDefault(name, Collections.emptyList()).stream()
        .mapToLong(result -> result.checkpoints().longestStallMs())
        .max()
        .orElse(0);
  }

  private String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    results.forEach(
        (name, runs) -> {
          ArrayNode array = root.putArray(name);
          for (Result run : runs) {
            array
                .addObject()
                .put("points", run.points())
                .put("rows", run.rows())
                .put("cpu_seconds", run.cpuSeconds())
                .put("wall_seconds", run.wallSeconds())
                .put("checkpoints", run.checkpoints().completed())
                .put("longest_stall_ms", run.checkpoints().longestStallMs())
                .put("state_bytes", run.checkpoints().stateBytes());
          }
        });
    root.put("state_bytes_per_series", stateBytesPerSeries);
    root.put("peak_memory_mib_at_a_million", peakMemoryMiB);
    return root.toPrettyString();
  }
}
