package io.tidemark.flink.alert.truth;

import static io.tidemark.flink.alert.TestAlerts.complete;
import static io.tidemark.flink.alert.TestAlerts.minute;
import static io.tidemark.flink.alert.TestAlerts.record;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.alert.truth.GroupTruth.Incident;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.AlertTransition.Kind;
import io.tidemark.flink.model.alert.GroupLabels;
import io.tidemark.flink.model.completeness.TenantLag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Five hundred generated rules over rows that come late, are missing, are revised and are taken
 * away, with restores from checkpoints in the middle of rows that are replayed, with other
 * parallelisms and with hardly any memory: after every statement of completeness the incidents that
 * were told are those of a second computation.
 */
class AlertTruthTest {

  private static final int RULES = 500;
  private static final int MINUTES = 150;
  private static final int QUEUES = 4;
  private static final int ZONES = 2;

  /** Later rows change no decision. */
  private static final int LATEST = 40;

  /** From here to there rows of the organisation are behind, and nothing is decided. */
  private static final int BEHIND_FROM = 90;

  private static final int BEHIND_UNTIL = 98;

  /** Room for some of the groups: the others are read and written each time. */
  private static final long LITTLE_MEMORY = 200_000;

  private final Random random = new Random(20_261_123);
  private final List<GeneratedRule> rules = new ArrayList<>();
  private final Map<Integer, List<GeneratedRow>> arriving = new TreeMap<>();
  private final Map<String, GroupTruth> truth = new LinkedHashMap<>();
  private final IncidentReplica incidents = new IncidentReplica();
  private Map<String, List<Incident>> truths = Map.of();
  private final List<String> faults = new ArrayList<>();
  private int fired;
  private int revised;

  @Test
  void whatIsToldIsWhatIsTrueAfterEveryStatement() throws Exception {
    for (int i = 0; i < RULES; i++) {
      rules.add(GeneratedRule.random(i, random));
    }
    generateRows();
    RunningOperators operators = new RunningOperators(1);
    for (GeneratedRule rule : rules) {
      operators.control(record(rule.record(1)));
    }
    int until = 0;
    int decided = 0;
    RunningOperators.Checkpoint checkpoint = null;
    List<Step> since = new ArrayList<>();
    List<AlertTransition> toldSince = new ArrayList<>();
    while (until < MINUTES) {
      int next = Math.min(MINUTES, until + 1 + random.nextInt(3));
      Step step = step(until, next);
      Map<String, List<Incident>> before = truths;
      take(step.rows());
      Step rest = step;
      if (until % 30 < 3 && checkpoint == null && until > 20) {
        int taken = random.nextInt(step.rows().size() + 1);
        begin(operators, step, taken);
        checkpoint = operators.checkpoint();
        rest = step.after(taken);
        since.clear();
        toldSince.clear();
      }
      List<AlertTransition> told = run(operators, rest);
      if (checkpoint != null) {
        since.add(rest);
        toldSince.addAll(told);
      }
      int now = Math.max(decided, Math.min(next, step.completeUntil()));
      compare(before, decided, now, told);
      assertTrue(faults.isEmpty(), () -> faults.size() + " faults, first: " + faults.get(0));
      decided = now;
      until = next;
      if (checkpoint != null && since.size() >= 4) {
        // Killed: what was told since the checkpoint was never committed, and comes again.
        operators.close();
        long memory = random.nextBoolean() ? LITTLE_MEMORY : 0;
        operators = RunningOperators.restored(checkpoint, 1 + random.nextInt(3), memory);
        List<AlertTransition> again = new ArrayList<>();
        for (Step replayed : since) {
          again.addAll(run(operators, replayed.inAnotherOrder(random)));
        }
        assertEquals(
            sorted(toldSince), sorted(again), "what is told again after a restore is the same");
        checkpoint = null;
      }
    }
    operators.close();
    faults.addAll(incidents.faults());
    assertTrue(faults.isEmpty(), () -> faults.size() + " faults, first: " + faults.get(0));
    assertTrue(fired > 1_000, "incidents fired: " + fired);
    assertTrue(revised > 200, "corrected, retracted or found late: " + revised);
  }

  /** What comes before one statement of completeness. */
  private record Step(
      List<GeneratedRow> rows, List<ControlRecord> rules, int until, int completeUntil) {

    /** What is left after some of the rows. */
    Step after(int taken) {
      return new Step(rows.subList(taken, rows.size()), List.of(), until, completeUntil);
    }

    Step inAnotherOrder(Random random) {
      List<GeneratedRow> shuffled = new ArrayList<>(rows);
      Collections.shuffle(shuffled, random);
      return new Step(shuffled, rules, until, completeUntil);
    }
  }

  private Step step(int from, int next) {
    List<GeneratedRow> rows = new ArrayList<>();
    for (int minute = from; minute < next; minute++) {
      rows.addAll(arriving.getOrDefault(minute, List.of()));
    }
    if (from == 0) {
      rows.addAll(0, arriving.getOrDefault(-1, List.of()));
    } else {
      Collections.shuffle(rows, random);
    }
    List<ControlRecord> changed = new ArrayList<>();
    for (GeneratedRule rule : rules) {
      // A version is known before rows of its first minute are.
      if (rule.second() >= from && rule.second() < next && rule.second() > 0) {
        changed.add(record(rule.record(2)));
      }
    }
    boolean isBehind = next > BEHIND_FROM && next < BEHIND_UNTIL;
    return new Step(rows, changed, next, isBehind ? BEHIND_FROM : next);
  }

  /** The rules of a step, and some of its rows. */
  private static void begin(RunningOperators operators, Step step, int rows) throws Exception {
    for (ControlRecord rule : step.rules()) {
      operators.control(rule);
    }
    operators.rows(step.rows().subList(0, rows).stream().map(GeneratedRow::line).toList());
  }

  private static List<AlertTransition> run(RunningOperators operators, Step step) throws Exception {
    begin(operators, step, step.rows().size());
    TenantLag[] lags =
        step.completeUntil() < step.until()
            ? new TenantLag[] {new TenantLag("org-a", minute(step.completeUntil()))}
            : new TenantLag[0];
    return operators.completeUntil(complete(step.until(), lags), minute(step.until()) - 1);
  }

  private void take(List<GeneratedRow> rows) {
    for (GeneratedRow row : rows) {
      for (GeneratedRule rule : rules) {
        if (row.metric().equals(rule.metric()) || row.metric().equals(rule.below())) {
          String group = rule.group(row);
          if (group != null) {
            truth
                .computeIfAbsent(rule.id() + " " + group, ignored -> new GroupTruth(rule))
                .add(row);
          }
        }
      }
    }
  }

  private void compare(
      Map<String, List<Incident>> before, int decided, int now, List<AlertTransition> told) {
    Set<String> revisedGroups = new HashSet<>();
    for (AlertTransition transition : told) {
      String group = group(transition);
      incidents.apply(transition, group);
      fired += transition.kind() == Kind.FIRED ? 1 : 0;
      if (transition.revised() && transition.kind() != Kind.CHANGED) {
        revised++;
        revisedGroups.add(group);
      }
    }
    Map<String, List<Incident>> all = new HashMap<>();
    truth.forEach(
        (group, rows) -> {
          List<Incident> known = before.getOrDefault(group, List.of());
          boolean isChanged = !known.equals(rows.incidents(decided));
          if (isChanged != revisedGroups.contains(group)) {
            faults.add(
                "Minute %d, %s: the truth %s, and %s"
                    .formatted(
                        now,
                        group,
                        isChanged ? "changed" : "is as it was",
                        isChanged ? "nobody was told" : "it was revised"));
          }
          List<Incident> must = rows.incidents(now);
          all.put(group, must);
          if (!must.equals(incidents.of(group))) {
            faults.add(
                "Minute %d, %s: true is %s, told is %s"
                    .formatted(now, group, must, incidents.of(group)));
          }
        });
    truths = all;
  }

  private static String group(AlertTransition transition) {
    StringBuilder group = new StringBuilder(transition.ruleId()).append(' ');
    GroupLabels.read(transition.group())
        .forEach(
            (name, value) -> {
              if (name.startsWith("metric.")) {
                group.append(name).append('=').append(value).append(' ');
              }
            });
    return group.toString();
  }

  private static List<String> sorted(List<AlertTransition> told) {
    return told.stream().map(AlertTransition::toString).sorted().toList();
  }

  private void generateRows() {
    List<String> metrics = new ArrayList<>(List.of(GeneratedRule.METRICS));
    metrics.add(GeneratedRule.HISTOGRAM);
    long serial = 0;
    for (String metric : metrics) {
      for (int series = 0; series < QUEUES * ZONES; series++) {
        String queue = "q" + series % QUEUES;
        String zone = "z" + series / QUEUES;
        boolean hasDistribution = metric.equals(GeneratedRule.HISTOGRAM);
        long level = 40 + random.nextInt(40);
        int outage = -1;
        if (metric.equals("load")) {
          serial = history(metric, queue, zone, serial);
        }
        for (int minute = 0; minute < MINUTES; minute++) {
          if (random.nextInt(60) == 0) {
            outage = minute + 3 + random.nextInt(12);
          }
          if (minute > 0 && (minute < outage || random.nextInt(20) == 0)) {
            continue;
          }
          level = Math.max(5, level + random.nextInt(21) - 10 + (random.nextInt(25) == 0 ? 60 : 0));
          level = level > 150 ? 60 : level;
          int bucket = hasDistribution ? 1_024 + 40 + random.nextInt(24) : 0;
          boolean isLate = minute > 0 && random.nextInt(15) == 0;
          int arrival = minute + (isLate ? 1 + random.nextInt(LATEST) : 0);
          GeneratedRow row =
              new GeneratedRow(
                  metric,
                  queue,
                  zone,
                  minute,
                  arrival,
                  level,
                  1,
                  bucket,
                  minute(minute) + ++serial % 59_000);
          send(row);
          int fate = random.nextInt(40);
          if (fate == 0) {
            // Another point of the same minute, which comes late.
            send(
                new GeneratedRow(
                    metric,
                    queue,
                    zone,
                    minute,
                    minute + 1 + random.nextInt(LATEST),
                    random.nextInt(200),
                    1,
                    bucket,
                    minute(minute) + ++serial % 59_000));
          } else if (fate == 1 && minute > 0) {
            // Late, and takes away what was counted.
            send(
                new GeneratedRow(
                    metric,
                    queue,
                    zone,
                    minute,
                    Math.min(arrival + 1 + random.nextInt(10), minute + LATEST),
                    -level,
                    -1,
                    bucket,
                    0));
          }
        }
      }
    }
  }

  private long history(String metric, String queue, String zone, long before) {
    long serial = before;
    for (int day = 1; day <= 3; day++) {
      for (int minute = 0; minute < MINUTES; minute += 7) {
        int then = minute - day * 1_440;
        send(
            new GeneratedRow(
                metric,
                queue,
                zone,
                then,
                -1,
                30 + random.nextInt(60),
                1,
                0,
                minute(then) + ++serial % 59_000));
      }
    }
    return serial;
  }

  private void send(GeneratedRow row) {
    if (row.arrival() < MINUTES) {
      arriving.computeIfAbsent(row.arrival(), ignored -> new ArrayList<>()).add(row);
    }
  }
}
