package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;

/**
 * All kinds of points, one metric of them split, through all operators with keyed state; a day and
 * a bit later none of it is kept anywhere, and of the split nothing when its route is forgotten.
 */
class NothingLeftTest {

  private static final int KEY_GROUPS = 128;
  private static final int TENANTS = 5;
  private static final RouteInterval SPLIT =
      new RouteInterval(
          "org-1",
          "env-a",
          "cpu-3",
          new String[] {"zone"},
          at("12:00:00"),
          at("12:05:00"),
          RouteInterval.Why.DECLARED,
          0);

  @Test
  void stateAndTimersAreReleased() throws Exception {
    RollupRules rules = RollupRules.DEFAULT.withLiveCells(1_000);
    RollupOperator panes =
        new RollupOperator(rules.panes(), KEY_GROUPS, "points")
            .withLiveCells(rules.liveCellsPerSecond());
    RollupOperator reducedPanes = RollupOperator.ofReduced(rules.panes(), KEY_GROUPS, "points");
    try (var once =
            new KeyedTwoInputStreamOperatorTestHarness<
                String, PointsRecord, ControlRecord, AdmittedBatch>(
                new CoBroadcastWithKeyedOperator<>(
                    new AdmitBatches(rules.resends(), rules.admission()),
                    List.of(AdmitBatches.TENANTS)),
                AdmitBatches::batchKey,
                null,
                Types.STRING);
        var combine =
            new OneInputStreamOperatorTestHarness<AdmittedBatch, byte[]>(
                new CombineOperator(
                    rules.pointTimes(), rules.outOfOrderness(), rules.longestWait(), KEY_GROUPS));
        var rollUp =
            new KeyedOneInputStreamOperatorTestHarness<>(
                panes, new BundleKeySelector(KEY_GROUPS), Types.INT, KEY_GROUPS, 1, 0);
        var rollUpReduced =
            new KeyedOneInputStreamOperatorTestHarness<>(
                reducedPanes, new BundleKeySelector(KEY_GROUPS), Types.INT, KEY_GROUPS, 1, 0)) {
      List<AbstractStreamOperatorTestHarness<?>> all =
          List.of(once, combine, rollUp, rollUpReduced);
      for (AbstractStreamOperatorTestHarness<?> operator : all) {
        operator.open();
        operator.setProcessingTime(at("12:00:05"));
      }
      new RouteBroadcaster(KEY_GROUPS).flatMap(SPLIT, new SendTo(rollUp));
      for (PointsRecord record : input()) {
        once.processElement1(new StreamRecord<>(record));
      }
      once.processBothWatermarks(new Watermark(at("12:01:30")));
      for (AdmittedBatch record : once.extractOutputValues()) {
        combine.processElement(new StreamRecord<>(record));
      }
      combine.processWatermark(at("12:01:30"));
      for (byte[] bundle : combine.extractOutputValues()) {
        rollUp.processElement(new StreamRecord<>(bundle));
      }
      rollUp.processWatermark(at("12:01:30"));
      send(rollUp, rollUpReduced, 0);
      int before = size(rollUp);
      for (AbstractStreamOperatorTestHarness<?> operator : all) {
        operator.snapshot(1, 1);
      }
      assertTrue(once.numKeyedStateEntries() > TENANTS, "receipts");
      assertTrue(rollUp.numKeyedStateEntries() > TENANTS, "chunks");
      assertTrue(rollUpReduced.numKeyedStateEntries() > 0, "chunks of reduced series");

      // The next day begins, and passes by.
      long end = at("23:59:59") + 5_000;
      once.processBothWatermarks(new Watermark(end));
      rollUp.processWatermark(end);
      send(rollUp, rollUpReduced, before);
      rollUpReduced.processWatermark(end);
      for (int hours = 0; hours <= 27; hours++) {
        for (AbstractStreamOperatorTestHarness<?> operator : all) {
          operator.setProcessingTime(at("12:00:05") + hours * 3_600_000L);
        }
      }
      for (AbstractStreamOperatorTestHarness<?> operator : all) {
        operator.snapshot(2, 2);
      }
      assertTrue(panes.isEmpty() && reducedPanes.isEmpty(), "panes or series");
      assertEquals(0, once.numKeyedStateEntries(), "receipts");
      assertEquals(KEY_GROUPS, rollUp.numKeyedStateEntries(), "nothing but the route");
      assertEquals(0, rollUpReduced.numKeyedStateEntries(), "chunks of reduced series");

      rollUp.setProcessingTime(SPLIT.validTo() + Routes.REMEMBERED.toMillis() + 1_000);
      rollUp.snapshot(3, 3);
      assertEquals(0, rollUp.numKeyedStateEntries(), "routes");
      for (AbstractStreamOperatorTestHarness<?> keyed : List.of(once, rollUp, rollUpReduced)) {
        assertEquals(0, keyed.numEventTimeTimers(), "event-time timers");
        assertEquals(0, keyed.numProcessingTimeTimers(), "processing-time timers");
      }
    }
  }

  /** What the first panes have sent to the second, from a place on. */
  private static void send(
      KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> from,
      KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> to,
      int place)
      throws Exception {
    for (StreamRecord<byte[]> bundle :
        List.copyOf(from.getSideOutput(RollupOperator.REDUCED)).subList(place, size(from))) {
      to.processElement(bundle);
    }
  }

  private static int size(KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> from) {
    return from.getSideOutput(RollupOperator.REDUCED).size();
  }

  private record SendTo(KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> operator)
      implements Collector<byte[]> {
    @Override
    public void collect(byte[] bundle) {
      try {
        operator.processElement(new StreamRecord<>(bundle));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {}
  }

  private static List<PointsRecord> input() {
    List<PointsRecord> records = new ArrayList<>();
    for (int tenant = 0; tenant < TENANTS; tenant++) {
      String organization = "org-" + tenant;
      for (String time : new String[] {"12:00:10", "12:01:10", "11:59:00", "03:20:00"}) {
        TestBatch batch = new TestBatch();
        batch.add(wide(time));
        for (int series = 0; series < 20; series++) {
          batch.gauge("cpu-" + series, time, series).delta("orders-" + series, time, series);
        }
        batch.cumulative("bytes", "03:00:00", time, 40).add(histogram(time));
        records.add(batch.received(organization, records.size(), "12:01:20"));
        records.add(batch.received(organization, records.size(), "12:01:21"));
      }
      records.add(
          new TestBatch()
              .gauge("ahead", "12:10:00", 1)
              .gauge("too-far-ahead", "14:00:00", 1)
              .received(organization, records.size(), "12:01:22"));
      records.add(TestBatch.record(organization, records.size(), "12:01:23", new byte[] {1, 2, 3}));
    }
    return records;
  }

  /** A label beyond every budget: the point goes into an overflow series. */
  private static Metric.Builder wide(String time) {
    return Metric.newBuilder()
        .setName("wide")
        .setGauge(
            Gauge.newBuilder()
                .addDataPoints(
                    TestBatch.number(time, 1)
                        .addAttributes(TestBatch.attribute("text", "x".repeat(1_100)))));
  }

  private static Metric.Builder histogram(String time) {
    return Metric.newBuilder()
        .setName("latency")
        .setHistogram(
            Histogram.newBuilder()
                .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
                .addDataPoints(
                    HistogramDataPoint.newBuilder()
                        .setTimeUnixNano(TestTime.nanosAt(time))
                        .setCount(3)
                        .setSum(12)
                        .addExplicitBounds(1)
                        .addBucketCounts(2)
                        .addBucketCounts(1)));
  }
}
