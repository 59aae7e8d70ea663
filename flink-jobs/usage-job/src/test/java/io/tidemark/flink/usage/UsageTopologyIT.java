package io.tidemark.flink.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.PointsSource;
import io.tidemark.flink.io.rows.PlacedRows;
import io.tidemark.flink.model.usage.RowLevel;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import io.tidemark.flink.testing.TestTime;
import io.tidemark.flink.usage.operator.MeteredUsage;
import java.nio.charset.StandardCharsets;
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
            "org-a orders 13 bytes", (long) records.get(3).value().length,
            "org-r rolled 14 active_series", 2L,
            "org-r rolled 14 new_series", 2L,
            "org-r rolled 14 rollup_rows_1m", 4L,
            "org-r rolled 14 rollup_rows_1d", 1L),
        units);
  }

  /** Two rows of one series, one of another, and one of an overflow series; a row of a day. */
  private static List<PlacedRows> committed() {
    return List.of(
        rows("minutes", 1, row("01", "zone"), row("02", "zone")),
        rows("minutes", 2, row("01", "zone"), row("03", "tidemark.overflow")),
        rows("days", 1, row("01", "zone")));
  }

  private static PlacedRows rows(String topic, long offset, String... rows) {
    return new PlacedRows(
        String.join("\n", rows).getBytes(StandardCharsets.UTF_8),
        topic,
        0,
        offset,
        TestTime.at("14:20:00"));
  }

  private static String row(String series, String label) {
    return ("{'timestamp':1795000000000,'organization_id':'org-r','environment_id':'env-r',"
            + "'metric':'rolled','metric_type':'gauge','unit':'1','resource_type':'service',"
            + "'resource_id':'shop','series_id':'%1$s','metric.%2$s':'true','sum':3.0,'count':1,"
            + "'min':3.0,'max':3.0,'pane_id':'%1$s-1-1'}")
        .formatted(series, label)
        .replace('\'', '"');
  }

  private static Map<String, Long> run(List<PointsRecord> records) throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.setParallelism(TestClusters.SLOTS);
    CollectorSink<MeteredUsage> sink = new CollectorSink<>();
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
    DataStream<PlacedRows> rows =
        environment
            .fromData(committed(), TypeInformation.of(PlacedRows.class))
            .uid("rows")
            .setParallelism(1);
    UsageTopology.define(
            source,
            nobody,
            rows,
            Map.of("minutes", RowLevel.MINUTES, "days", RowLevel.DAYS),
            atOnce)
        .sinkTo(sink)
        .uid("sink");
    environment.execute();
    Map<String, Long> units = new TreeMap<>();
    for (MeteredUsage usage : sink.collected()) {
      UsageRecord record = UsageRecordSink.record(usage);
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
