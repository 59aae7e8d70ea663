package io.tidemark.flink.io.points.fastdecode;

import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small number for every series met since the start, so that figures lie in plain arrays. */
public final class SeriesIndex {

  private final Map<SeriesKey, Integer> slots = new HashMap<>();
  private final List<SeriesKey> keys = new ArrayList<>();
  private final List<SeriesDescriptor> descriptors = new ArrayList<>();
  private long characters;
  private final SharedLabels shared = new SharedLabels();

  public int size() {
    return keys.size();
  }

  public SeriesKey key(int slot) {
    return keys.get(slot);
  }

  public SeriesDescriptor descriptor(int slot) {
    return descriptors.get(slot);
  }

  /** Characters of all names and labels. */
  long characters() {
    return characters;
  }

  /** The slot of a series, a new one if it has none. */
  public int slotOf(SeriesKey key, SeriesDescriptor descriptor) {
    Integer known = slots.putIfAbsent(key, keys.size());
    if (known != null) {
      return known;
    }
    keys.add(key);
    characters += characters(descriptor.resource()) + characters(descriptor.attributes());
    characters += descriptor.metric().length() + descriptor.unit().length();
    descriptors.add(shared.in(descriptor));
    return keys.size() - 1;
  }

  /** Forgets every series; slots given out before mean nothing any more. */
  public void clear() {
    slots.clear();
    keys.clear();
    descriptors.clear();
    shared.clear();
    characters = 0;
  }

  private static long characters(Map<String, String> labels) {
    long characters = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      characters += label.getKey().length() + label.getValue().length();
    }
    return characters;
  }
}
