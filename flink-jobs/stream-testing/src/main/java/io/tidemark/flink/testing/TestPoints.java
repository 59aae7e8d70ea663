package io.tidemark.flink.testing;

import static io.tidemark.flink.testing.TestTime.nanosAt;

import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.Map;

/** Decoded points of one test series each; every point has its own position. */
public final class TestPoints {

  public static final SeriesDescriptor CPU = series("cpu", MetricKind.GAUGE);
  public static final SeriesDescriptor REQUESTS = series("requests", MetricKind.COUNTER);

  private int next;

  public static SeriesDescriptor series(String metric, MetricKind kind) {
    return new SeriesDescriptor(
        "org-a", "env-a", metric, kind, "1", Map.of("service.name", "shop"), Map.of("zone", "1"));
  }

  public MetricPoint value(SeriesDescriptor series, String time, double value) {
    return point(series, time, Contribution.ofValue(value), null);
  }

  public MetricPoint total(SeriesDescriptor series, String start, String time, double total) {
    CumulativeReading reading =
        new CumulativeReading(nanosAt(start), total, 0, "batch", TestTime.at(time));
    return point(series, time, null, reading);
  }

  private MetricPoint point(
      SeriesDescriptor series,
      String time,
      @org.jspecify.annotations.Nullable Contribution contribution,
      @org.jspecify.annotations.Nullable CumulativeReading reading) {
    return new MetricPoint(
        SeriesKey.of(series),
        series,
        nanosAt(time),
        new SourcePosition(0, next++, 0),
        contribution,
        reading);
  }
}
