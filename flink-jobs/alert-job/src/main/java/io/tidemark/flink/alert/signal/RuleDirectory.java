package io.tidemark.flink.alert.signal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.RuleVersions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a signal, each with a number under which its pages lie, and which of them the state
 * does not have as they are.
 */
final class RuleDirectory {

  private static final int FORM = 1;

  private final SignalStore store;
  private final String identity;
  private final Map<String, RuleGroups> rules = new LinkedHashMap<>();
  private final List<RuleGroups> changed = new ArrayList<>();
  private boolean isListChanged;
  private long bytes;

  /**
   * @param identity of the signal
   */
  RuleDirectory(SignalStore store, String identity) {
    this.store = store;
    this.identity = identity;
  }

  Collection<RuleGroups> all() {
    return rules.values();
  }

  @Nullable RuleGroups get(String rule) {
    return rules.get(rule);
  }

  /** Adds a rule, which has no group yet. */
  RuleGroups add(String key, @Nullable RuleVersions versions) {
    BitSet taken = new BitSet();
    rules.values().forEach(rule -> taken.set(rule.number()));
    RuleGroups rule = new RuleGroups(key, taken.nextClearBit(0), store, changed::add);
    rule.decisions().begin();
    rule.put(versions, identity);
    rules.put(key, rule);
    isListChanged = true;
    return rule;
  }

  /** Takes over what is known of rules. */
  void follow(SignalRules known) {
    rules.values().forEach(rule -> rule.put(known.rule(rule.rule()), identity));
  }

  /** Removes rules without groups that decide nothing from a minute on. */
  void removeUseless(long from) {
    Iterator<RuleGroups> each = rules.values().iterator();
    while (each.hasNext()) {
      RuleGroups rule = each.next();
      if (rule.size() == 0 && isUseless(rule, from)) {
        rule.clear(store);
        changed.remove(rule);
        bytes -= rule.bytes();
        each.remove();
        isListChanged = true;
      }
    }
  }

  private boolean isUseless(RuleGroups rule, long from) {
    RuleVersions versions = rule.versions();
    return versions == null
        || !rule.isLooking()
        || (versions.isOther(identity) && versions.latest().effectiveFrom() <= from);
  }

  void read(GroupDirectory groups) {
    byte[] stored = store.page(PageKey.rules());
    if (stored == null) {
      return;
    }
    PackedInput in = new PackedInput(stored);
    in.expectForm(FORM, "Rules of alerts");
    while (in.hasMore()) {
      int number = in.readCount();
      String key = new String(in.readBytes(), UTF_8);
      RuleGroups rule = new RuleGroups(key, number, store, changed::add);
      rule.read(store, groups, identity);
      bytes += rule.grown();
      rules.put(key, rule);
    }
  }

  /** Writes what the state does not have. */
  void write(PackedOutput out) {
    for (RuleGroups rule : changed) {
      rule.write(store, out);
      bytes += rule.grown();
    }
    changed.clear();
    if (isListChanged) {
      isListChanged = false;
      out.clear();
      out.writeByte(FORM);
      for (RuleGroups rule : rules.values()) {
        out.writeUnsigned(rule.number());
        out.writeBytes(rule.rule().getBytes(UTF_8));
      }
      store.putPage(PageKey.rules(), out.toBytes());
    }
  }

  /** Forgets all; what is stored goes with the signal. */
  void clear() {
    rules.clear();
    changed.clear();
    isListChanged = false;
    bytes = 0;
  }

  /** An estimate. */
  long bytes() {
    for (RuleGroups rule : changed) {
      bytes += rule.grown();
    }
    return bytes;
  }
}
