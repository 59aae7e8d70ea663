package io.tidemark.platform.alerting.backtest;

import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertRule;
import io.tidemark.flink.model.alert.AlertState;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.AlertTransition;
import io.tidemark.flink.model.alert.GroupLabels;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalHistory;
import io.tidemark.platform.alerting.backtest.BacktestReport.Group;
import io.tidemark.platform.alerting.backtest.BacktestReport.Incident;
import io.tidemark.platform.alerting.backtest.BacktestReport.Point;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides the minutes of one rule as the pipeline does when rows come in time: a group begins with
 * its first row, a minute is decided when those after it are read. Pure; holds the totals of one
 * stretch and of the rule's window.
 */
final class Backtest {

  static final int MAX_GROUPS_SHOWN = 10;
  static final int MAX_INCIDENTS_SHOWN = 200;

  private static final int MAX_POINTS = 240;
  private static final long MINUTE_MS = MinuteTotals.MINUTE_MS;

  /** The most telling last. */
  private static final List<AlertState> TELLING =
      List.of(AlertState.NORMAL, AlertState.PENDING, AlertState.NO_DATA, AlertState.FIRING);

  private final AlertRule rule;
  private final RuleVersions versions;
  private final long from;
  private final long until;
  private final long step;
  private final NavigableMap<Long, Long> lateRows;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private final List<Incident> incidents = new ArrayList<>();
  private int incidentsTotal;
  private int revised;
  private long decided;
  private long firstRow = Long.MAX_VALUE;

  /**
   * @param rule effective from the first minute that is to be decided
   * @param until end of the last one
   * @param lateRows by start of the minute
   */
  Backtest(AlertRule rule, long until, NavigableMap<Long, Long> lateRows) {
    this.rule = rule;
    this.versions = new RuleVersions(rule, null);
    this.from = rule.effectiveFrom();
    this.until = until;
    this.lateRows = lateRows;
    long minutes = (until - from) / MINUTE_MS;
    this.step = MINUTE_MS * Math.max(1, (minutes + MAX_POINTS - 1) / MAX_POINTS);
    if (rule.signal().isOneGroup()) {
      Member only = member("");
      only.group = AlertGroup.begin(versions.latestSignal(), "", from, from);
      only.isBegun = true;
    }
  }

  int groups() {
    return members.size();
  }

  long decided() {
    return decided;
  }

  /** Whole hours before and of the stretch, for anomalies. */
  void hours(String labels, Map<Long, MinuteTotals> hours) {
    Member member = member(labels);
    hours.forEach((start, totals) -> member.put(SignalHistory.HOURS, start, totals));
  }

  /**
   * Decides a stretch.
   *
   * @param numerators totals by group and minute
   * @param denominators of a ratio; else empty
   * @param end of the stretch
   */
  void stretch(
      Map<String, NavigableMap<Long, MinuteTotals>> numerators,
      Map<String, NavigableMap<Long, MinuteTotals>> denominators,
      long end) {
    numerators.keySet().forEach(this::member);
    denominators.keySet().forEach(this::member);
    members.forEach(
        (labels, member) -> {
          NavigableMap<Long, MinuteTotals> above = numerators.getOrDefault(labels, new TreeMap<>());
          NavigableMap<Long, MinuteTotals> below =
              denominators.getOrDefault(labels, new TreeMap<>());
          NavigableMap<Long, MinuteTotals> minutes = new TreeMap<>(below);
          minutes.putAll(above);
          for (long minute : minutes.keySet()) {
            member.advance(minute);
            member.row(minute, above.get(minute), below.get(minute));
          }
          member.advance(end);
        });
  }

  private Member member(String labels) {
    return members.computeIfAbsent(labels, Member::new);
  }

  BacktestReport report() {
    members.values().forEach(Member::leaveOpen);
    // History alone, of hours before, makes no group.
    List<Member> begun = members.values().stream().filter(member -> member.isBegun).toList();
    List<Group> shown =
        begun.stream()
            .sorted(
                Comparator.comparingInt((Member member) -> -member.fired)
                    .thenComparingLong(member -> -member.firingMinutes)
                    .thenComparing(member -> member.labels))
            .limit(MAX_GROUPS_SHOWN)
            .map(Member::shown)
            .toList();
    incidents.sort(Comparator.comparing(Incident::start));
    return new BacktestReport(
        Instant.ofEpochMilli(from),
        Instant.ofEpochMilli(until),
        firstRow == Long.MAX_VALUE ? null : Instant.ofEpochMilli(firstRow),
        (int) (step / MINUTE_MS),
        decided,
        begun.size(),
        shown,
        incidentsTotal,
        revised,
        List.copyOf(incidents.subList(0, Math.min(incidents.size(), MAX_INCIDENTS_SHOWN))));
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** An incident that has begun. */
  private record Open(long since, double value) {}

  /** One group with its state, as the job keeps it. */
  private final class Member implements AlertGroupEvaluator.Store {
    private final String labels;
    private final Map<Long, MinuteTotals> totals = new HashMap<>();
    private final Map<Long, AlertStatus> decisions = new HashMap<>();
    private final double[] values = new double[(int) ((until - from + step - 1) / step)];
    private final byte[] states = new byte[values.length];
    private final AlertGroupEvaluator evaluator = new AlertGroupEvaluator(this, this::tell);
    private @Nullable AlertGroup group;
    private @Nullable Open open;
    private boolean isBegun;
    private int fired;
    private long firingMinutes;
    private long noDataMinutes;

    Member(String labels) {
      this.labels = labels;
      Arrays.fill(values, Double.NaN);
      Arrays.fill(states, (byte) -1);
    }

    void put(int side, long start, MinuteTotals added) {
      totals.put(start + side, added);
    }

    void row(long minute, @Nullable MinuteTotals above, @Nullable MinuteTotals below) {
      isBegun = true;
      if (group == null) {
        group = AlertGroup.begin(versions.latestSignal(), labels, Math.max(minute, from), minute);
      }
      if (above != null) {
        put(SignalHistory.NUMERATOR, minute, above);
      }
      if (below != null) {
        put(SignalHistory.DENOMINATOR, minute, below);
      }
      group = group.withData(minute);
      firstRow = Math.min(firstRow, minute);
    }

    void advance(long completeUntil) {
      if (group != null) {
        group = evaluator.advance(group, versions, completeUntil, completeUntil);
        if (group == null) {
          totals.keySet().removeIf(place -> place % MINUTE_MS != SignalHistory.HOURS);
          decisions.clear();
        }
      }
    }

    private void tell(AlertTransition told) {
      switch (told.kind()) {
        case FIRED -> open = new Open(told.since(), told.value());
        case RESOLVED -> end(told.until());
        case CHANGED, CORRECTED, RETRACTED -> {
          // States are noted minute by minute; rows in time correct nothing.
        }
      }
    }

    private void end(long at) {
      if (open == null) {
        return;
      }
      long ended = at == 0 ? until : at;
      boolean isRevised =
          !lateRows.subMap(open.since() - rule.lookbackMs(), true, ended, true).isEmpty();
      incidents.add(
          new Incident(
              GroupLabels.read(labels),
              Instant.ofEpochMilli(open.since()),
              at == 0 ? null : Instant.ofEpochMilli(at),
              finite(open.value()),
              isRevised));
      if (incidents.size() > 2 * MAX_INCIDENTS_SHOWN) {
        incidents.sort(Comparator.comparing(Incident::start));
        incidents.subList(MAX_INCIDENTS_SHOWN, incidents.size()).clear();
      }
      incidentsTotal++;
      revised += isRevised ? 1 : 0;
      fired++;
      open = null;
    }

    void leaveOpen() {
      end(0);
    }

    private Group shown() {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        if (states[i] >= 0) {
          points.add(
              new Point(
                  Instant.ofEpochMilli(from + i * step),
                  finite(values[i]),
                  TELLING.get(states[i]).name().toLowerCase(Locale.ROOT)));
        }
      }
      return new Group(GroupLabels.read(labels), fired, firingMinutes, noDataMinutes, points);
    }

    @Override
    public @Nullable MinuteTotals totals(int side, long start) {
      return totals.get(start + side);
    }

    @Override
    public @Nullable AlertStatus decided(long minute) {
      return decisions.get(minute);
    }

    @Override
    public void decide(long minute, AlertStatus status) {
      decisions.put(minute, status);
      AlertState state = AlertState.values()[status.state()];
      decided++;
      firingMinutes += state == AlertState.FIRING ? 1 : 0;
      noDataMinutes += state == AlertState.NO_DATA ? 1 : 0;
      int place = (int) ((minute - from) / step);
      states[place] = (byte) Math.max(states[place], TELLING.indexOf(state));
      double value = status.value();
      boolean isUpper = rule.comparison().operator().name().startsWith("G");
      if (Double.isNaN(values[place])
          || (isUpper ? value > values[place] : value < values[place])) {
        values[place] = value;
      }
    }

    @Override
    public void forgetDecision(long minute) {
      decisions.remove(minute);
    }

    @Override
    public void forgetTotals(int side, long start) {
      totals.remove(start + side);
    }
  }
}
