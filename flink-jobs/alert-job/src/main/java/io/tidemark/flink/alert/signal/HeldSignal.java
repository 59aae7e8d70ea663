package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.match.PackedGroups;
import io.tidemark.flink.alert.match.SignalMinute;
import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertGroupEvaluator;
import io.tidemark.flink.model.alert.AlertSignal;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.MinuteTotals;
import io.tidemark.flink.model.alert.RuleVersions;
import io.tidemark.flink.model.alert.SignalEvaluator;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A signal in memory: its groups, their latest totals, and what each rule that looks at it knows of
 * them. What is not here is read from the state, which has to be that of the same signal.
 */
public final class HeldSignal {

  private static final int FORM = 1;
  private static final int SIGNAL_BYTES = 1_500;

  private final String key;
  private final String identity;
  private final SignalStore store;
  private long dueAt;
  private boolean hasOpenMinutes = true;
  private boolean isListed;
  private long bytes;

  private boolean isLoaded;
  private @Nullable SignalTotals totals;
  private GroupDirectory groups = new GroupDirectory();
  private final RuleDirectory rules;

  /** Every rule has every group, so that rows begin none. */
  private boolean isComplete;

  private boolean isChanged;
  private long rulesSeen = -1;

  /**
   * Start of the first minute that is not decided; the greatest number while no rule has a group.
   */
  private long decidedUntil = Long.MAX_VALUE;

  private boolean isDecided;

  /** The first minute that was heard of. */
  private long heardFrom = Long.MAX_VALUE;

  /** Numbers of the groups of a record. */
  private int[] numbers = new int[16];

  private int taken;

  /**
   * @param dueAt watermark at which it is to be decided
   */
  public HeldSignal(String key, SignalStore store, long dueAt) {
    this.key = key;
    this.identity = SignalMinute.identityOf(key);
    this.store = store;
    this.rules = new RuleDirectory(store, identity);
    this.dueAt = dueAt;
  }

  public String key() {
    return key;
  }

  String identity() {
    return identity;
  }

  /** Whether rows came for it, and it was not released since. */
  public boolean isKnown() {
    load();
    return totals != null;
  }

  public long dueAt() {
    return dueAt;
  }

  public void due(long watermark) {
    dueAt = watermark;
  }

  public void dueBy(long watermark) {
    dueAt = Math.min(dueAt, watermark);
  }

  /** Whether it is among those that are to be written. */
  boolean isListed() {
    return isListed;
  }

  void setListed(boolean is) {
    isListed = is;
  }

  /** Whether figures of open minutes may be stored; true as long as nobody has looked. */
  public boolean hasOpenMinutes() {
    return hasOpenMinutes;
  }

  public void setOpenMinutes(boolean are) {
    hasOpenMinutes = are;
  }

  /**
   * Start of the first minute that is not decided; the greatest number while no rule has a group.
   */
  public long decidedUntil() {
    return decidedUntil;
  }

  /** Start of the first minute that is to be decided, also while no rule has a group. */
  public long undecided() {
    return decidedUntil == Long.MAX_VALUE ? heardFrom : decidedUntil;
  }

  GroupDirectory groups() {
    return groups;
  }

  Collection<RuleGroups> rules() {
    return rules.all();
  }

  @Nullable MinuteTotals totals(int side, long start, int group) {
    return totals == null ? null : totals.get(side, start, group);
  }

  SignalTotals totals() {
    if (totals == null) {
      throw new IllegalStateException("No row of the signal came");
    }
    return totals;
  }

  private void load() {
    if (isLoaded) {
      return;
    }
    isLoaded = true;
    byte[] header = store.header();
    if (header != null) {
      PackedInput in = new PackedInput(header);
      in.expectForm(FORM, "Signals of alerts");
      totals = new SignalTotals(store, in.readCount(), in.readCount());
      decidedUntil = in.readSigned();
      isDecided = in.readByte() != 0;
      heardFrom = in.readSigned();
      totals.unpackHeader(in);
      groups.unpackHeader(in, store);
      rules.read(groups);
    }
  }

  /** Takes over what is known of rules, and gives those that are new to it their groups. */
  public void follow(SignalRules known, long now) {
    load();
    if (totals == null || rulesSeen == known.changes()) {
      return;
    }
    rulesSeen = known.changes();
    isComplete = false;
    rules.follow(known);
    for (String rule : known.of(key)) {
      if (rules.get(rule) == null) {
        adopt(rule, known.rule(rule), now);
      }
    }
  }

  /**
   * A rule that was not known has the groups that it would have, had it been known when their rows
   * came.
   */
  private void adopt(String key, @Nullable RuleVersions versions, long now) {
    RuleGroups rule = rules.add(key, versions);
    isChanged = true;
    for (int group = 0; group < groups.size(); group++) {
      if (groups.isLive(group)) {
        long oldest = isDecided ? decidedUntil - totals().keptMs() : heardFrom;
        long first = totals().firstFrom(rule.wantedFrom(), group, oldest);
        if (first != Long.MAX_VALUE) {
          begin(rule, group, first, now);
        } else if (versions != null
            && !versions.isOther(identity)
            && versions.latest().signal().isOneGroup()) {
          begin(rule, group, versions.latest().effectiveFrom(), now);
        }
      }
    }
  }

  private void begin(RuleGroups rule, int group, long minute, long now) {
    RuleVersions versions = rule.versions();
    if (versions == null || rule.has(group)) {
      return;
    }
    long from = minute;
    if (!versions.isOther(identity)) {
      from = Math.max(from, versions.latest().effectiveFrom());
    }
    if (now > 0) {
      long oldest = now + 1 - AlertGroupEvaluator.REVISED.toMillis();
      from = Math.max(from, Math.floorDiv(oldest, MINUTE_MS) * MINUTE_MS);
    }
    if (versions.isOther(identity) && from >= versions.latest().effectiveFrom()) {
      return;
    }
    rule.track(
        group, TrackedGroup.begin(AlertGroup.begin(identity, groups.text(group), from, minute)));
    groups.use(group);
    if (!isDecided) {
      decidedUntil = Math.min(decidedUntil, from);
    }
    dueBy(Math.max(from + MINUTE_MS - 1, now + 1));
    isChanged = true;
  }

  /**
   * Takes what rows add.
   *
   * @param now the watermark
   */
  public void take(SignalMinute minute, SignalRules known, long now) {
    load();
    if (totals == null) {
      totals = new SignalTotals(store, minute.minutesKept(), minute.days());
    }
    heardFrom = Math.min(heardFrom, Math.max(minute.start(), oldestBegin(now)));
    isChanged = true;
    taken = 0;
    int before = groups.live();
    boolean isKept = !isDecided || minute.start() >= decidedUntil - totals.keptMs();
    long decided = isDecided ? decidedUntil : Long.MIN_VALUE;
    PackedGroups.read(
        minute,
        (labels, from, length, added) -> {
          int group = groups.number(labels, from, length);
          if (minute.side() != SignalMinute.SEED) {
            totals().add(minute.side(), minute.start(), group, added, isKept);
            groups.heard(group, minute.start(), decided);
          } else {
            groups.heard(group, minute.start(), Long.MIN_VALUE);
          }
          remember(group);
        });
    follow(known, now);
    if (!isComplete || groups.live() != before) {
      beginGroups(minute, now);
    }
    dueBy(Math.max(undecided() + MINUTE_MS - 1, now + 1));
  }

  private void beginGroups(SignalMinute minute, long now) {
    isComplete = true;
    for (RuleGroups rule : rules.all()) {
      if (rule.wantedFrom() <= minute.start() && rule.size() < groups.live()) {
        for (int i = 0; i < taken; i++) {
          begin(rule, numbers[i], minute.start(), now);
        }
      }
      isComplete &= rule.size() == groups.live();
    }
  }

  private static long oldestBegin(long now) {
    return now > 0
        ? Math.floorDiv(now + 1 - AlertGroupEvaluator.REVISED.toMillis(), MINUTE_MS) * MINUTE_MS
        : Long.MIN_VALUE;
  }

  private void remember(int group) {
    if (taken == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * taken);
    }
    numbers[taken++] = group;
  }

  /**
   * Takes over that minutes were decided, and drops what nobody needs any more.
   *
   * @param until start of the first minute that is not
   */
  void decided(long until) {
    if (decidedUntil == Long.MAX_VALUE) {
      return;
    }
    isDecided = true;
    isChanged = true;
    decidedUntil = until;
    totals().needFrom(until, groups.pages());
    groups.forget(until - totals().forgottenMs());
    rules.removeUseless(until);
  }

  /** A group of a rule is released. */
  void remove(RuleGroups rule, int group) {
    rule.remove(group);
    groups.leave(group);
    isComplete = false;
  }

  /** Whether no rule has a group of it any more, or none came forward for what was heard. */
  public boolean isOver(long now, long patienceMs) {
    load();
    return groups.used() == 0 && (decidedUntil != Long.MAX_VALUE || now - heardFrom > patienceMs);
  }

  /** The group of a rule as it is now; null when the rule does not have it. */
  public @Nullable AlertGroup group(RuleGroups rule, String labels) {
    int number = groups.find(labels);
    TrackedGroup group = number == GroupDirectory.NONE ? null : find(rule, number);
    return group == null || group.isReleased() ? null : group.group();
  }

  /** What was decided of a minute; null when nothing was. */
  public @Nullable AlertStatus decision(RuleGroups rule, String labels, long minute) {
    int number = groups.find(labels);
    TrackedGroup group = number == GroupDirectory.NONE ? null : find(rule, number);
    return group == null ? null : rule.decided(number, group, minute);
  }

  private @Nullable TrackedGroup find(RuleGroups rule, int number) {
    return rule.isQuiet(number) ? ofQuiet(rule, number, decidedUntil) : rule.tracked(number);
  }

  /** A quiet group as one that is tracked; its value is not known. */
  TrackedGroup ofQuiet(RuleGroups rule, int number, long until) {
    return TrackedGroup.ofQuiet(
        AlertGroup.quiet(
            identity,
            groups.text(number),
            until,
            groups.lastData(number),
            rule.sequence(number),
            rule.since(number),
            valueBefore(rule, number, until)));
  }

  private double valueBefore(RuleGroups rule, int number, long until) {
    RuleVersions versions = rule.versions();
    AlertSignal signal = versions == null ? null : versions.signal(identity);
    return signal == null || rule.since(number) >= until
        ? Double.NaN
        : SignalEvaluator.value(
            signal, (side, start) -> totals(side, start, number), until - MINUTE_MS, Double.NaN);
  }

  /** What the rule of a key knows; null when it looks at another signal. */
  public @Nullable RuleGroups rule(String rule) {
    load();
    return rules.get(rule);
  }

  /** Totals of a group by its labels. */
  public @Nullable MinuteTotals totals(int side, long start, String labels) {
    load();
    int number = groups.find(labels);
    return number == GroupDirectory.NONE ? null : totals(side, start, number);
  }

  /** Writes what the state does not have, and drops minutes that are not wanted any more. */
  void write(PackedOutput out) {
    if (!isChanged || totals == null) {
      return;
    }
    isChanged = false;
    groups.write(store, out);
    totals.write(out);
    rules.write(out);
    out.clear();
    out.writeByte(FORM);
    out.writeUnsigned(totals.minutesKept());
    out.writeUnsigned(totals.days());
    out.writeSigned(decidedUntil);
    out.writeByte(isDecided ? 1 : 0);
    out.writeSigned(heardFrom);
    totals.packHeader(out);
    groups.packHeader(out);
    store.putHeader(out.toBytes());
    if (isDecided) {
      totals.dropBefore(decidedUntil);
    }
  }

  /** Writes, and holds no totals any more. */
  void shrink(PackedOutput out) {
    write(out);
    if (totals != null) {
      totals.dropBefore(Long.MAX_VALUE);
    }
  }

  /** Takes all of it out of memory and state. */
  public void release() {
    store.clear();
    isLoaded = true;
    isChanged = false;
    isDecided = false;
    totals = null;
    groups = new GroupDirectory();
    rules.clear();
    rulesSeen = -1;
    decidedUntil = Long.MAX_VALUE;
    heardFrom = Long.MAX_VALUE;
  }

  /** How much it grew since this was asked for the last time; an estimate. */
  long grown() {
    long now = SIGNAL_BYTES + 2L * key.length() + groups.bytes() + rules.bytes();
    now += totals == null ? 0 : totals.bytes();
    long before = bytes;
    bytes = now;
    return now - before;
  }

  long bytes() {
    return bytes;
  }
}
