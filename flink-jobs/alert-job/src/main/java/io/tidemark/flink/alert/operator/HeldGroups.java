package io.tidemark.flink.alert.operator;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a subtask that have room in memory. They are decided without a timer and read from
 * the state once; those that find no room are read and written each time.
 *
 * <p>Groups that are there stay, whoever comes: all are decided in turn, and of a memory that drops
 * the oldest first none would ever be found in it.
 */
final class HeldGroups {

  private final Map<String, HeldGroup> groups = new LinkedHashMap<>();
  private final List<HeldGroup> changed = new ArrayList<>();
  private final long mostBytes;
  private long bytes;

  /**
   * @param mostBytes an estimate
   */
  HeldGroups(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Nullable HeldGroup find(String key) {
    return groups.get(key);
  }

  /**
   * Holds a group that was read or changed.
   *
   * @return false when there is no room for it: then it has to be written at once
   */
  boolean hold(HeldGroup group) {
    if (!groups.containsKey(group.key())) {
      if (bytes >= mostBytes) {
        return false;
      }
      groups.put(group.key(), group);
    }
    if (!group.isListed()) {
      group.setListed(true);
      changed.add(group);
    }
    bytes += group.grown();
    return true;
  }

  void remove(HeldGroup group) {
    if (groups.remove(group.key()) != null) {
      bytes -= group.bytes();
    }
  }

  /** Groups that are to be decided at a watermark; they may be removed meanwhile. */
  List<HeldGroup> due(long watermark) {
    List<HeldGroup> due = new ArrayList<>();
    for (HeldGroup group : groups.values()) {
      if (group.dueAt() <= watermark) {
        due.add(group);
      }
    }
    return due;
  }

  /**
   * Writes what the state does not have.
   *
   * @param select makes a key the current one
   */
  void write(Consumer<String> select) {
    for (HeldGroup group : changed) {
      group.setListed(false);
      // One that was removed has nothing to write.
      if (groups.get(group.key()) == group) {
        select.accept(group.key());
        group.write();
        bytes += group.grown();
      }
    }
    changed.clear();
  }

  /** Whether less has to be held. */
  boolean isTooMuch() {
    return bytes > mostBytes;
  }

  /**
   * Writes all, drops minutes, and if that is not enough groups too.
   *
   * @param select makes a key the current one
   * @param dropped gets groups that are not held any more, each with its key being the current one
   */
  void reduce(Consumer<String> select, Consumer<HeldGroup> dropped) {
    write(select);
    for (HeldGroup group : groups.values()) {
      group.shrink();
      bytes += group.grown();
    }
    Iterator<HeldGroup> eldest = groups.values().iterator();
    // Some room, so that the next row does not begin again.
    while (bytes > mostBytes - mostBytes / 8 && eldest.hasNext()) {
      HeldGroup group = eldest.next();
      eldest.remove();
      bytes -= group.bytes();
      select.accept(group.key());
      dropped.accept(group);
    }
  }

  int size() {
    return groups.size();
  }

  long bytes() {
    return bytes;
  }
}
