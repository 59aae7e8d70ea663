package io.tidemark.flink.lake;

import static io.tidemark.flink.testing.TestTime.nanosAt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint.Buckets;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Summary;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint.ValueAtQuantile;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.lake.rows.PointRows;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.testing.TestBatch;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every kind of point becomes in the columns of {@code raw_points}. */
class RawPointColumnsTest {

  private static final List<String> OBSERVED =
      List.of(
          "count",
          "sum",
          "min",
          "max",
          "bucket_counts",
          "explicit_bounds",
          "scale",
          "zero_count",
          "zero_threshold",
          "positive_offset",
          "positive_counts",
          "negative_offset",
          "negative_counts",
          "quantiles",
          "quantile_values");

  @TempDir Path folder;

  @Test
  void histogramHasBucketsAndBounds() throws Exception {
    Record row =
        only(
            histogram(
                AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA,
                HistogramDataPoint.newBuilder()
                    .setStartTimeUnixNano(nanosAt("11:59:00") + 7)
                    .setTimeUnixNano(nanosAt("12:00:00") + 1_234)
                    .setCount(6)
                    .setSum(-2.5)
                    .setMin(-8)
                    .setMax(40.25)
                    .addAllBucketCounts(List.of(1L, 0L, 5L))
                    .addAllExplicitBounds(List.of(0.0, 10.5))));

    assertEquals("histogram", row.getField("metric_type"));
    assertEquals("delta", row.getField("temporality"));
    assertEquals(234, row.getField("event_time_nanos"));
    assertEquals(7, row.getField("start_time_nanos"));
    assertEquals(at(row, "start_time").plusMinutes(1).plusNanos(1_000), at(row, "event_time"));
    assertObserved(
        row,
        Map.of(
            "count",
            6L,
            "sum",
            -2.5,
            "min",
            -8.0,
            "max",
            40.25,
            "bucket_counts",
            List.of(1L, 0L, 5L),
            "explicit_bounds",
            List.of(0.0, 10.5)));
  }

  @Test
  void whatAHistogramDoesNotSayIsAbsent() throws Exception {
    Record row =
        only(
            histogram(
                AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
                HistogramDataPoint.newBuilder().setTimeUnixNano(nanosAt("12:00:00")).setCount(3)));

    assertEquals("cumulative", row.getField("temporality"));
    assertNull(row.getField("start_time"));
    assertNull(row.getField("start_time_nanos"));
    assertEquals(3L, row.getField("count"));
    for (String absent : List.of("sum", "min", "max", "scale", "quantiles")) {
      assertNull(row.getField(absent), absent);
    }
    assertNull(row.getField("value"));
  }

  @Test
  void exponentialHistogramHasBothSides() throws Exception {
    Record row =
        only(
            Metric.newBuilder()
                .setName("latency")
                .setExponentialHistogram(
                    ExponentialHistogram.newBuilder()
                        .setAggregationTemporality(
                            AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                        .addDataPoints(
                            ExponentialHistogramDataPoint.newBuilder()
                                .setStartTimeUnixNano(nanosAt("11:59:00"))
                                .setTimeUnixNano(nanosAt("12:00:00"))
                                .setCount(10)
                                .setSum(99.5)
                                .setScale(-3)
                                .setZeroCount(2)
                                .setZeroThreshold(1e-9)
                                .setPositive(
                                    Buckets.newBuilder()
                                        .setOffset(-2)
                                        .addAllBucketCounts(List.of(3L, 0L, 1L)))
                                .setNegative(
                                    Buckets.newBuilder()
                                        .setOffset(5)
                                        .addAllBucketCounts(List.of(4L))))));

    assertEquals("exponential_histogram", row.getField("metric_type"));
    assertObserved(
        row,
        Map.of(
            "count",
            10L,
            "sum",
            99.5,
            "scale",
            -3,
            "zero_count",
            2L,
            "zero_threshold",
            1e-9,
            "positive_offset",
            -2,
            "positive_counts",
            List.of(3L, 0L, 1L),
            "negative_offset",
            5,
            "negative_counts",
            List.of(4L)));
  }

  @Test
  void summaryHasQuantiles() throws Exception {
    Record row =
        only(
            Metric.newBuilder()
                .setName("latency")
                .setSummary(
                    Summary.newBuilder()
                        .addDataPoints(
                            SummaryDataPoint.newBuilder()
                                .setStartTimeUnixNano(nanosAt("11:59:00"))
                                .setTimeUnixNano(nanosAt("12:00:00"))
                                .setCount(4)
                                .setSum(10)
                                .addQuantileValues(quantile(0.5, 2))
                                .addQuantileValues(quantile(0.99, 7.5)))));

    assertEquals("summary", row.getField("metric_type"));
    assertObserved(
        row,
        Map.of(
            "count",
            4L,
            "sum",
            10.0,
            "quantiles",
            List.of(0.5, 0.99),
            "quantile_values",
            List.of(2.0, 7.5)));
  }

  /** Forms meet in one file: what one row has must not slip into another. */
  @Test
  void kindsBesideEachOtherKeepTheirColumns() throws Exception {
    List<Record> rows =
        rows(
            new TestBatch()
                .gauge("cpu", "12:00:00", 0.25)
                .add(
                    histogram(
                        AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA,
                        HistogramDataPoint.newBuilder()
                            .setTimeUnixNano(nanosAt("12:00:01"))
                            .setCount(1)
                            .setSum(5)))
                .cumulative("requests", "11:00:00", "12:00:02", 17)
                .received("org-a", 41, "12:00:03"));

    Map<Object, Record> byMetric = new HashMap<>();
    rows.forEach(row -> byMetric.put(row.getField("metric"), row));
    assertEquals(0.25, byMetric.get("cpu").getField("value"));
    assertEquals(17.0, byMetric.get("requests").getField("value"));
    assertEquals("instant", byMetric.get("cpu").getField("temporality"));
    assertEquals("cumulative", byMetric.get("requests").getField("temporality"));
    assertNull(byMetric.get("latency").getField("value"));
    assertEquals(5.0, byMetric.get("latency").getField("sum"));
    for (String number : List.of("cpu", "requests")) {
      for (String column : OBSERVED) {
        assertNull(byMetric.get(number).getField(column), number + " " + column);
      }
    }
    for (Record row : rows) {
      assertEquals(41L, row.getField("source_offset"));
    }
    assertEquals(
        List.of(0, 1, 2),
        rows.stream().map(row -> (Integer) row.getField("point_index")).sorted().toList());
  }

  @Test
  void integersKeepEveryDigit() throws Exception {
    long inexact = (1L << 53) + 1;
    List<Record> rows =
        rows(
            new TestBatch()
                .add(ints(7, inexact, -inexact, Long.MIN_VALUE))
                .gauge("real", "12:00:00", 7)
                .received("org-a", 1, "12:00:03"));

    Map<Object, Object> wholes = new HashMap<>();
    for (Record row : rows) {
      boolean isInt = row.getField("metric").equals("whole");
      assertEquals(isInt, row.getField("is_int"));
      if (isInt) {
        wholes.put(row.getField("value"), row.getField("value_int"));
      }
    }
    Map<Object, Object> expected = new HashMap<>();
    expected.put(7.0, null);
    expected.put((double) inexact, inexact);
    expected.put((double) -inexact, -inexact);
    expected.put((double) Long.MIN_VALUE, Long.MIN_VALUE);
    assertEquals(expected, wholes);
  }

  private static Metric.Builder ints(long... values) {
    Gauge.Builder gauge = Gauge.newBuilder();
    for (int i = 0; i < values.length; i++) {
      gauge.addDataPoints(
          NumberDataPoint.newBuilder()
              .setTimeUnixNano(nanosAt("12:00:00"))
              .setAsInt(values[i])
              .addAttributes(TestBatch.attribute("number", "" + i)));
    }
    return Metric.newBuilder().setName("whole").setGauge(gauge);
  }

  private static Metric.Builder histogram(
      AggregationTemporality temporality, HistogramDataPoint.Builder point) {
    return Metric.newBuilder()
        .setName("latency")
        .setHistogram(
            Histogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point));
  }

  private static ValueAtQuantile.Builder quantile(double quantile, double value) {
    return ValueAtQuantile.newBuilder().setQuantile(quantile).setValue(value);
  }

  private static OffsetDateTime at(Record row, String column) {
    return (OffsetDateTime) row.getField(column);
  }

  /** Exactly these columns of observations have a value, and no number. */
  private static void assertObserved(Record row, Map<String, Object> expected) {
    Map<String, Object> found = new HashMap<>();
    for (String column : OBSERVED) {
      Object value = row.getField(column);
      if (value != null) {
        found.put(column, value);
      }
    }
    assertEquals(expected, found);
    assertNull(row.getField("value"));
    assertNull(row.getField("value_int"));
    assertEquals(false, row.getField("is_int"));
  }

  private Record only(Metric.Builder metric) throws Exception {
    List<Record> rows = rows(new TestBatch().add(metric).received("org-a", 1, "12:00:03"));
    assertEquals(1, rows.size());
    return rows.get(0);
  }

  private List<Record> rows(PointsRecord... records) throws Exception {
    Schema schema = WrittenRows.schema("raw_points");
    PointRows buffer = new PointRows(schema, PointTimeLimits.DEFAULT, 16, 1_000);
    Arrays.stream(records).map(WrittenRows::admitted).forEach(buffer::add);
    assertEquals(0, buffer.takeTally().skipped());
    return new ArrayList<>(WrittenRows.of(buffer, schema, folder));
  }
}
