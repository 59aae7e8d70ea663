package io.tidemark.flink.model.route;

import io.tidemark.flink.model.rollup.MinuteGrid;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a metric that nobody declared is split, by which labels, and from which minute on.
 *
 * @param promoteFrom active series from which on a metric is split
 * @param demoteBelow active series below which it is ordinary again; well below the former, so that
 *     a metric between the two stays as it is
 * @param quietHours how many whole hours in a row it has to be below
 * @param manyValues values of one label from which on it is summed away
 * @param lead how far ahead of the clock a change begins. Longer than the news takes to every
 *     subtask: minutes ahead of the clock are not emitted, so all of them switch at one minute
 */
public record SplitRule(
    long promoteFrom, long demoteBelow, int quietHours, long manyValues, Duration lead)
    implements Serializable {

  public static final SplitRule DEFAULT =
      new SplitRule(20_000, 10_000, 2, 100, Duration.ofMinutes(10));

  /** Nothing is split by measure. */
  public static final SplitRule NEVER =
      new SplitRule(Long.MAX_VALUE, Long.MAX_VALUE, 1, Long.MAX_VALUE, Duration.ZERO);

  /** Series of a metric from which on it is worth measuring. */
  public long measuredFrom() {
    return Math.max(1, demoteBelow / 8);
  }

  /**
   * The labels to sum away: all with many values; if none has, the one with most, if it has more
   * than one. Sorted; null when summing away saves nothing, as when resources make the series.
   */
  public String @Nullable [] labels(Map<String, Long> distinctValues) {
    List<String> many = new ArrayList<>();
    String most = null;
    for (Map.Entry<String, Long> label : distinctValues.entrySet()) {
      if (label.getValue() >= manyValues) {
        many.add(label.getKey());
      }
      if (label.getValue() > 1 && (most == null || isBefore(label, most, distinctValues))) {
        most = label.getKey();
      }
    }
    if (many.isEmpty()) {
      return most == null ? null : new String[] {most};
    }
    Collections.sort(many);
    return many.toArray(String[]::new);
  }

  /** The first minute of a change that is decided now. */
  public long begins(long now, long watermark) {
    long latest = Math.max(now, watermark) + lead.toMillis();
    return Math.floorDiv(latest, MinuteGrid.MINUTE_MS) * MinuteGrid.MINUTE_MS
        + MinuteGrid.MINUTE_MS;
  }

  private static boolean isBefore(
      Map.Entry<String, Long> label, String other, Map<String, Long> distinctValues) {
    long more = label.getValue() - Objects.requireNonNull(distinctValues.get(other));
    return more > 0 || (more == 0 && label.getKey().compareTo(other) < 0);
  }
}
