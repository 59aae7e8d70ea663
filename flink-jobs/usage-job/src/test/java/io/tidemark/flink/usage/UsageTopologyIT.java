package io.tidemark.flink.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.PointsSource;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.testing.CollectingSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import io.tidemark.flink.testing.TestTime;
import io.tidemark.flink.usage.operator.MeteredUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The production topology on a cluster in this JVM, with input that ends. */
class UsageTopologyIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  @Test
  void unitsAreExactWithLateAndResentBatches() throws Exception {
    TestBatch first = new TestBatch().delta("orders", "12:00:10", 5).gauge("cpu", "12:00:10", 0.5);
    List<PointsRecord> records = new ArrayList<>();
    records.add(first.received("org-a", 0, "12:00:11"));
    // The same bytes once more: billed once.
    records.add(first.received("org-a", 1, "12:00:15"));
    // The same bytes of another tenant.
    records.add(first.received("org-b", 2, "12:00:16"));
    // Late by hours: of the hour in which it came.
    records.add(new TestBatch().delta("orders", "08:30:00", 30).received("org-a", 3, "13:10:06"));
    // Not OTLP: set aside whole.
    records.add(TestBatch.record("org-a", 4, "13:10:33", new byte[] {1, 2, 3}));

    Map<String, Long> units = run(records);

    long bytes = first.bytes().length;
    assertEquals(bytes, units.remove("org-a orders 12 bytes") + units.remove("org-a cpu 12 bytes"));
    assertEquals(bytes, units.remove("org-b orders 12 bytes") + units.remove("org-b cpu 12 bytes"));
    assertEquals(
        Map.of(
            "org-a orders 12 points", 1L,
            "org-a cpu 12 points", 1L,
            "org-b orders 12 points", 1L,
            "org-b cpu 12 points", 1L,
            "org-a orders 13 points", 1L,
            "org-a orders 13 bytes", (long) records.get(3).value().length),
        units);
  }

  private static Map<String, Long> run(List<PointsRecord> records) throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.setParallelism(TestClusters.SLOTS);
    CollectingSink<MeteredUsage> sink = new CollectingSink<>();
    DataStream<PointsRecord> source =
        environment
            .fromData(records, TypeInformation.of(PointsRecord.class))
            .uid("records")
            .setParallelism(1)
            .assignTimestampsAndWatermarks(
                PointsSource.watermarks(Duration.ofSeconds(5), Duration.ofSeconds(5)))
            .uid("times")
            .setParallelism(1);
    DataStream<ControlRecord> nobody =
        source
            .flatMap(
                (FlatMapFunction<PointsRecord, ControlRecord>) (record, out) -> {},
                TypeInformation.of(ControlRecord.class))
            .uid("nobody");
    // Timers do not fire once the input has ended: what is metered is written at once.
    UsageFlushRule atOnce = new UsageFlushRule(Duration.ZERO, Duration.ofSeconds(10));
    UsageTopology.define(source, nobody, atOnce).sinkTo(sink).uid("sink");
    environment.execute();
    Map<String, Long> units = new TreeMap<>();
    for (MeteredUsage usage : sink.collected()) {
      UsageRecord record = UsageRecord.parseFrom(UsageRecordSink.value(usage));
      for (Quantity quantity : record.getQuantitiesList()) {
        units.merge(
            "%s %s %d %s"
                .formatted(
                    record.getOrganizationId(),
                    record.getMetric(),
                    (record.getHourUnixMs() - TestTime.at("00:00:00")) / 3_600_000,
                    quantity.getMeter()),
            quantity.getUnits(),
            Long::sum);
      }
    }
    return units;
  }
}
