package io.tidemark.flink.model.alert;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.model.alert.AlertTransition.Kind;
import io.tidemark.flink.model.alert.IncidentIntervals.Change;
import io.tidemark.flink.model.alert.IncidentIntervals.Interval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides the minutes of one group in their order, and decides them anew when rows come late. Time
 * is the rows' alone: the same rows give the same incidents, whatever the order in which they came.
 */
public final class AlertGroupEvaluator {

  /** Decided minutes that late rows can still change. */
  public static final Duration REVISED = Duration.ofMinutes(60);

  /** A group without rows for so long, and without an incident, is released. */
  static final Duration SILENT = Duration.ofHours(1);

  /** The same with an incident, which then is resolved. */
  static final Duration SILENT_OPEN = Duration.ofHours(24);

  /** A tenant's rows may be so far behind those of others before its groups are blind. */
  static final Duration BLIND_AFTER = Duration.ofMinutes(2);

  /** Where totals and decisions of the group are. */
  public interface Store extends SignalHistory {

    /** Null when the minute was not decided, or is older than what can be revised. */
    @Nullable AlertStatus decided(long minute);

    void decide(long minute, AlertStatus status);

    void forgetDecision(long minute);

    void forgetTotals(int side, long start);
  }

  private final Store store;
  private final Consumer<AlertTransition> out;

  public AlertGroupEvaluator(Store store, Consumer<AlertTransition> out) {
    this.store = store;
    this.out = out;
  }

  /**
   * Decides what is complete.
   *
   * @param completeUntil how far the rows of the group's organisation are complete
   * @param watermark how far rows are complete in general
   * @return the group afterwards; null when it is released, and all of its state with it
   */
  public @Nullable AlertGroup advance(
      AlertGroup group, RuleVersions rule, long completeUntil, long watermark) {
    AlertGroup now = group;
    if (now.dirtyFrom() != AlertGroup.CLEAN) {
      now = revise(now, rule, completeUntil);
    }
    for (long minute = now.decidedUntil();
        minute + MINUTE_MS <= completeUntil;
        minute += MINUTE_MS) {
      AlertRule deciding = rule.deciding(now.signal(), minute);
      if (deciding == null) {
        if (rule.isOther(now.signal()) && rule.latest().effectiveFrom() <= minute) {
          release(now, rule, minute, completeUntil, "The rule looks at something else now.");
          return null;
        }
        now = now.decided(minute + MINUTE_MS, AlertStatus.beginning(minute + MINUTE_MS));
        continue;
      }
      now = decide(now, deciding, minute, completeUntil);
      forget(now, deciding);
      if (isSilent(now, deciding)) {
        release(now, rule, minute + MINUTE_MS, completeUntil, "Nothing was sent for a long time.");
        return null;
      }
    }
    return tellBlind(now, rule, completeUntil, watermark);
  }

  /**
   * Whether a minute leaves a group that is {@link AlertGroup#isQuiet quiet} as it was. Then nobody
   * has to decide it one by one.
   *
   * @param value of the minute; NaN without one
   */
  public static boolean staysQuiet(AlertRule deciding, double value) {
    return !Double.isNaN(value) && !deciding.comparison().holds(value, false);
  }

  /** Whether rows of an organisation are so far behind that its groups are blind. */
  public static boolean isBlind(long completeUntil, long watermark) {
    return watermark - completeUntil >= BLIND_AFTER.toMillis();
  }

  private AlertGroup decide(AlertGroup group, AlertRule deciding, long minute, long completeUntil) {
    AlertStatus before = group.status();
    AlertStatus after = next(deciding, before, minute);
    store.decide(minute, after);
    AlertGroup now = group.decided(minute + MINUTE_MS, after);
    if (after.isOpen() && !before.isOpen()) {
      return tell(now, deciding, Kind.FIRED, after, 0, minute, completeUntil, false, "");
    }
    if (before.isOpen() && !after.isOpen()) {
      return tell(now, deciding, Kind.RESOLVED, before, minute, minute, completeUntil, false, "");
    }
    return after.state() == now.told()
        ? now
        : tell(now, deciding, Kind.CHANGED, after, 0, minute, completeUntil, false, "");
  }

  private AlertStatus next(AlertRule rule, AlertStatus before, long minute) {
    double value = SignalEvaluator.value(rule.signal(), store, minute, before.value());
    return AlertStateMachine.next(rule, before, minute, value);
  }

  /** Decides minutes anew from the first that rows came for, and tells what is another now. */
  private AlertGroup revise(AlertGroup group, RuleVersions rule, long completeUntil) {
    long end = group.decidedUntil();
    long from =
        Math.max(
            Math.max(group.dirtyFrom(), end - REVISED.toMillis()),
            rule.decidedFrom(group.signal()));
    while (from < end && store.decided(from) == null) {
      from += MINUTE_MS;
    }
    if (from >= end) {
      return group.decided(end, group.status());
    }
    AlertStatus known = store.decided(from - MINUTE_MS);
    AlertStatus first = known == null ? AlertStatus.beginning(from) : known;
    List<AlertStatus> old = new ArrayList<>();
    List<AlertStatus> anew = new ArrayList<>();
    AlertStatus before = first;
    AlertRule last = rule.latest();
    for (long minute = from; minute < end; minute += MINUTE_MS) {
      AlertStatus decided = store.decided(minute);
      AlertRule deciding = rule.deciding(group.signal(), minute);
      if (decided == null || deciding == null) {
        end = minute;
        break;
      }
      old.add(decided);
      before = next(deciding, before, minute);
      anew.add(before);
      last = deciding;
    }
    if (end < group.decidedUntil()) {
      return group.decided(group.decidedUntil(), group.status());
    }
    Map<Long, Long> keys = new HashMap<>();
    List<Change> changes =
        IncidentIntervals.changes(
            IncidentIntervals.of(first, from, old),
            IncidentIntervals.of(first, from, anew),
            start -> lateKey(group, start),
            keys);
    AlertStatus status = first;
    for (int i = 0; i < anew.size(); i++) {
      status = anew.get(i);
      if (status.isOpen()) {
        status = status.named(keys.getOrDefault(status.incidentSince(), status.incidentKey()));
      }
      store.decide(from + i * MINUTE_MS, status);
    }
    AlertGroup now = group.decided(end, status);
    for (Change change : changes) {
      now = tellChange(now, last, change, from, anew, completeUntil);
    }
    return status.state() == now.told()
        ? now
        : tell(now, last, Kind.CHANGED, status, 0, end - MINUTE_MS, completeUntil, true, "");
  }

  /**
   * The key of an incident that late rows show. Incidents that were found in time have the start of
   * their first minute, also when they begin at another now, so it must not be one.
   */
  private static long lateKey(AlertGroup group, long start) {
    return start + 1 + Math.floorMod(group.sequence(), MINUTE_MS - 1);
  }

  private AlertGroup tellChange(
      AlertGroup group,
      AlertRule deciding,
      Change change,
      long from,
      List<AlertStatus> anew,
      long completeUntil) {
    Interval before = change.before();
    Interval after = change.after();
    if (after == null && before != null) {
      AlertStatus gone = incident(group.status(), before, Double.NaN);
      return tell(
          group,
          deciding,
          Kind.RETRACTED,
          gone,
          before.isOpen() ? 0 : before.end(),
          Math.max(before.start(), from),
          completeUntil,
          true,
          "Rows that came late show that it did not happen.");
    }
    if (after == null || after.equals(before)) {
      return group;
    }
    int at = (int) ((after.start() - from) / MINUTE_MS);
    double value = at >= 0 && at < anew.size() ? anew.get(at).value() : Double.NaN;
    AlertStatus incident = incident(group.status(), after, value);
    long until = after.isOpen() ? 0 : after.end();
    if (before == null) {
      AlertGroup fired =
          tell(group, deciding, Kind.FIRED, incident, 0, after.start(), completeUntil, true, "");
      return after.isOpen()
          ? fired
          : tell(fired, deciding, Kind.RESOLVED, incident, until, until, completeUntil, true, "");
    }
    boolean isEnd = before.isOpen() && !after.isOpen();
    return tell(
        group,
        deciding,
        isEnd ? Kind.RESOLVED : Kind.CORRECTED,
        incident,
        until,
        after.isOpen() ? after.start() : after.end(),
        completeUntil,
        true,
        "");
  }

  /** The status that names an incident; its state is that of the group. */
  private static AlertStatus incident(AlertStatus status, Interval interval, double value) {
    return new AlertStatus(
        status.state(), status.since(), 0, 0, 0, interval.start(), interval.key(), value);
  }

  private AlertGroup tellBlind(
      AlertGroup group, RuleVersions rule, long completeUntil, long watermark) {
    boolean isBlind = isBlind(completeUntil, watermark);
    if (isBlind == (group.toldState() == AlertState.BLIND)) {
      return group;
    }
    AlertStatus status = group.status();
    AlertStatus told =
        isBlind
            ? new AlertStatus(
                AlertState.BLIND.ordinal(),
                group.decidedUntil(),
                0,
                0,
                0,
                status.incidentSince(),
                status.incidentKey(),
                Double.NaN)
            : status;
    return tell(
        group,
        rule.latest(),
        Kind.CHANGED,
        told,
        0,
        group.decidedUntil(),
        completeUntil,
        false,
        isBlind
            ? "Rows of the organisation came late; those of this minute are not complete."
            : "");
  }

  private boolean isSilent(AlertGroup group, AlertRule rule) {
    if (rule.signal().isOneGroup()) {
      return false;
    }
    long silentMs = group.decidedUntil() - MINUTE_MS - group.lastData();
    boolean mayStillFire = rule.signal().kind() == SignalKind.ABSENCE;
    long patience =
        group.status().isOpen() || mayStillFire ? SILENT_OPEN.toMillis() : SILENT.toMillis();
    return silentMs > patience + rule.lookbackMs();
  }

  private void release(
      AlertGroup group, RuleVersions rule, long at, long completeUntil, String reason) {
    AlertStatus status = group.status();
    if (status.isOpen() || group.toldState() != AlertState.NORMAL) {
      AlertStatus normal =
          new AlertStatus(
              AlertState.NORMAL.ordinal(),
              at,
              0,
              0,
              0,
              status.incidentSince(),
              status.incidentKey(),
              Double.NaN);
      AlertTransition told =
          transition(
              group,
              rule.latest(),
              status.isOpen() ? Kind.RESOLVED : Kind.CHANGED,
              normal,
              status.isOpen() ? at : 0,
              at,
              completeUntil,
              false,
              true,
              reason);
      out.accept(told);
    }
  }

  private AlertGroup tell(
      AlertGroup group,
      AlertRule deciding,
      Kind kind,
      AlertStatus incident,
      long until,
      long minute,
      long completeUntil,
      boolean revised,
      String reason) {
    AlertStatus current =
        kind == Kind.CHANGED ? incident : withState(incident, group.status().alertState());
    out.accept(
        transition(
            group, deciding, kind, current, until, minute, completeUntil, revised, false, reason));
    return group.told(group.sequence() + 1, current.alertState());
  }

  private static AlertStatus withState(AlertStatus incident, AlertState state) {
    return new AlertStatus(
        state.ordinal(),
        incident.since(),
        0,
        0,
        0,
        incident.incidentSince(),
        incident.incidentKey(),
        incident.value());
  }

  private static AlertTransition transition(
      AlertGroup group,
      AlertRule rule,
      Kind kind,
      AlertStatus status,
      long until,
      long minute,
      long completeUntil,
      boolean revised,
      boolean released,
      String reason) {
    String groupId = group.id(rule);
    long sequence = group.sequence() + 1;
    return new AlertTransition(
        Digest.hex("transition", groupId, Long.toString(sequence), Long.toString(minute)),
        rule.organizationId(),
        rule.environmentId(),
        rule.ruleId(),
        rule.version(),
        groupId,
        group.labels(),
        sequence,
        kind,
        status.alertState(),
        group.toldState(),
        status.isOpen() ? AlertGroup.incidentId(groupId, status.incidentKey()) : "",
        minute,
        kind == Kind.CHANGED ? status.since() : status.incidentSince(),
        until,
        status.value(),
        rule.comparison().threshold(),
        rule.severity(),
        completeUntil,
        false,
        revised,
        released,
        reason);
  }

  /** Drops what no decision needs any more. */
  private void forget(AlertGroup group, AlertRule rule) {
    long decided = group.decidedUntil() - MINUTE_MS;
    long oldestDecision = decided - REVISED.toMillis() - MINUTE_MS;
    store.forgetDecision(oldestDecision - MINUTE_MS);
    long oldestTotals = oldestDecision - rule.signal().minutesKept() * MINUTE_MS;
    store.forgetTotals(SignalHistory.NUMERATOR, oldestTotals);
    if (rule.signal().kind() == SignalKind.RATIO) {
      store.forgetTotals(SignalHistory.DENOMINATOR, oldestTotals);
    }
    long hourMs = Duration.ofHours(1).toMillis();
    if (rule.signal().kind() == SignalKind.ANOMALY && decided % hourMs == 0) {
      store.forgetTotals(
          SignalHistory.HOURS, decided - Duration.ofDays(rule.signal().days() + 1L).toMillis());
    }
  }
}
