package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.promql.domain.RangeFunctions;
import io.tidemark.platform.promql.domain.SeriesValues;
import io.tidemark.platform.promql.domain.StepTimes;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Makes the values of a series at each step from its buckets. */
final class StepWindows {

  private static final long MINUTE = 60_000;

  private final StepTimes times;
  private final SelectedMetric found;

  StepWindows(StepTimes times, SelectedMetric found) {
    this.times = times;
    this.found = found;
  }

  /** Takes what a window holds together. */
  interface Consumer {
    void take(int step, AggregateState figures);
  }

  /** Adds up each window that holds something. */
  void each(NavigableMap<Instant, AggregateState> buckets, Consumer consumer) {
    long[] ends = times.ends(found.window());
    AggregateState figures = null;
    for (int step = 0; step < ends.length; step++) {
      if (step == 0 || ends[step] != ends[step - 1]) {
        figures = null;
        for (AggregateState bucket : window(buckets, ends[step]).values()) {
          if (figures == null) {
            figures = new AggregateState();
          }
          figures.add(bucket);
        }
      }
      if (figures != null) {
        consumer.take(step, figures);
      }
    }
  }

  /** A reading stands at the end of its minute. */
  void readings(
      NavigableMap<Instant, AggregateState> buckets,
      ToDoubleFunction<AggregateState> value,
      double[] parameters,
      SeriesValues result) {
    long[] ends = times.ends(found.window());
    for (int step = 0; step < ends.length; step++) {
      NavigableMap<Instant, AggregateState> minutes = window(buckets, ends[step]);
      RangeFunctions.Samples samples =
          new RangeFunctions.Samples(
              minutes.keySet().stream().mapToLong(time -> time.toEpochMilli() + MINUTE).toArray(),
              minutes.values().stream().mapToDouble(value).toArray());
      OptionalDouble number =
          RangeFunctions.ofReadings(
              found.window().value(),
              samples,
              found.window().rounded(),
              parameters.length == 0 ? Double.NaN : parameters[step],
              times.times()[step]);
      if (number.isPresent()) {
        put(result, step, number.getAsDouble());
      }
    }
  }

  /** The last minute with data of each window. */
  void latest(
      NavigableMap<Instant, AggregateState> buckets,
      ToDoubleFunction<AggregateState> value,
      SeriesValues result) {
    long[] ends = times.ends(found.window());
    for (int step = 0; step < ends.length; step++) {
      var last = window(buckets, ends[step]).lastEntry();
      if (last != null) {
        put(result, step, value.applyAsDouble(last.getValue()));
      }
    }
  }

  /** What is no number stands for nothing. */
  static void put(SeriesValues result, int step, double value) {
    if (Double.isFinite(value)) {
      result.put(step, value);
    }
  }

  private NavigableMap<Instant, AggregateState> window(
      NavigableMap<Instant, AggregateState> buckets, long end) {
    return buckets.subMap(
        Instant.ofEpochMilli(end - found.window().length()),
        true,
        Instant.ofEpochMilli(end),
        false);
  }
}
