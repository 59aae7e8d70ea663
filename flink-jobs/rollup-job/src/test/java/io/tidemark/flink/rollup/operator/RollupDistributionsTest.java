package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.rollup.operator.RollupHarness.KEY_GROUPS;
import static io.tidemark.flink.rollup.operator.RollupHarness.send;
import static io.tidemark.flink.testing.TestTime.at;
import static io.tidemark.flink.testing.TestTime.nanosAt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.testing.TestPoints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** Distributions in the operator's state: kept over restarts, moved by rescaling, in every row. */
class RollupDistributionsTest {

  private static final String CLOCK = "12:00:10";
  private static final SeriesDescriptor LATENCY =
      TestPoints.series("latency", MetricKind.HISTOGRAM);
  private static final SeriesDescriptor SIZE =
      TestPoints.series("size", MetricKind.EXPONENTIAL_HISTOGRAM);

  private int next;

  @Test
  void distributionsSurviveARestartOnRocksDb() throws Exception {
    OperatorSubtaskState snapshot;
    try (var before = RollupHarness.of(1, 0)) {
      before.setStateBackend(new EmbeddedRocksDBStateBackend());
      before.open();
      before.setProcessingTime(at(CLOCK));
      send(before, delta(LATENCY, "12:00:05", of(1030, 2, 1031, 1)));
      send(before, total("11:59:50", "12:00:00", of(7, 1)));
      send(before, total("11:59:50", "12:00:20", of(7, 1, 9, 4)));
      before.processWatermark(at("12:00:30"));
      snapshot = before.snapshot(1, 1);
    }
    try (var after = RollupHarness.of(1, 0)) {
      after.setStateBackend(new EmbeddedRocksDBStateBackend());
      after.setProcessingTime(at(CLOCK));
      after.initializeState(snapshot);
      after.open();
      send(after, delta(LATENCY, "12:00:40", of(-3, 1, 1030, 5)));
      after.processWatermark(at("12:01:05"));
      assertEquals(
          Map.of("latency 12:00", "3|-3:1|1030:7,1", "size 12:00", "3|7:1|9:4"), rows(after));

      // 5 so far, 3 of them after the last used reading; then a late one between the two.
      send(after, total("11:59:50", "12:02:00", of(7, 1, 9, 7)));
      after.processWatermark(at("12:03:05"));
      snapshot = after.snapshot(2, 2);
    }
    try (var last = RollupHarness.of(1, 0)) {
      last.setStateBackend(new EmbeddedRocksDBStateBackend());
      last.setProcessingTime(at(CLOCK));
      last.initializeState(snapshot);
      last.open();
      last.processWatermark(at("12:03:05"));
      send(last, total("11:59:50", "12:01:00", of(7, 1, 9, 6)));
      last.setProcessingTime(at(CLOCK) + 7_000);
      last.setProcessingTime(at(CLOCK) + 14_000);
      assertEquals(Map.of("size 12:01", "3|9:2", "size 12:02", "3|9:-2"), rows(last));
    }
  }

  @Test
  void distributionsFollowTheirKeyGroupsWhenRescaled() throws Exception {
    OperatorSubtaskState snapshot;
    try (var whole = RollupHarness.of(1, 0)) {
      whole.open();
      whole.setProcessingTime(at(CLOCK));
      for (int i = 0; i < 100; i++) {
        SeriesDescriptor series = TestPoints.series("latency-" + i, MetricKind.HISTOGRAM);
        send(whole, delta(series, "12:00:05", of(i, 1, 1000 + i, 2)));
        send(whole, delta(series, "12:00:06", of(i, 1, i + 1, i + 1)));
      }
      snapshot = whole.snapshot(1, 1);
    }
    Map<String, String> all = new TreeMap<>();
    for (int subtask = 0; subtask < 3; subtask++) {
      try (var part = RollupHarness.of(3, subtask)) {
        part.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                snapshot, KEY_GROUPS, 1, 3, subtask));
        part.open();
        part.processWatermark(at("12:01:05"));
        Map<String, String> rows = rows(part);
        assertTrue(rows.size() > 15, "every subtask has its part");
        all.putAll(rows);
      }
    }
    assertEquals(100, all.size());
    for (int i = 0; i < 100; i++) {
      assertEquals(
          "3|%d:2,%d|%d:2".formatted(i, i + 1, 1000 + i), all.get("latency-" + i + " 12:00"));
    }
  }

  private MetricPoint delta(SeriesDescriptor series, String time, Distribution distribution) {
    Contribution contribution =
        Contribution.ofObservations(total(distribution), 1, Double.NaN, Double.NaN);
    return point(series, time, contribution.with(distribution), null);
  }

  private MetricPoint total(String start, String time, Distribution distribution) {
    return point(
        SIZE,
        time,
        null,
        new CumulativeReading(
            nanosAt(start),
            1,
            total(distribution),
            distribution,
            BucketLayout.ofScale(BucketGrid.SCALE),
            "batch",
            at(time)));
  }

  private MetricPoint point(
      SeriesDescriptor series, String time, Contribution contribution, CumulativeReading reading) {
    return new MetricPoint(
        SeriesKey.of(series),
        series,
        nanosAt(time),
        new SourcePosition(0, next++, 0),
        contribution,
        reading);
  }

  /** Distribution of every minute's row; their windows have one row each. */
  private static Map<String, String> rows(
      KeyedOneInputStreamOperatorTestHarness<Integer, byte[], byte[]> harness) throws Exception {
    Map<String, String> rows = new TreeMap<>();
    List<byte[]> bundles = new ArrayList<>(harness.extractOutputValues());
    for (JsonNode row : RowsOfBundles.rows(bundles)) {
      String name =
          "%s %tR"
              .formatted(
                  row.get("metric").asText(),
                  java.time.Instant.ofEpochMilli(row.get("timestamp").longValue())
                      .atZone(java.time.ZoneOffset.UTC));
      String before = rows.put(name, row.path("distribution").asText("none"));
      assertEquals(null, before, name);
    }
    return rows;
  }

  private static long total(Distribution distribution) {
    long total = 0;
    for (int i = 0; i < distribution.size(); i++) {
      total += distribution.count(i);
    }
    return total;
  }

  private static Distribution of(int... bucketsAndCounts) {
    Distribution distribution = new Distribution();
    for (int i = 0; i < bucketsAndCounts.length; i += 2) {
      distribution.append(bucketsAndCounts[i], bucketsAndCounts[i + 1]);
    }
    return distribution;
  }
}
