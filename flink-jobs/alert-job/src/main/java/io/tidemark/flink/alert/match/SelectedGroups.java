package io.tidemark.flink.alert.match;

import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The groups of a selection that are known, and those that rows were added to. */
final class SelectedGroups {

  /** A record is not longer than this and one group more. */
  private static final int MAX_BYTES = 64 << 10;

  private final RowSelection selection;
  private final Map<String, MatchedGroup> groups = new HashMap<>();
  private final List<MatchedGroup> open = new ArrayList<>();

  SelectedGroups(RowSelection selection) {
    this.selection = selection;
  }

  Map<String, MatchedGroup> groups() {
    return groups;
  }

  /**
   * Takes a group that gets its first row.
   *
   * @return whether it is the first group
   */
  boolean open(MatchedGroup group) {
    open.add(group);
    return open.size() == 1;
  }

  /**
   * Gives what was added to each signal, and is empty. Earlier minutes come first: a group begins
   * with the first minute that is heard of it.
   */
  void handOn(Consumer<SignalMinute> out, PackedOutput packed) {
    long first = open.get(0).minute();
    if (open.stream().allMatch(group -> group.isOf(first))) {
      handOn(first, out, packed);
    } else {
      TreeSet<Long> minutes = new TreeSet<>();
      open.forEach(group -> group.minutes(minutes::add));
      minutes.forEach(minute -> handOn(minute, out, packed));
    }
    open.forEach(MatchedGroup::empty);
    open.clear();
  }

  private void handOn(long minute, Consumer<SignalMinute> out, PackedOutput packed) {
    packed.clear();
    for (MatchedGroup group : open) {
      MinuteTotals totals = group.totals(minute);
      if (totals != null) {
        PackedGroups.append(packed, group.labels(), totals, minute);
        if (packed.size() > MAX_BYTES) {
          send(minute, out, packed);
        }
      }
    }
    if (packed.size() > 0) {
      send(minute, out, packed);
    }
  }

  private void send(long minute, Consumer<SignalMinute> out, PackedOutput packed) {
    byte[] bytes = packed.toBytes();
    packed.clear();
    selection.wanting(
        minute, signal -> out.accept(signal.minute(minute, bytes, SignalMinute.ROWS)));
  }
}
