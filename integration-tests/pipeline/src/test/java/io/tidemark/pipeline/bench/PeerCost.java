package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.PointFleet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What the points of the benchmark cost other databases that keep them and add up intervals of
 * them.
 *
 * <p>They add up by the clock, and Prometheus' rules know no other time. So a minute of points is
 * sent within an interval of some seconds, at which the times of the points stand, too: as many
 * intervals of as many points come out as Tidemark makes minutes, in less time.
 */
final class PeerCost {
  private static final int STEPS_OF_MINUTE = 60 / PointFleet.STEP_SECONDS;
  private static final int MIN_INTERVAL = 2;
  private static final int IDLE_SECONDS = 10;

  /** The interval of the last points, that of rules that ask late, and one to evaluate them. */
  private static final int INTERVALS_UNTIL_WHOLE = 3;

  private static final double MILLION = 1e6;

  private final Path home;
  private final Path victoriaMetrics;
  private final Path prometheus;
  private final int pointsPerSecond;
  private final BenchReport report;

  /** A peer begins with nothing, on a folder of its own. */
  @FunctionalInterface
  private interface Begin {
    MeasuredPeer at(Path home, int interval, Collection<String> metrics) throws Exception;
  }

  /**
   * One load.
   *
   * @param cpu user and system seconds of the process
   * @param interval seconds in which a minute of points was sent
   * @param idle its seconds of CPU per second before the load
   * @param behind how late the last step was sent
   * @param intervals rows, one for each series and interval
   * @param raw differences of the points that it keeps
   * @param rolledUp how much of the points is in its intervals
   */
  record Measured(
      String peer,
      String shape,
      long points,
      int interval,
      double seconds,
      double cpu,
      double idle,
      long peakMebibytes,
      Duration behind,
      long intervals,
      List<String> raw,
      String rolledUp) {
    double gross() {
      return cpu * MILLION / points;
    }

    double net() {
      return (cpu - idle * seconds) * MILLION / points;
    }
  }

  private PeerCost(
      Path home, Path victoriaMetrics, Path prometheus, int pointsPerSecond, BenchReport report) {
    this.home = home;
    this.victoriaMetrics = victoriaMetrics;
    this.prometheus = prometheus;
    this.pointsPerSecond = pointsPerSecond;
    this.report = report;
  }

  /**
   * Empty where no peer is wanted: the properties {@code bench.peer-victoria-metrics} and {@code
   * bench.peer-prometheus} are their binaries.
   */
  static Optional<PeerCost> wanted(Path home, BenchReport report) {
    String victoriaMetrics = System.getProperty("bench.peer-victoria-metrics", "");
    String prometheus = System.getProperty("bench.peer-prometheus", "");
    if (victoriaMetrics.isEmpty() && prometheus.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PeerCost(
            home,
            Path.of(victoriaMetrics),
            Path.of(prometheus),
            Integer.getInteger("bench.peer-rate", 40_000),
            report));
  }

  /** Seconds in which a minute of points is sent at a rate. */
  static int interval(int series, int pointsPerSecond) {
    return Math.max(
        MIN_INTERVAL, (int) Math.ceil((double) series * STEPS_OF_MINUTE / pointsPerSecond));
  }

  /** The begin of the next interval but one, and half a step: a minute's steps are within one. */
  public static Instant begin(Instant now, int interval) {
    long whole = (now.getEpochSecond() / interval + 2) * interval;
    return Instant.ofEpochSecond(whole).plus(apart(interval).dividedBy(2));
  }

  private static Duration apart(int interval) {
    return Duration.ofSeconds(interval).dividedBy(STEPS_OF_MINUTE);
  }

  /** The fleet's points through each peer, one after the other. */
  List<Measured> measure(Supplier<PointFleet> fleet, int steps) throws Exception {
    List<Measured> all = new ArrayList<>();
    all.add(
        measure(
            (folder, interval, metrics) ->
                new StreamingVictoriaMetrics(victoriaMetrics, folder, interval),
            fleet,
            steps));
    all.add(
        measure(
            (folder, interval, metrics) ->
                new RecordingPrometheus(prometheus, folder, interval, metrics),
            fleet,
            steps));
    return all;
  }

  private Measured measure(Begin begin, Supplier<PointFleet> fleets, int steps) throws Exception {
    PointFleet fleet = fleets.get();
    int interval = interval(fleet.series(), pointsPerSecond);
    try (MeasuredPeer peer = begin.at(home, interval, metrics(fleets.get()));
        FleetSender sender = new FleetSender(new OtlpSender(peer.otlp(), ""))) {
      double before = StackProcesses.cpuSeconds(peer.pid());
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      double idle = (StackProcesses.cpuSeconds(peer.pid()) - before) / IDLE_SECONDS;

      before = StackProcesses.cpuSeconds(peer.pid());
      long started = System.nanoTime();
      Duration behind =
          sender.sendLive(fleet, steps, begin(Instant.now(), interval), apart(interval));
      // Intervals end by the clock.
      TimeUnit.SECONDS.sleep((long) interval * INTERVALS_UNTIL_WHOLE);
      peer.flush();
      double cpu = StackProcesses.cpuSeconds(peer.pid()) - before;
      double seconds = (System.nanoTime() - started) / 1e9;
      return checked(peer, fleet, interval, seconds, cpu, idle, behind);
    }
  }

  private static Measured checked(
      MeasuredPeer peer,
      PointFleet fleet,
      int interval,
      double seconds,
      double cpu,
      double idle,
      Duration behind)
      throws IOException, InterruptedException {
    long peak = StackProcesses.peakMebibytes(peer.pid());
    Map<String, PointFleet.Total> raw = new TreeMap<>();
    Map<String, PointFleet.Total> rolledUp = new TreeMap<>();
    long intervals = 0;
    for (String metric : fleet.totals().keySet()) {
      raw.put(metric, peer.raw(metric));
      rolledUp.put(metric, peer.rolledUp(metric));
      intervals += peer.intervals(metric);
    }
    return new Measured(
        peer.name(),
        fleet.shape(),
        points(fleet.totals()),
        interval,
        seconds,
        cpu,
        idle,
        peak,
        behind,
        intervals,
        FleetTotals.differences(peer.name() + " points", fleet.totals(), raw),
        added(fleet.totals(), rolledUp));
  }

  /** A fleet names its metrics with its first step. */
  private static Collection<String> metrics(PointFleet probe) throws Exception {
    probe.step(0, Instant.EPOCH, body -> {});
    return probe.totals().keySet();
  }

  private static long points(Map<String, PointFleet.Total> totals) {
    return totals.values().stream().mapToLong(PointFleet.Total::count).sum();
  }

  /** One line for each peer. */
  void report(List<Measured> measured) {
    report.note(
        "%s, a minute of points sent in %d s"
            .formatted(measured.get(0).shape(), measured.get(0).interval()));
    report.note(
        "| peer | points | net | gross | idle, % of a core | peak MiB | sent in s | rows of intervals |"
            + " points kept | points in intervals |");
    report.note("|---|---|---|---|---|---|---|---|---|---|");
    for (Measured each : measured) {
      report.note(
          "| %s | %,d | %.2f | %.2f | %.1f | %d | %.0f, %.1f behind | %,d | %s | %s |"
              .formatted(
                  each.peer(),
                  each.points(),
                  each.net(),
                  each.gross(),
                  100 * each.idle(),
                  each.peakMebibytes(),
                  each.seconds(),
                  each.behind().toMillis() / 1e3,
                  each.intervals(),
                  each.raw().isEmpty() ? "all, sums equal" : each.raw().toString(),
                  each.rolledUp()));
    }
  }

  /** How much of what was sent is in intervals. */
  static String added(Map<String, PointFleet.Total> sent, Map<String, PointFleet.Total> rolledUp) {
    if (FleetTotals.differences("", sent, rolledUp).isEmpty()) {
      return "all, sums equal";
    }
    String part = "%.3f %%".formatted(100.0 * points(rolledUp) / points(sent));
    return points(rolledUp) == points(sent) ? part + ", sums differ" : part;
  }
}
