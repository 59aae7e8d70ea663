package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.alert.TestAlerts.minute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.alert.Aggregation;
import io.tidemark.flink.model.alert.AlertComparison;
import io.tidemark.flink.model.alert.AlertComparison.Operator;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.flink.model.alert.SignalKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random rules over random rows, decided twice: with quiet groups, of which nobody decides one by
 * one, and without. Both are restored and shrunk at other moments. What is told, what is counted,
 * and what is known afterwards of every group and minute are the same.
 */
class QuietGroupsTest {

  private static final int GROUPS = 5;
  private static final int RULES = 6;
  private static final int MINUTES = 400;

  private int quiet;
  private int told;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21})
  void itIsTheSameWithQuietGroupsAndWithout(long seed) {
    Random random = new Random(seed);
    SignalKind kind = SignalKind.values()[(int) (seed % SignalKind.values().length)];
    AlertSignal looked = signal(kind, random);
    SignalRun with = new SignalRun(looked, false);
    SignalRun without = new SignalRun(looked, true);
    List<AlertRule> rules = new ArrayList<>();
    for (int i = 0; i < RULES; i++) {
      rules.add(put(with, without, rule(i, 1, random.nextInt(20), looked, random)));
    }
    int behindFrom = 100 + random.nextInt(200);
    int behindUntil = behindFrom + random.nextInt(20);
    int silentFrom = random.nextInt(MINUTES);
    int until = 0;
    while (until < MINUTES) {
      int next = Math.min(MINUTES, until + 1 + (random.nextInt(15) == 0 ? random.nextInt(80) : 0));
      for (int minute = until; minute < next; minute++) {
        rows(with, without, minute, silentFrom, kind, random);
      }
      int changed = random.nextInt(60);
      if (changed < RULES) {
        int version = (int) rules.get(changed).version() + 1;
        rules.set(
            changed,
            put(with, without, rule(changed, version, next + random.nextInt(4), looked, random)));
      } else if (changed == RULES) {
        String gone = rules.get(random.nextInt(RULES)).key();
        with.remove(gone);
        without.remove(gone);
      }
      disturb(with, random);
      disturb(without, random);
      boolean isBehind = next > behindFrom && next < behindUntil;
      with.completeUntil(next, isBehind ? behindFrom : next);
      without.completeUntil(next, isBehind ? behindFrom : next);
      compare(with, without, isBehind ? behindFrom : next);
      until = next;
    }
    if (kind == SignalKind.THRESHOLD) {
      assertTrue(told > 0, "told: " + told);
      assertTrue(quiet > 0, "no group was quiet, so nothing is shown");
    }
  }

  private static AlertRule put(SignalRun with, SignalRun without, AlertRule rule) {
    with.put(rule);
    without.put(rule);
    return rule;
  }

  private static AlertSignal signal(SignalKind kind, Random random) {
    return new AlertSignal(
        kind,
        "depth",
        Aggregation.values()[random.nextInt(Aggregation.values().length)],
        List.of(),
        false,
        List.of("metric.queue"),
        kind == SignalKind.FORECAST ? 5 : 1 + random.nextInt(4),
        kind == SignalKind.CHANGE ? 1 + random.nextInt(90) : 0,
        false,
        kind == SignalKind.RATIO ? "below" : "",
        Aggregation.SUM,
        kind == SignalKind.QUANTILE ? 0.9 : 0,
        kind == SignalKind.ANOMALY ? 2 : 0,
        kind == SignalKind.FORECAST ? 200 : 0);
  }

  private static AlertRule rule(
      int number, int version, int from, AlertSignal looked, Random random) {
    boolean isUpper = random.nextInt(4) != 0;
    double threshold = isUpper ? 60 + random.nextInt(140) : random.nextInt(20);
    return new AlertRule(
        SignalRun.ORGANISATION,
        SignalRun.ENVIRONMENT,
        "rule-" + number,
        version,
        minute(from),
        0,
        "critical",
        looked,
        new AlertComparison(
            isUpper ? Operator.GT : Operator.LT,
            threshold,
            threshold + (isUpper ? -1 : 1) * random.nextInt(10)),
        random.nextInt(3),
        random.nextInt(3),
        1 + random.nextInt(6),
        false);
  }

  private static void rows(
      SignalRun with, SignalRun without, int now, int silentFrom, SignalKind kind, Random random) {
    for (int group = 0; group < GROUPS; group++) {
      boolean isSilent = group == 0 && now > silentFrom && now < silentFrom + 130;
      if (isSilent || random.nextInt(60) == 0) {
        continue;
      }
      int late = random.nextInt(25) == 0 ? random.nextInt(70) : 0;
      double value = random.nextInt(40) == 0 ? random.nextInt(250) : 30 + random.nextInt(20);
      boolean isTakenAway = random.nextInt(200) == 0;
      MinuteTotals totals =
          isTakenAway
              ? MinuteTotals.of(-value, -1, Double.NaN, Double.NaN, Double.NaN, 0)
              : new MinuteTotals(
                  value,
                  1,
                  value,
                  value,
                  value,
                  minute(now) + group,
                  kind == SignalKind.QUANTILE ? new int[] {1_050 + random.nextInt(30)} : new int[0],
                  kind == SignalKind.QUANTILE ? new long[] {1} : new long[0]);
      String labels = "metric.queue\u0000q" + group;
      int minute = Math.max(0, now - late);
      int side =
          kind == SignalKind.RATIO && random.nextBoolean()
              ? SignalHistory.DENOMINATOR
              : SignalHistory.NUMERATOR;
      with.row(side, minute, labels, totals);
      without.row(side, minute, labels, totals);
    }
  }

  private static void disturb(SignalRun run, Random random) {
    switch (random.nextInt(12)) {
      case 0 -> run.restore();
      case 1 -> run.shrink();
      case 2, 3, 4 -> run.write();
      default -> {
        // It stays in memory.
      }
    }
  }

  private void compare(SignalRun with, SignalRun without, int now) {
    List<String> must = told(without);
    assertEquals(must, told(with));
    told += must.size();
    assertEquals(without.evaluated, with.evaluated);
    with.evaluated.clear();
    without.evaluated.clear();
    assertEquals(without.signal.isKnown(), with.signal.isKnown());
    for (String rule : with.ruleKeys()) {
      RuleGroups groups = with.signal.rule(rule);
      RuleGroups others = without.signal.rule(rule);
      assertEquals(others == null, groups == null, rule);
      if (groups != null && others != null) {
        quiet += groups.quiet();
        assertEquals(0, others.quiet());
        compare(with, groups, without, others, now);
      }
    }
  }

  private static void compare(
      SignalRun with, RuleGroups groups, SignalRun without, RuleGroups others, int now) {
    for (int group = 0; group < GROUPS; group++) {
      String labels = "metric.queue\u0000q" + group;
      AlertGroup known = with.signal.group(groups, labels);
      assertEquals(without.signal.group(others, labels), known);
      // Restores make it cost something; late rows ask for some of them anyway.
      for (int minute = now % 7 == 0 ? now - 61 : now - 2;
          known != null && minute < now;
          minute++) {
        AlertStatus must = without.signal.decision(others, labels, minute(minute));
        AlertStatus is = with.signal.decision(groups, labels, minute(minute));
        assertEquals(withoutValue(must), withoutValue(is), rule(groups, labels, minute));
      }
    }
  }

  private static String rule(RuleGroups groups, String labels, int minute) {
    return groups.rule() + " " + labels + " " + minute;
  }

  /** Of minutes before the last nobody asks for the number, unless it is an absence. */
  private static String withoutValue(AlertStatus status) {
    return status == null
        ? "none"
        : new AlertStatus(
                status.state(),
                status.since(),
                status.holding(),
                status.recovering(),
                status.missing(),
                status.incidentSince(),
                status.incidentKey(),
                0)
            .toString();
  }

  /** Groups are decided in another order; within one it is the same. */
  private static List<String> told(SignalRun run) {
    List<String> told = run.told.stream().map(Object::toString).sorted().toList();
    run.told.clear();
    return told;
  }
}
