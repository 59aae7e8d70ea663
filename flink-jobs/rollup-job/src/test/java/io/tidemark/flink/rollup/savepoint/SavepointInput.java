package io.tidemark.flink.rollup.savepoint;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the job reads before and after the savepoint, and what all its rows must add up to. Never
 * changed once a savepoint was taken with it.
 */
final class SavepointInput {

  private static final String[] TENANTS = {"org-a", "org-b"};
  private static final int SERIES = 16;

  private final List<PointsRecord> records = new ArrayList<>();
  private final Map<String, double[]> expected = new TreeMap<>();
  private int before;

  private SavepointInput() {}

  static SavepointInput make() {
    SavepointInput input = new SavepointInput();
    // Two complete minutes, one open one, all in an open hour and day; late points of old hours.
    input.values("12:00:10", 1);
    input.values("12:01:10", 2);
    input.histograms("12:01:20", 3);
    input.total("12:00:30", 40);
    input.values("12:02:10", 4);
    input.histograms("12:02:20", 5);
    input.total("12:02:30", 100);
    input.before = input.records.size();
    // The open minute goes on; the running total goes on from what is remembered.
    input.values("12:02:40", 6);
    input.histograms("12:02:50", 7);
    input.values("08:15:00", 8);
    input.values("12:03:10", 9);
    input.values("13:00:10", 10);
    return input;
  }

  List<PointsRecord> records() {
    return records;
  }

  /** How many of the records were read before the savepoint. */
  int before() {
    return before;
  }

  /** Level, window, tenant and metric to sum and count. */
  Map<String, String> expected() {
    Map<String, String> text = new TreeMap<>();
    expected.forEach((key, figures) -> text.put(key, figures[0] + "/" + (long) figures[1]));
    return text;
  }

  static String key(String level, long window, String tenant, String metric) {
    return level + " " + window + " " + tenant + " " + metric;
  }

  private void values(String time, double value) {
    for (String tenant : TENANTS) {
      TestBatch batch = new TestBatch();
      // Its label is beyond every budget, so it is in an overflow series.
      batch.add(
          Metric.newBuilder()
              .setName("wide")
              .setGauge(
                  Gauge.newBuilder()
                      .addDataPoints(
                          TestBatch.number(time, value)
                              .addAttributes(TestBatch.attribute("text", "x".repeat(1_100))))));
      expect(tenant, "wide", time, value, 1);
      for (int series = 0; series < SERIES; series++) {
        batch.gauge("cpu-" + series, time, value + series);
        batch.delta("orders-" + series, time, value * series);
        expect(tenant, "cpu-" + series, time, value + series, 1);
        expect(tenant, "orders-" + series, time, value * series, 1);
      }
      add(batch, tenant, time);
    }
  }

  private void histograms(String time, int count) {
    for (String tenant : TENANTS) {
      TestBatch batch = new TestBatch();
      batch.add(
          Metric.newBuilder()
              .setName("latency")
              .setHistogram(
                  Histogram.newBuilder()
                      .setAggregationTemporality(
                          AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                      .addDataPoints(
                          HistogramDataPoint.newBuilder()
                              .setTimeUnixNano(TestTime.nanosAt(time))
                              .setCount(count + 1L)
                              .setSum(count * 0.5 + 20)
                              .addExplicitBounds(1)
                              .addExplicitBounds(10)
                              .addBucketCounts(count)
                              .addBucketCounts(0)
                              .addBucketCounts(1))));
      expect(tenant, "latency", time, count * 0.5 + 20, count + 1L);
      add(batch, tenant, time);
    }
  }

  private void total(String time, double total) {
    for (String tenant : TENANTS) {
      add(new TestBatch().cumulative("bytes", "11:59:00", time, total), tenant, time);
    }
  }

  private void expect(String tenant, String metric, String time, double sum, long count) {
    for (RollupLevel level : RollupLevel.values()) {
      String key = key(level.name(), level.windowOf(TestTime.at(time)), tenant, metric);
      double[] figures = expected.computeIfAbsent(key, ignored -> new double[2]);
      figures[0] += sum;
      figures[1] += count;
    }
  }

  private void add(TestBatch batch, String tenant, String time) {
    String received = time.compareTo("12:00:00") < 0 ? "12:02:55" : time;
    records.add(batch.received(tenant, records.size(), received));
  }
}
