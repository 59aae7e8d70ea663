package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The production topology on a cluster in this JVM, with input that ends. */
class RollupTopologyIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void sumsAreExactWithLateResentAndHostileInput() throws Exception {
    TestBatch first = new TestBatch().delta("orders", "12:00:10", 5).gauge("cpu", "12:00:10", 0.5);
    List<PointsRecord> records = new ArrayList<>();
    records.add(first.received("org-a", 0, "12:00:11"));
    // The same bytes once more: counted once.
    records.add(first.received("org-a", 1, "12:00:15"));
    // The same bytes of another tenant: another series.
    records.add(first.received("org-b", 2, "12:00:16"));
    records.add(new TestBatch().delta("orders", "12:00:50", 7).received("org-a", 3, "12:00:51"));
    // Moves the watermark far past the first minutes.
    records.add(new TestBatch().delta("orders", "12:10:00", 1).received("org-a", 4, "12:10:00"));
    // Late by ten minutes, and late by hours.
    records.add(new TestBatch().delta("orders", "12:00:20", 100).received("org-a", 5, "12:10:05"));
    records.add(new TestBatch().delta("orders", "08:30:00", 30).received("org-a", 6, "12:10:06"));
    // A clock nine minutes ahead is believed, but moves nothing: what follows is on time.
    records.add(new TestBatch().delta("orders", "12:19:00", 2).received("org-a", 7, "12:10:07"));
    records.add(new TestBatch().delta("orders", "12:10:30", 3).received("org-a", 8, "12:10:31"));
    // A clock eleven minutes ahead is not.
    records.add(new TestBatch().delta("orders", "12:22:00", 4).received("org-a", 9, "12:10:32"));
    records.add(TestBatch.record("org-a", 10, "12:10:33", new byte[] {1, 2, 3}));
    records.add(
        new TestBatch()
            .add(
                Metric.newBuilder()
                    .setName("cpu")
                    .setGauge(
                        Gauge.newBuilder()
                            .addDataPoints(TestBatch.number("12:10:34", Double.NaN))
                            .addDataPoints(TestBatch.number("12:10:34", 0.25))))
            .received("org-a", 11, "12:10:35"));
    // Running totals out of order within the minute: 40 since the start, then 20.
    records.add(
        new TestBatch()
            .cumulative("bytes", "12:09:00", "12:10:20", 60)
            .received("org-a", 12, "12:10:36"));
    records.add(
        new TestBatch()
            .cumulative("bytes", "12:09:00", "12:10:10", 40)
            .received("org-a", 13, "12:10:37"));

    // Which points are late depends on which input the job reads first; sums must not.
    Outcome outcome = run(records, 1);

    assertEquals(
        new TreeMap<>(
            Map.of(
                "org-a orders 08:30", "30.0/1",
                "org-a orders 12:00", "112.0/3",
                "org-a orders 12:10", "4.0/2",
                "org-a orders 12:19", "2.0/1",
                "org-a cpu 12:00", "0.5/1",
                "org-a cpu 12:10", "0.25/1",
                "org-a bytes 12:10", "60.0/2",
                "org-b orders 12:00", "5.0/1",
                "org-b cpu 12:00", "0.5/1")),
        outcome.sumsAndCounts());
    assertEquals(
        new TreeMap<>(
            Map.of(
                "org-a orders 08:00", "30.0/1",
                "org-a orders 12:00", "118.0/6",
                "org-a cpu 12:00", "0.75/2",
                "org-a bytes 12:00", "60.0/2",
                "org-b orders 12:00", "5.0/1",
                "org-b cpu 12:00", "0.5/1")),
        Outcome.sumsAndCounts(outcome.hours()));
    assertEquals(
        new TreeMap<>(
            Map.of(
                "org-a orders 00:00", "148.0/7",
                "org-a cpu 00:00", "0.75/2",
                "org-a bytes 00:00", "60.0/2",
                "org-b orders 00:00", "5.0/1",
                "org-b cpu 00:00", "0.5/1")),
        Outcome.sumsAndCounts(outcome.days()));
    assertEquals(
        Map.of(
            RejectionReason.UNDECODABLE, 0L,
            RejectionReason.TIMESTAMP_OUT_OF_RANGE, 1L,
            RejectionReason.VALUE_NOT_FINITE, 1L),
        outcome.rejected());
  }

  @Test
  void aSenderThatNamesAnotherTenantWritesToItsOwnOnly() throws Exception {
    TestBatch claiming = new TestBatch().delta("orders", "12:00:10", 5);
    for (String name : List.of("organization_id", "tenant.id", "tidemark.tenant", "organization")) {
      claiming.resource(name, "org-a");
    }
    List<PointsRecord> records = new ArrayList<>();
    records.add(new TestBatch().delta("orders", "12:00:10", 7).received("org-a", 0, "12:00:11"));
    records.add(claiming.received("org-b", 1, "12:00:11"));

    Outcome outcome = run(records, TestClusters.SLOTS);

    assertEquals(
        Map.of("org-a orders 12:00", "7.0/1", "org-b orders 12:00", "5.0/1"),
        outcome.sumsAndCounts());
    assertEquals(Map.of(), outcome.rejected());
  }

  @Test
  void everyPaneIdIsUnique() throws Exception {
    List<PointsRecord> records = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String time = "12:%02d:%02d".formatted((i * 7) % 20, i % 60);
      records.add(new TestBatch().delta("orders", time, i).received("org-a", i, "12:20:00"));
    }

    Outcome outcome = run(records, TestClusters.SLOTS);

    Set<String> ids = new HashSet<>();
    List<JsonNode> all = new ArrayList<>(outcome.rows());
    all.addAll(outcome.hours());
    all.addAll(outcome.days());
    all.forEach(row -> ids.add(row.get("pane_id").asText()));
    assertEquals(all.size(), ids.size());
    assertEquals(
        199 * 200 / 2, outcome.rows().stream().mapToDouble(r -> r.get("sum").asDouble()).sum());
    assertEquals(200, outcome.rows().stream().mapToLong(r -> r.get("count").asLong()).sum());
  }

  private static Outcome run(List<PointsRecord> records, int parallelism) throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    environment.setParallelism(parallelism);
    DataStream<PointsRecord> source =
        named(
            named(
                    environment
                        .fromData(records, TypeInformation.of(PointsRecord.class))
                        .setParallelism(1),
                    "test-source",
                    "Test records")
                .assignTimestampsAndWatermarks(TestWatermarks.afterEveryRecord())
                .setParallelism(1),
            "test-watermarks",
            "Test watermarks");
    RollupStreams streams = RollupTopology.define(source, "points", RollupRules.DEFAULT);
    CollectorSink<byte[]> minutes = new CollectorSink<>();
    CollectorSink<byte[]> hours = new CollectorSink<>();
    CollectorSink<byte[]> days = new CollectorSink<>();
    CollectorSink<DeadLetter> letters = new CollectorSink<>();
    named(streams.minutes().sinkTo(minutes), "test-minutes", "Collect rows of minutes");
    named(streams.hours().sinkTo(hours), "test-hours", "Collect rows of hours");
    named(streams.days().sinkTo(days), "test-days", "Collect rows of days");
    named(streams.deadLetters().sinkTo(letters), "test-dead-letters", "Collect dead letters");

    environment.execute("rollup-topology-test");

    return new Outcome(
        rows(minutes.collected()),
        rows(hours.collected()),
        rows(days.collected()),
        letters.collected());
  }

  private static List<JsonNode> rows(List<byte[]> bundles) throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    for (byte[] bundle : bundles) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        rows.add(JSON.readTree(line));
      }
    }
    return rows;
  }

  private record Outcome(
      List<JsonNode> rows, List<JsonNode> hours, List<JsonNode> days, List<DeadLetter> letters) {

    /** Rows of equal series and minute added up, the way Druid does. */
    Map<String, String> sumsAndCounts() {
      return sumsAndCounts(rows);
    }

    static Map<String, String> sumsAndCounts(List<JsonNode> rows) {
      Map<String, double[]> added = new TreeMap<>();
      for (JsonNode row : rows) {
        String minute =
            Instant.ofEpochMilli(row.get("timestamp").asLong()).toString().substring(11, 16);
        String name =
            row.get("organization_id").asText() + " " + row.get("metric").asText() + " " + minute;
        double[] figures = added.computeIfAbsent(name, ignored -> new double[2]);
        figures[0] += row.get("sum").asDouble();
        figures[1] += row.get("count").asDouble();
      }
      Map<String, String> shown = new TreeMap<>();
      added.forEach((name, figures) -> shown.put(name, figures[0] + "/" + (long) figures[1]));
      return shown;
    }

    Map<RejectionReason, Long> rejected() {
      Map<RejectionReason, Long> rejected = new EnumMap<>(RejectionReason.class);
      letters.forEach(l -> rejected.merge(l.reason(), l.pointCount(), Long::sum));
      return rejected;
    }
  }
}
