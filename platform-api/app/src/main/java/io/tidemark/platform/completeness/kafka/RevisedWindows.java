package io.tidemark.platform.completeness.kafka;

import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Late rows of a tenant and level, by window and metric. Bounded: of the oldest windows the metrics
 * are forgotten first, which then count as revised for any, and in the end the windows. One writer.
 */
final class RevisedWindows {

  /** Stands for any metrics, as in the records. */
  static final String ANY = "";

  private final int most;
  private final ConcurrentSkipListMap<Long, Map<String, Long>> windows =
      new ConcurrentSkipListMap<>();
  private long anyBefore = Long.MIN_VALUE;
  private int entries;

  /**
   * None yet.
   *
   * @param most pairs of window and metric that are remembered
   */
  RevisedWindows(int most) {
    this.most = most;
  }

  NavigableMap<Long, Map<String, Long>> rows() {
    return windows;
  }

  /** Pairs of window and metric that are remembered. */
  int size() {
    return entries;
  }

  void add(long window, String metric, long rows) {
    Map<String, Long> metrics =
        windows.computeIfAbsent(window, ignored -> new ConcurrentHashMap<>());
    String name = window < anyBefore ? ANY : metric;
    if (!metrics.containsKey(name)) {
      entries++;
    }
    metrics.merge(name, rows, Long::sum);
    shrinkTo(most);
  }

  /** Forgets, the oldest first, until no more pairs are left than that. */
  void shrinkTo(int pairs) {
    while (entries > pairs) {
      shrink();
    }
  }

  private void shrink() {
    Map.Entry<Long, Map<String, Long>> named = windows.ceilingEntry(anyBefore);
    if (named == null) {
      entries -= windows.pollFirstEntry().getValue().size();
      return;
    }
    anyBefore = named.getKey() + 1;
    Map<String, Long> metrics = named.getValue();
    if (metrics.size() > 1) {
      Map<String, Long> any = new ConcurrentHashMap<>();
      any.put(ANY, metrics.values().stream().mapToLong(Long::longValue).sum());
      windows.put(named.getKey(), any);
      entries -= metrics.size() - 1;
    }
  }
}
