package io.tidemark.flink.rollup.cardinality;

import io.tidemark.flink.io.control.MetricRecord;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Active series of metrics as one subtask meets them. Fed by announcements, which every series in
 * use repeats once an hour, so points cost nothing. Small metrics have a number, large ones
 * sketches: memory follows the number of series.
 */
public final class MetricActivity {

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();
  private static final long TELL_MS = Duration.ofSeconds(10).toMillis();

  /** Labels measured; a metric with more is split by those. */
  private static final int MAX_LABELS = 64;

  private static final int MAX_METRICS = 100_000;

  private static final class Activity {
    final SeriesDescriptor first;
    boolean isChanged;
    final DistinctSketch series = DistinctSketch.empty();
    final Map<String, DistinctSketch> labels = new TreeMap<>();

    Activity(SeriesDescriptor first) {
      this.first = first;
    }
  }

  private final long measuredFrom;
  private final Map<String, Long> small = new HashMap<>();
  private final Map<String, Activity> large = new HashMap<>();
  private long hour = Long.MIN_VALUE;
  private long tellAt;

  /**
   * @param measuredFrom announcements within an hour from which on a metric gets sketches
   */
  public MetricActivity(long measuredFrom) {
    this.measuredFrom = measuredFrom;
  }

  public void announced(SeriesKey key, SeriesDescriptor series, long now) {
    long thisHour = Math.floorDiv(now, HOUR_MS);
    if (thisHour != hour) {
      hour = thisHour;
      small.clear();
      large.clear();
    }
    if (series.metric().length() > MetricRecord.LONGEST_NAME) {
      return;
    }
    String name =
        RouteInterval.metricKey(series.organizationId(), series.environmentId(), series.metric());
    Activity activity = large.get(name);
    if (activity == null) {
      if (small.size() >= MAX_METRICS) {
        // Metrics made up without end; none of them is large.
        small.clear();
      }
      if (small.merge(name, 1L, Long::sum) < measuredFrom) {
        return;
      }
      small.remove(name);
      activity = new Activity(series);
      large.put(name, activity);
    }
    activity.isChanged = true;
    activity.series.add(key.low());
    for (Map.Entry<String, String> label : series.attributes().entrySet()) {
      DistinctSketch values = activity.labels.get(label.getKey());
      if (values == null && activity.labels.size() < MAX_LABELS) {
        values = DistinctSketch.empty();
        activity.labels.put(label.getKey(), values);
      }
      if (values != null) {
        values.add(label.getValue());
      }
    }
  }

  /** What changed, every few seconds at most. */
  public List<MetricSketch> take(long now) {
    if (large.isEmpty() || now < tellAt) {
      return List.of();
    }
    tellAt = now + TELL_MS;
    List<MetricSketch> told = new ArrayList<>();
    large.forEach(
        (name, activity) -> {
          if (activity.isChanged) {
            activity.isChanged = false;
            told.add(sketch(name, activity));
          }
        });
    return told;
  }

  private static MetricSketch sketch(String name, Activity activity) {
    SeriesDescriptor metric = activity.first;
    return new MetricSketch(
        name,
        metric.organizationId(),
        metric.environmentId(),
        metric.metric(),
        activity.series.bytes(),
        activity.labels.keySet().toArray(String[]::new),
        activity.labels.values().stream().map(DistinctSketch::bytes).toArray(byte[][]::new));
  }
}
