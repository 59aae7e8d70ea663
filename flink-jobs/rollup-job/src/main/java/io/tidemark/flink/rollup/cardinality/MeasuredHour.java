package io.tidemark.flink.rollup.cardinality;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What all subtasks met of one metric in this hour and the one before. State of the rollup job.
 *
 * @param hour number of this hour since the Unix epoch
 * @param current sketch of the series of this hour
 * @param previous of the hour before
 * @param labels names of point attributes met in either
 * @param values sketches of their values, in the same order
 * @param quietHours whole hours in a row with few series
 */
@SuppressWarnings("ArrayRecordComponent") // State; never compared.
public record MeasuredHour(
    long hour, byte[] current, byte[] previous, String[] labels, byte[][] values, int quietHours) {

  private static final byte[] NOTHING = new byte[0];

  public static MeasuredHour orNew(@Nullable MeasuredHour known, long hour) {
    return known != null
        ? known
        : new MeasuredHour(hour, NOTHING, NOTHING, new String[0], new byte[0][], 0);
  }

  public boolean isEmpty() {
    return current.length == 0 && previous.length == 0;
  }

  public MeasuredHour plus(MetricSketch sketch) {
    Map<String, DistinctSketch> merged = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      merged.put(labels[i], DistinctSketch.of(values[i]));
    }
    for (int i = 0; i < sketch.labels().length; i++) {
      merged
          .computeIfAbsent(sketch.labels()[i], name -> DistinctSketch.empty())
          .merge(DistinctSketch.of(sketch.values()[i]));
    }
    return new MeasuredHour(
        hour,
        DistinctSketch.of(current).merge(DistinctSketch.of(sketch.series())).bytes(),
        previous,
        merged.keySet().toArray(String[]::new),
        merged.values().stream().map(DistinctSketch::bytes).toArray(byte[][]::new),
        quietHours);
  }

  /**
   * The hours after so many have ended.
   *
   * @param demoteBelow fewer series than this make a quiet hour
   */
  public MeasuredHour turned(long nowHour, long demoteBelow) {
    if (nowHour <= hour) {
      return this;
    }
    boolean isQuiet = current.length == 0 || DistinctSketch.of(current).estimate() < demoteBelow;
    boolean isSilent = current.length == 0;
    return new MeasuredHour(
        nowHour,
        NOTHING,
        nowHour == hour + 1 ? current : NOTHING,
        isSilent ? new String[0] : labels,
        isSilent ? new byte[0][] : values,
        isQuiet ? quietHours + 1 : 0);
  }

  /** Estimate over both hours: a series in use is met once in any hour. */
  public long activeSeries() {
    return DistinctSketch.of(current).merge(DistinctSketch.of(previous)).estimate();
  }

  public Map<String, Long> distinctValues() {
    Map<String, Long> distinct = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      distinct.put(labels[i], DistinctSketch.of(values[i]).estimate());
    }
    return distinct;
  }
}
