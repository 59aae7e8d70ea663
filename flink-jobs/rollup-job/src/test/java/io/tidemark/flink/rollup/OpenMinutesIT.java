package io.tidemark.flink.rollup;

import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE;
import static io.opentelemetry.proto.metrics.v1.AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.tidemark.flink.io.live.LiveRecord;
import io.tidemark.flink.io.points.PointsHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.model.rollup.RollupLevel;
import io.tidemark.flink.rollup.operator.OpenMinuteCellsOf;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The production topology with the wall clock's own minutes. */
class OpenMinutesIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void openMinutesAreSentAndEndAsTheirRows() throws Exception {
    // A minute ahead of the clock: it stays open for as long as the test takes.
    long now = System.currentTimeMillis();
    long minute = RollupLevel.MINUTE.windowOf(now) + 300_000;
    List<PointsRecord> records = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      records.add(
          record(
              i,
              now,
              new TestBatch()
                  .add(gauge("metric-" + i % 7, minute + i, i))
                  .add(total(minute - 1, minute + i, i * (i + 1) / 2.0))
                  .add(
                      histogram(
                          "observed", AGGREGATION_TEMPORALITY_DELTA, minute - 1, minute + i, 1))
                  .add(
                      histogram(
                          "observed-in-total",
                          AGGREGATION_TEMPORALITY_CUMULATIVE,
                          0,
                          minute + i,
                          i + 1))));
    }
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    environment.setParallelism(TestClusters.SLOTS);
    RollupRules rules = RollupRules.DEFAULT.withLiveCells(1_000);
    RollupStreams streams =
        RollupTopology.define(
            named(
                named(
                        environment
                            .fromData(records, TypeInformation.of(PointsRecord.class))
                            .setParallelism(1),
                        "test-source",
                        "Test records")
                    .assignTimestampsAndWatermarks(
                        PointsSource.watermarks(rules.outOfOrderness(), rules.idleness())),
                "test-watermarks",
                "Test watermarks"),
            "points",
            rules);
    CollectorSink<byte[]> minutes = new CollectorSink<>();
    CollectorSink<LiveRecord> live = new CollectorSink<>();
    named(streams.minutes().sinkTo(minutes), "test-minutes", "Collect rows of minutes");
    named(streams.live().sinkTo(live), "test-live", "Collect open minutes");

    environment.execute("open-minutes-test");

    Map<String, String> rows = new TreeMap<>();
    for (byte[] bundle : minutes.collected()) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        JsonNode row = JSON.readTree(line);
        rows.put(
            row.get("timestamp").asLong() + " " + row.get("metric").asText(),
            row.get("sum").asDouble()
                + "/"
                + row.get("count").asLong()
                + (row.has("distribution") ? "/" + row.get("distribution").asText() : ""));
      }
    }
    assertEquals(10, rows.size());
    String start = minute + " ";
    assertEquals("1225.0/50", rows.get(start + "total"));
    assertEquals("100.0/50/3|1017:50", rows.get(start + "observed"));
    assertEquals("98.0/49/3|1017:49", rows.get(start + "observed-in-total"));
    assertEquals(rows, OpenMinuteCellsOf.latest(live.collected()));
  }

  private static Metric.Builder gauge(String name, long time, double value) {
    return Metric.newBuilder()
        .setName(name)
        .setGauge(Gauge.newBuilder().addDataPoints(number(time, value)));
  }

  private static Metric.Builder total(long start, long time, double total) {
    return Metric.newBuilder()
        .setName("total")
        .setSum(
            Sum.newBuilder()
                .setIsMonotonic(true)
                .setAggregationTemporality(AGGREGATION_TEMPORALITY_CUMULATIVE)
                .addDataPoints(number(time, total).setStartTimeUnixNano(start * 1_000_000L)));
  }

  /** Observations of 0.5 or a bit less, whose sum is told as 2 each. */
  private static Metric.Builder histogram(
      String name, AggregationTemporality temporality, long start, long time, int observations) {
    return Metric.newBuilder()
        .setName(name)
        .setExponentialHistogram(
            ExponentialHistogram.newBuilder()
                .setAggregationTemporality(temporality)
                .addDataPoints(
                    ExponentialHistogramDataPoint.newBuilder()
                        .setStartTimeUnixNano(start * 1_000_000L)
                        .setTimeUnixNano(time * 1_000_000L)
                        .setCount(observations)
                        .setSum(2 * observations)
                        .setScale(3)
                        .setPositive(
                            ExponentialHistogramDataPoint.Buckets.newBuilder()
                                .setOffset(-8)
                                .addBucketCounts(observations))));
  }

  private static NumberDataPoint.Builder number(long time, double value) {
    return TestBatch.number("00:00:00", value).setTimeUnixNano(time * 1_000_000L);
  }

  private static PointsRecord record(int offset, long receivedAt, TestBatch batch) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("points", 0, offset, new byte[0], batch.bytes());
    header(record, PointsHeaders.ORGANIZATION_ID, "org-a");
    header(record, PointsHeaders.ENVIRONMENT_ID, "env-a");
    header(record, PointsHeaders.BATCH_ID, "%064x".formatted(offset));
    header(record, PointsHeaders.RECEIVED_AT_UNIX_MS, Long.toString(receivedAt));
    return TestBatch.read(record);
  }

  private static void header(ConsumerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
