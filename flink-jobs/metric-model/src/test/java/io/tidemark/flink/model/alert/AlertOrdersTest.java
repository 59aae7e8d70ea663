package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.TestRules.MINUTE;
import static io.tidemark.flink.model.alert.TestRules.minute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.alert.AlertComparison.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Generated rules over generated streams with late, missing and revised data: what the transitions
 * say in the end is what a plain recomputation over all rows says, and no identifier comes twice.
 */
class AlertOrdersTest {

  private static final int RULES = 500;
  private static final int MINUTES = 150;
  private static final int LATEST = 45;

  /** A row: when it belongs and when it comes. */
  private record Row(int side, int minute, int comesAt, double value) {}

  @Test
  void transitionsEndAsARecomputationSays() {
    int corrections = 0;
    for (int seed = 0; seed < RULES; seed++) {
      corrections += check(seed);
    }
    assertTrue(corrections > RULES, "late rows changed decisions: " + corrections);
  }

  private static int check(int seed) {
    Random random = new Random(seed);
    AlertRule rule = rule(random);
    List<Row> rows = rows(random);
    List<AlertTransition> told = new ArrayList<>();
    TestingAlertStore store = new TestingAlertStore();
    RuleVersions versions = new RuleVersions(rule, null);
    AlertGroup group = AlertGroup.begin(versions.latestSignal(), "", minute(0), minute(0));
    for (int now = 0; now <= MINUTES + LATEST + 1; now++) {
      for (Row row : rows) {
        if (row.comesAt() == now) {
          store.add(row.side(), minute(row.minute()), row.value());
          group = group.withData(minute(row.minute()));
        }
      }
      // Sometimes nothing is stated for some minutes.
      if (random.nextInt(4) > 0 || now > MINUTES) {
        group =
            new AlertGroupEvaluator(store, told::add)
                .advance(group, versions, minute(now), minute(now));
        assertTrue(group != null, "one group stays");
      }
    }
    Set<String> identifiers = new HashSet<>();
    told.forEach(
        transition ->
            assertTrue(identifiers.add(transition.transitionId()), "twice, of seed " + seed));
    assertEquals(
        recomputed(rule, rows), incidents(told), () -> "seed " + seed + " " + rule + "\n" + told);
    return (int) told.stream().filter(AlertTransition::revised).count();
  }

  private static AlertRule rule(Random random) {
    SignalKind kind =
        List.of(
                SignalKind.THRESHOLD,
                SignalKind.THRESHOLD,
                SignalKind.CHANGE,
                SignalKind.RATIO,
                SignalKind.ABSENCE,
                SignalKind.FORECAST)
            .get(random.nextInt(6));
    int window = kind == SignalKind.FORECAST ? 5 : 1 + random.nextInt(4);
    AlertSignal signal =
        new AlertSignal(
            kind,
            "load",
            List.of(Aggregation.SUM, Aggregation.AVG, Aggregation.COUNT)
                .get(kind == SignalKind.FORECAST ? 0 : random.nextInt(3)),
            List.of(),
            false,
            List.of(),
            window,
            kind == SignalKind.CHANGE ? 1 + random.nextInt(3) : 0,
            random.nextBoolean(),
            kind == SignalKind.RATIO ? "requests" : "",
            Aggregation.SUM,
            0.5,
            2,
            30.137);
    double threshold =
        switch (kind) {
          case CHANGE -> 5;
          case RATIO -> 1;
          case ABSENCE -> 2;
          // No minutes of whole numbers come to it, so that rounding decides nothing.
          case FORECAST -> 4.0371;
          default -> 8 * window * random.nextDouble();
        };
    boolean isUpper = kind != SignalKind.FORECAST;
    double recovery = isUpper ? threshold * 0.7 : threshold * 1.5;
    return TestRules.rule(
        signal,
        new AlertComparison(
            isUpper ? Operator.GT : Operator.LT,
            threshold,
            random.nextBoolean() ? recovery : threshold),
        random.nextInt(4),
        random.nextInt(3));
  }

  private static List<Row> rows(Random random) {
    List<Row> rows = new ArrayList<>();
    double level = 5;
    for (int minute = 0; minute < MINUTES; minute++) {
      level = Math.max(0, level + random.nextInt(7) - 3);
      if (random.nextInt(8) == 0) {
        continue;
      }
      int count = 1 + random.nextInt(2);
      for (int i = 0; i < count; i++) {
        int late = random.nextInt(6) == 0 ? random.nextInt(LATEST) : 0;
        rows.add(new Row(SignalHistory.NUMERATOR, minute, minute + late, Math.rint(level / count)));
      }
      if (random.nextInt(3) > 0) {
        rows.add(
            new Row(SignalHistory.DENOMINATOR, minute, minute + random.nextInt(3), 1 + level / 2));
      }
    }
    return rows;
  }

  /** Incidents that transitions leave standing, as beginning and end; an open one ends at 0. */
  private static Set<String> incidents(List<AlertTransition> told) {
    Map<String, String> standing = new HashMap<>();
    for (AlertTransition transition : told) {
      switch (transition.kind()) {
        case FIRED, RESOLVED, CORRECTED ->
            standing.put(
                transition.incidentId(),
                transition.since() / MINUTE + "-" + transition.until() / MINUTE);
        case RETRACTED -> standing.remove(transition.incidentId());
        case CHANGED -> {
          // Says nothing of beginnings and ends.
        }
      }
    }
    return new TreeSet<>(standing.values());
  }

  /** All rows at once, in another way: over arrays, without anything kept between minutes. */
  private static Set<String> recomputed(AlertRule rule, List<Row> rows) {
    int last = MINUTES + LATEST;
    double[][] sums = new double[2][last + 1];
    long[][] counts = new long[2][last + 1];
    for (Row row : rows) {
      sums[row.side()][row.minute()] += row.value();
      counts[row.side()][row.minute()]++;
    }
    Set<String> incidents = new TreeSet<>();
    int began = -1;
    int holding = 0;
    int recovering = 0;
    int missing = 0;
    int silent = 0;
    for (int minute = 0; minute <= last; minute++) {
      boolean isSent = counts[0][minute] > 0;
      silent = isSent || minute == 0 ? 0 : silent + 1;
      double value =
          rule.signal().kind() == SignalKind.ABSENCE
              ? silent
              : value(rule.signal(), sums, counts, minute);
      if (Double.isNaN(value)) {
        missing++;
        holding = missing >= rule.noDataAfterMinutes() ? 0 : holding;
        continue;
      }
      missing = 0;
      double limit =
          began >= 0 ? rule.comparison().recoveryThreshold() : rule.comparison().threshold();
      boolean holds = rule.comparison().operator() == Operator.GT ? value > limit : value < limit;
      if (began >= 0) {
        recovering = holds ? 0 : recovering + 1;
        if (recovering >= Math.max(1, rule.recoverAfterMinutes())) {
          incidents.add(minute(began) / MINUTE + "-" + minute(minute) / MINUTE);
          began = -1;
          holding = 0;
          recovering = 0;
        }
      } else {
        holding = holds ? holding + 1 : 0;
        if (holds && holding >= Math.max(1, rule.forMinutes())) {
          began = minute;
          recovering = 0;
        }
      }
    }
    if (began >= 0) {
      incidents.add(minute(began) / MINUTE + "-0");
    }
    return incidents;
  }

  private static double value(AlertSignal signal, double[][] sums, long[][] counts, int minute) {
    return switch (signal.kind()) {
      case CHANGE -> {
        double now = aggregated(signal.aggregation(), signal, sums[0], counts[0], minute);
        double before =
            aggregated(
                signal.aggregation(), signal, sums[0], counts[0], minute - signal.offsetMinutes());
        if (!signal.percent()) {
          yield now - before;
        }
        yield before == 0
            ? (now == before ? 0 : Double.NaN)
            : 100 * (now - before) / Math.abs(before);
      }
      case RATIO -> {
        double below = aggregated(Aggregation.SUM, signal, sums[1], counts[1], minute);
        double above = aggregated(signal.aggregation(), signal, sums[0], counts[0], minute);
        yield below == 0 ? Double.NaN : above / below;
      }
      case FORECAST -> forecast(signal, sums[0], counts[0], minute);
      default -> aggregated(signal.aggregation(), signal, sums[0], counts[0], minute);
    };
  }

  private static double aggregated(
      Aggregation aggregation, AlertSignal signal, double[] sums, long[] counts, int minute) {
    double sum = 0;
    long count = 0;
    for (int i = Math.max(0, minute - signal.windowMinutes() + 1); i <= minute; i++) {
      sum += sums[i];
      count += counts[i];
    }
    if (minute < 0 || (count == 0 && sum == 0)) {
      return Double.NaN;
    }
    return switch (aggregation) {
      case AVG -> sum / count;
      case COUNT -> count;
      default -> sum;
    };
  }

  private static double forecast(AlertSignal signal, double[] sums, long[] counts, int minute) {
    List<double[]> points = new ArrayList<>();
    for (int i = Math.max(0, minute - signal.windowMinutes() + 1); i <= minute; i++) {
      if (counts[i] > 0) {
        points.add(new double[] {i - minute, sums[i]});
      }
    }
    if (points.size() < 2) {
      return Double.NaN;
    }
    double meanX = points.stream().mapToDouble(p -> p[0]).average().orElseThrow();
    double meanY = points.stream().mapToDouble(p -> p[1]).average().orElseThrow();
    double slope =
        points.stream().mapToDouble(p -> (p[0] - meanX) * (p[1] - meanY)).sum()
            / points.stream().mapToDouble(p -> (p[0] - meanX) * (p[0] - meanX)).sum();
    double missing = signal.limit() - (meanY - slope * meanX);
    double minutes = missing / slope;
    return Math.abs(slope) < 1e-12 || minutes < 0 ? Double.POSITIVE_INFINITY : minutes;
  }
}
