package io.tidemark.flink.alert.signal;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.AlertGroup;
import io.tidemark.flink.model.alert.AlertStatus;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one rule knows of the groups of its signal. Quiet groups, which are most, are a number each:
 * the minute since which they are normal. The others are tracked.
 */
public final class RuleGroups {

  private static final int FORM = 1;
  private static final int RULE_BYTES = 500;
  private static final int TRACKED_BYTES = 500;

  /** The group is not quiet, or the rule does not have it. */
  private static final long NONE = Long.MIN_VALUE;

  private final String rule;
  private final int number;
  private final DecisionPages decisions;

  private @Nullable RuleVersions versions;
  private long wantedFrom = Long.MAX_VALUE;
  private boolean isLooking;

  private long[] since = {};
  private long[] sequences = {};
  private int quiet;
  private final TreeMap<Integer, TrackedGroup> tracked = new TreeMap<>();

  private final Consumer<RuleGroups> onChange;
  private boolean isChanged;
  private long bytes;
  private final BitSet changedQuiet = new BitSet();
  private final BitSet changedTracked = new BitSet();
  private final BitSet storedQuiet = new BitSet();
  private final BitSet storedTracked = new BitSet();

  /**
   * @param onChange gets this, once until it is written
   */
  RuleGroups(String rule, int number, SignalStore store, Consumer<RuleGroups> onChange) {
    this.rule = rule;
    this.onChange = onChange;
    this.number = number;
    this.decisions = new DecisionPages(store, number);
  }

  /** Key of the rule's control record. */
  public String rule() {
    return rule;
  }

  int number() {
    return number;
  }

  /** Null when the rule is not known, or gone. */
  public @Nullable RuleVersions versions() {
    return versions;
  }

  /**
   * Takes over what is known of the rule.
   *
   * @param signal identity of what the groups are about
   */
  void put(@Nullable RuleVersions now, String signal) {
    versions = now;
    isLooking = false;
    wantedFrom = Long.MAX_VALUE;
    if (now != null) {
      isLooking = now.latestSignal().equals(signal) || now.previousSignal().equals(signal);
      wantedFrom = isLooking ? now.wantedFrom(signal) : Long.MAX_VALUE;
    }
  }

  /** Whether a version of the rule that decides minutes looks at the signal. */
  boolean isLooking() {
    return isLooking;
  }

  /** Start of the first minute whose rows are for the rule. */
  long wantedFrom() {
    return wantedFrom;
  }

  DecisionPages decisions() {
    return decisions;
  }

  /** What was decided of a minute of a tracked group; null when nothing was. */
  @Nullable AlertStatus decided(int group, TrackedGroup of, long minute) {
    AlertStatus known = of.known(minute);
    return known != null || of.isBeyond(minute) ? known : decisions.get(group, minute);
  }

  /** Groups that the rule has. */
  int size() {
    return quiet + tracked.size();
  }

  boolean has(int group) {
    return isQuiet(group) || tracked.containsKey(group);
  }

  /** Quiet groups. */
  int quiet() {
    return quiet;
  }

  boolean isQuiet(int group) {
    return group < since.length && since[group] != NONE;
  }

  /** The minute since which a quiet group is normal. */
  long since(int group) {
    return since[group];
  }

  long sequence(int group) {
    return group < sequences.length ? sequences[group] : 0;
  }

  /** One more than the maximum number of a quiet group. */
  int quietEnd() {
    return since.length;
  }

  SortedMap<Integer, TrackedGroup> tracked() {
    return tracked;
  }

  @Nullable TrackedGroup tracked(int group) {
    return tracked.get(group);
  }

  private void changed() {
    if (!isChanged) {
      isChanged = true;
      onChange.accept(this);
    }
  }

  /** Tracks a group, which may have been quiet, with what became of it. */
  void track(int group, TrackedGroup now) {
    changed();
    unquiet(group);
    tracked.put(group, now);
    changedTracked.set(PageKey.pageOf(group));
  }

  /** Has a group be quiet, which may have been tracked. */
  void quiet(int group, AlertGroup now) {
    if (tracked.remove(group) != null) {
      changed();
      changedTracked.set(PageKey.pageOf(group));
    }
    long from = now.status().since();
    boolean isSame = isQuiet(group) && since[group] == from && sequence(group) == now.sequence();
    if (!isSame) {
      changed();
      setQuiet(group, from, now.sequence());
      changedQuiet.set(PageKey.pageOf(group));
    }
  }

  private void setQuiet(int group, long from, long sequence) {
    if (group >= since.length) {
      int before = since.length;
      since = Arrays.copyOf(since, group + 1 + group / 2);
      Arrays.fill(since, before, since.length, NONE);
    }
    quiet += since[group] == NONE ? 1 : 0;
    since[group] = from;
    if (sequence != sequence(group)) {
      sequences =
          sequences.length < since.length ? Arrays.copyOf(sequences, since.length) : sequences;
      sequences[group] = sequence;
    }
  }

  private void unquiet(int group) {
    if (isQuiet(group)) {
      since[group] = NONE;
      if (group < sequences.length) {
        sequences[group] = 0;
      }
      quiet--;
      changedQuiet.set(PageKey.pageOf(group));
    }
  }

  void remove(int group) {
    changed();
    unquiet(group);
    if (tracked.remove(group) != null) {
      changedTracked.set(PageKey.pageOf(group));
    }
  }

  /** How much it grew since this was asked for the last time; an estimate. */
  long grown() {
    long now =
        RULE_BYTES
            + (long) Long.BYTES * (since.length + sequences.length)
            + (long) TRACKED_BYTES * tracked.size();
    long before = bytes;
    bytes = now;
    return now - before;
  }

  long bytes() {
    return bytes;
  }

  /** Writes what the state does not have. */
  void write(SignalStore store, PackedOutput out) {
    isChanged = false;
    for (int page = changedTracked.nextSetBit(0);
        page >= 0;
        page = changedTracked.nextSetBit(page + 1)) {
      SortedMap<Integer, TrackedGroup> groups =
          tracked.subMap(page * PageKey.GROUPS, (page + 1) * PageKey.GROUPS);
      decisions.write(page, groups, out);
      put(
          store,
          PageKey.tracked(number, page),
          page,
          packTracked(page, groups, out),
          storedTracked);
    }
    changedTracked.clear();
    for (int page = changedQuiet.nextSetBit(0);
        page >= 0;
        page = changedQuiet.nextSetBit(page + 1)) {
      put(store, PageKey.quiet(number, page), page, packQuiet(page, out), storedQuiet);
    }
    changedQuiet.clear();
  }

  private static void put(
      SignalStore store, long key, int page, byte @Nullable [] packed, BitSet stored) {
    if (packed != null) {
      store.putPage(key, packed);
      stored.set(page);
    } else if (stored.get(page)) {
      store.removePage(key);
      stored.clear(page);
    }
  }

  private static byte @Nullable [] packTracked(
      int page, SortedMap<Integer, TrackedGroup> groups, PackedOutput out) {
    out.clear();
    out.writeByte(FORM);
    int before = page * PageKey.GROUPS;
    for (var one : groups.entrySet()) {
      out.writeUnsigned(one.getKey() - before);
      one.getValue().pack(out);
      before = one.getKey();
    }
    return groups.isEmpty() ? null : out.toBytes();
  }

  private byte @Nullable [] packQuiet(int page, PackedOutput out) {
    out.clear();
    out.writeByte(FORM);
    int before = page * PageKey.GROUPS;
    long sinceBefore = 0;
    boolean isAny = false;
    for (int i = before; i < Math.min(since.length, (page + 1) * PageKey.GROUPS); i++) {
      if (since[i] != NONE) {
        out.writeUnsigned(i - before);
        out.writeSigned(since[i] - sinceBefore);
        out.writeUnsigned(sequence(i));
        before = i;
        sinceBefore = since[i];
        isAny = true;
      }
    }
    return isAny ? out.toBytes() : null;
  }

  /** Reads what is stored. */
  void read(SignalStore store, GroupDirectory groups, String signal) {
    for (int page = 0; page < groups.pages(); page++) {
      byte[] ofQuiet = store.page(PageKey.quiet(number, page));
      if (ofQuiet != null) {
        storedQuiet.set(page);
        readQuiet(ofQuiet, page, groups);
      }
      byte[] ofTracked = store.page(PageKey.tracked(number, page));
      if (ofTracked != null) {
        storedTracked.set(page);
        readTracked(ofTracked, page, groups, signal);
      }
    }
  }

  private void readQuiet(byte[] stored, int page, GroupDirectory groups) {
    PackedInput in = new PackedInput(stored);
    in.expectForm(FORM, "Quiet groups of alerts");
    int group = page * PageKey.GROUPS;
    long from = 0;
    while (in.hasMore()) {
      group += in.readCount();
      from += in.readSigned();
      setQuiet(group, from, in.readUnsigned());
      groups.use(group);
    }
  }

  private void readTracked(byte[] stored, int page, GroupDirectory groups, String signal) {
    PackedInput in = new PackedInput(stored);
    in.expectForm(FORM, "Tracked groups of alerts");
    int group = page * PageKey.GROUPS;
    while (in.hasMore()) {
      group += in.readCount();
      tracked.put(group, TrackedGroup.unpack(in, signal, groups.text(group)));
      groups.use(group);
    }
  }

  /** Takes everything of the rule out of the state. */
  void clear(SignalStore store) {
    decisions.clear(Math.max(storedTracked.length(), storedQuiet.length()));
    storedQuiet.stream().forEach(page -> store.removePage(PageKey.quiet(number, page)));
    storedTracked.stream().forEach(page -> store.removePage(PageKey.tracked(number, page)));
  }
}
