package io.tidemark.flink.alert.signal;

import static io.tidemark.flink.model.alert.MinuteTotals.MINUTE_MS;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.AlertStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a rule decided of its tracked groups, minute by minute. */
final class DecisionPages {

  private static final int FORM = 1;

  private final SignalStore store;
  private final int rule;

  /** Those of one page of groups, as far as they were read; bounded by that. */
  private final Map<Long, TreeMap<Integer, AlertStatus>> read = new HashMap<>();

  private int readPage = -1;

  /** Minutes from it on are not stored. */
  private long storedUntil = Long.MAX_VALUE;

  DecisionPages(SignalStore store, int rule) {
    this.store = store;
    this.rule = rule;
  }

  /** Nothing of the rule is stored. */
  void begin() {
    storedUntil = Long.MIN_VALUE;
  }

  private static long slot(long minute) {
    return Math.floorMod(Math.floorDiv(minute, MINUTE_MS), (long) PageKey.DECISION_SLOTS);
  }

  /** What is stored of a minute; null for nothing. */
  @Nullable AlertStatus get(int group, long minute) {
    return page(PageKey.pageOf(group), minute).get(group);
  }

  private TreeMap<Integer, AlertStatus> page(int page, long minute) {
    if (page != readPage) {
      read.clear();
      readPage = page;
    }
    return read.computeIfAbsent(minute, ignored -> unpack(page, minute));
  }

  private TreeMap<Integer, AlertStatus> unpack(int page, long minute) {
    TreeMap<Integer, AlertStatus> statuses = new TreeMap<>();
    byte[] stored =
        minute < storedUntil ? store.page(PageKey.decisions(rule, slot(minute), page)) : null;
    if (stored == null) {
      return statuses;
    }
    PackedInput in = new PackedInput(stored);
    in.expectForm(FORM, "Decisions of alerts");
    if (in.readUnsigned() != minute) {
      return statuses;
    }
    int group = page * PageKey.GROUPS;
    while (in.hasMore()) {
      group += in.readCount();
      statuses.put(group, StatusForm.read(in, minute));
    }
    return statuses;
  }

  /** Writes decisions of a page of groups that are not stored yet. */
  void write(int page, SortedMap<Integer, TrackedGroup> groups, PackedOutput out) {
    TreeSet<Long> minutes = new TreeSet<>();
    groups.values().forEach(group -> minutes.addAll(group.fresh().keySet()));
    for (long minute : minutes) {
      TreeMap<Integer, AlertStatus> statuses = unpack(page, minute);
      groups.forEach(
          (number, group) -> {
            AlertStatus decided = group.fresh().get(minute);
            if (decided != null) {
              statuses.put(number, decided);
            }
          });
      store.putPage(PageKey.decisions(rule, slot(minute), page), pack(page, minute, statuses, out));
    }
    groups.values().forEach(group -> group.fresh().clear());
    forget();
    storedUntil = minutes.isEmpty() ? storedUntil : Math.max(storedUntil, minutes.last() + 1);
  }

  private static byte[] pack(
      int page, long minute, SortedMap<Integer, AlertStatus> statuses, PackedOutput out) {
    out.clear();
    out.writeByte(FORM);
    out.writeUnsigned(minute);
    int before = page * PageKey.GROUPS;
    for (var one : statuses.entrySet()) {
      out.writeUnsigned(one.getKey() - before);
      StatusForm.write(out, one.getValue(), minute);
      before = one.getKey();
    }
    return out.toBytes();
  }

  /** Drops what was read from memory. */
  void forget() {
    read.clear();
    readPage = -1;
  }

  /** Takes everything out of the state. */
  void clear(int pages) {
    for (int page = 0; page < pages; page++) {
      for (int slot = 0; slot < PageKey.DECISION_SLOTS; slot++) {
        store.removePage(PageKey.decisions(rule, slot, page));
      }
    }
  }
}
