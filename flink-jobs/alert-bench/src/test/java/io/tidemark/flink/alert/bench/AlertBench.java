package io.tidemark.flink.alert.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.alert.bench.BenchLoad.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * CPU of one evaluation of one series: the operators of the alert job beside Prometheus' ruler, on
 * the same rules and samples, in turns. Run by {@code make bench-alerts}, never by the build.
 */
class AlertBench {

  private static final Path PROMETHEUS = Path.of(System.getProperty("bench.prometheus", ""));
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final int PAIRS = Integer.getInteger("bench.rounds", 3);
  private static final int SERIES = Integer.getInteger("bench.series", 10_000);
  private static final int RULES = Integer.getInteger("bench.rules", 1_000);
  private static final int MORE = 10;

  /** A decided minute is kept for an hour: from then on state does not grow. */
  private static final int WARM_MINUTES = Integer.getInteger("bench.warm-minutes", 70);

  private static final int MINUTES = Integer.getInteger("bench.minutes", 20);
  private static final int WARM_ROUNDS = 2;
  private static final int ROUNDS = Integer.getInteger("bench.ruler-rounds", 12);

  /** Microseconds of CPU of one round on each side. */
  private record Pair(double ours, double theirs) {}

  @Test
  void cpuOfASeriesEvaluation() throws Exception {
    List<String> rows =
        Arrays.asList(System.getProperty("bench.rows", "grouped,per-series,growth").split(","));
    if (rows.contains("grouped")) {
      compare(new BenchLoad(Shape.GROUPED, RULES, SERIES));
    }
    if (rows.contains("per-series")) {
      compare(new BenchLoad(Shape.PER_SERIES, RULES, SERIES));
    }
    if (rows.contains("growth")) {
      grow();
    }
  }

  private static void compare(BenchLoad load) throws Exception {
    assertTrue(
        Files.isRegularFile(PROMETHEUS) && Files.isExecutable(PROMETHEUS),
        "bench.prometheus names no program");
    List<Pair> pairs = new ArrayList<>();
    try (OperatorRun own = new OperatorRun(load)) {
      own.minutes(WARM_MINUTES);
      for (int i = 0; i < PAIRS; i++) {
        double ours = own.minutes(MINUTES) / 1e3 / ((double) MINUTES * load.evaluations());
        Path folder = Files.createTempDirectory(TARGET, "ruler-");
        try (RulerRun ruler = new RulerRun(load, PROMETHEUS, folder)) {
          RulerRun.Spent spent = ruler.rounds(WARM_ROUNDS, ROUNDS);
          assertEquals(ruler.firing(), own.firing(), "alerts that fire on either side");
          pairs.add(new Pair(ours, spent.cpuNanos() / 1e3 / spent.evaluations()));
        }
      }
    }
    for (Pair pair : pairs) {
      say(
          "%s: %.3f us a series evaluation, Prometheus %.3f us, ratio 1/%.1f",
          load.named(), pair.ours(), pair.theirs(), pair.theirs() / pair.ours());
    }
    say(
        "%s: median ratio 1/%.1f (goal 1/5, aim 1/20)",
        load.named(), median(pairs.stream().map(pair -> pair.theirs() / pair.ours()).toList()));
  }

  /** Ten times as many rules over the same series; the whole cost of a minute is compared. */
  private static void grow() throws Exception {
    BenchLoad few = new BenchLoad(Shape.GROUPED, RULES, SERIES);
    BenchLoad many = new BenchLoad(Shape.GROUPED, RULES * MORE, SERIES);
    List<Double> ratios = new ArrayList<>();
    try (OperatorRun first = new OperatorRun(few);
        OperatorRun second = new OperatorRun(many)) {
      first.minutes(WARM_MINUTES);
      second.minutes(WARM_MINUTES);
      for (int i = 0; i < PAIRS; i++) {
        double one = first.minutes(MINUTES) / 1e6 / MINUTES;
        double other = second.minutes(MINUTES) / 1e6 / MINUTES;
        ratios.add(other / one);
        say(
            "growth, %,d to %,d rules on %,d series: %.0f and %.0f ms a minute, %.1f times",
            few.rules(), many.rules(), SERIES, one, other, other / one);
      }
    }
    say("growth: median %.1f times (goal 3)", median(ratios));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static void say(String form, Object... figures) {
    System.out.println("BENCH " + String.format(Locale.ROOT, form, figures));
  }
}
