package io.tidemark.flink.alert.signal;

import io.tidemark.flink.alert.packed.PackedOutput;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals of a subtask that have room in memory. They are decided without a timer and read from
 * the state once; those that find no room are read and written each time.
 *
 * <p>Signals that are there stay, whoever comes: all are decided in turn, and of a memory that
 * drops the oldest first none would ever be found in it.
 */
public final class HeldSignals {

  private final Map<String, HeldSignal> signals = new LinkedHashMap<>();
  private final List<HeldSignal> changed = new ArrayList<>();
  private final PackedOutput out = new PackedOutput();
  private final long maxBytes;
  private long bytes;

  /**
   * @param maxBytes an estimate
   */
  public HeldSignals(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public @Nullable HeldSignal find(String key) {
    return signals.get(key);
  }

  /**
   * Holds a signal that was read or changed.
   *
   * @return false when there is no room for it: then it has to be written at once
   */
  public boolean hold(HeldSignal signal) {
    if (!signals.containsKey(signal.key())) {
      if (bytes >= maxBytes) {
        return false;
      }
      signals.put(signal.key(), signal);
    }
    if (!signal.isListed()) {
      signal.setListed(true);
      changed.add(signal);
    }
    bytes += signal.grown();
    return true;
  }

  public void remove(HeldSignal signal) {
    if (signals.remove(signal.key()) != null) {
      bytes -= signal.bytes();
    }
  }

  /** Signals that are to be decided at a watermark; they may be removed meanwhile. */
  public List<HeldSignal> due(long watermark) {
    List<HeldSignal> due = new ArrayList<>();
    for (HeldSignal signal : signals.values()) {
      if (signal.dueAt() <= watermark) {
        due.add(signal);
      }
    }
    return due;
  }

  /**
   * Writes what the state does not have.
   *
   * @param select makes a key the current one
   */
  public void write(Consumer<String> select) {
    for (HeldSignal signal : changed) {
      signal.setListed(false);
      // One that was removed has nothing to write.
      if (signals.get(signal.key()) == signal) {
        select.accept(signal.key());
        signal.write(out);
        bytes += signal.grown();
      }
    }
    changed.clear();
  }

  /** Writes one that found no room. */
  public void write(HeldSignal signal) {
    signal.write(out);
  }

  /** Whether less has to be held. */
  public boolean isTooMuch() {
    return bytes > maxBytes;
  }

  /**
   * Writes all, drops minutes, and if that is not enough signals too.
   *
   * @param select makes a key the current one
   * @param dropped gets signals that are not held any more, each with its key being the current one
   */
  public void reduce(Consumer<String> select, Consumer<HeldSignal> dropped) {
    write(select);
    for (HeldSignal signal : signals.values()) {
      signal.shrink(out);
      bytes += signal.grown();
    }
    Iterator<HeldSignal> eldest = signals.values().iterator();
    // Some room, so that the next row does not begin again.
    while (bytes > maxBytes - maxBytes / 8 && eldest.hasNext()) {
      HeldSignal signal = eldest.next();
      eldest.remove();
      bytes -= signal.bytes();
      select.accept(signal.key());
      dropped.accept(signal);
    }
  }

  public int size() {
    return signals.size();
  }

  long bytes() {
    return bytes;
  }
}
