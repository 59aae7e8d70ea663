package io.tidemark.flink.usage;

import static io.tidemark.flink.io.StreamNames.named;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.io.usage.PlacedIncrements;
import io.tidemark.flink.model.budget.OrganizationLimits;
import io.tidemark.flink.model.usage.UsageFlushRule;
import io.tidemark.flink.rollup.RollupJob;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.rollup.RollupStreams;
import io.tidemark.flink.rollup.RollupTopology;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import io.tidemark.flink.testing.TestTime;
import io.tidemark.flink.usage.operator.MeteredUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Both production topologies on a cluster in this JVM, with input that ends: the rollup job counts
 * what the usage job makes records of.
 */
class UsageTopologyIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CROWD = 40;
  private static final Map<String, String> LEVELS =
      Map.of("minutes", "rollup_rows_1m", "hours", "rollup_rows_1h", "days", "rollup_rows_1d");

  private final CollectorSink<MeteredUsage> usage = new CollectorSink<>();
  private final Map<String, CollectorSink<byte[]>> rows =
      Map.of(
          "minutes", new CollectorSink<>(),
          "hours", new CollectorSink<>(),
          "days", new CollectorSink<>());

  /** Points by hour of receipt, whatever the clock says. */
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

    Map<String, Long> units = run(records, RollupRules.DEFAULT);

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
    assertRowsAndSeriesAreMetered();
  }

  /** Points of an overflow series are points, its rows are rows, and it is no series. */
  @Test
  void anOverflowSeriesIsNone() throws Exception {
    List<PointsRecord> records = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      records.add(
          new TestBatch()
              .gauge("cpu", "12:00:%02d".formatted(i), i)
              .resource("host.name", "host-" + i)
              .received("org-c", i, "12:00:50"));
    }

    Map<String, Long> units =
        run(
            records,
            RollupRules.DEFAULT.withOrganizationLimits(new OrganizationLimits(8, 2_000, 1_000)));

    assertEquals(CROWD, units.get("org-c cpu 12 points"));
    List<JsonNode> minutes = rows("minutes");
    long overflow = minutes.stream().filter(UsageTopologyIT::isOverflow).count();
    assertTrue(overflow > 0 && overflow < minutes.size(), () -> overflow + " rows");
    assertRowsAndSeriesAreMetered();
  }

  /** It was metered when it was computed. */
  @Test
  void whatIsComputedAgainIsNotMetered() throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    RollupStreams again =
        RollupTopology.again(
            source(
                environment,
                List.of(
                    new TestBatch().gauge("cpu", "12:00:10", 1).received("org-a", 0, "12:00:11"))),
            List.of(),
            "points",
            RollupRules.DEFAULT);
    CollectorSink<EncodedIncrements> increments = new CollectorSink<>();
    named(again.increments().sinkTo(increments), "increments", "Collect increments");
    collect(again.minutes(), "minutes");

    environment.execute();

    assertEquals(1, rows("minutes").size());
    assertEquals(0, increments.collected().size());
  }

  /** Against what was written: rows by metric and level, series by their ids. */
  private void assertRowsAndSeriesAreMetered() throws Exception {
    Map<String, Long> expected = new TreeMap<>();
    Map<String, Set<String>> series = new TreeMap<>();
    for (String level : LEVELS.keySet()) {
      for (JsonNode row : rows(level)) {
        String of = row.get("organization_id").asText() + " " + row.get("metric").asText() + " ";
        expected.merge(of + LEVELS.get(level), 1L, Long::sum);
        if (level.equals("minutes") && !isOverflow(row)) {
          series.computeIfAbsent(of, ignored -> new TreeSet<>()).add(row.get("series_id").asText());
        }
      }
    }
    series.forEach(
        (of, ids) -> {
          expected.put(of + "active_series", (long) ids.size());
          expected.put(of + "new_series", (long) ids.size());
        });
    Map<String, Long> metered = new TreeMap<>();
    // The clock of the machine may pass the end of an hour: then a series is active in both.
    Set<Long> hours = new HashSet<>();
    for (UsageRecord record : records()) {
      for (Quantity quantity : record.getQuantitiesList()) {
        if (isOfRows(quantity)) {
          hours.add(record.getHourUnixMs());
          metered.merge(
              record.getOrganizationId() + " " + record.getMetric() + " " + quantity.getMeter(),
              quantity.getUnits(),
              Long::sum);
        }
      }
    }
    if (hours.size() > 1) {
      metered.keySet().removeIf(name -> name.endsWith("active_series"));
      expected.keySet().removeIf(name -> name.endsWith("active_series"));
    }
    assertEquals(expected, metered);
  }

  private static boolean isOverflow(JsonNode row) {
    return row.has("metric.tidemark.overflow");
  }

  private static boolean isOfRows(Quantity quantity) {
    return quantity.getMeter().startsWith("rollup_rows") || quantity.getMeter().endsWith("_series");
  }

  private List<JsonNode> rows(String level) throws Exception {
    List<JsonNode> all = new ArrayList<>();
    for (byte[] bundle : rows.get(level).collected()) {
      for (String line : new String(bundle, UTF_8).lines().toList()) {
        all.add(JSON.readTree(line));
      }
    }
    return all;
  }

  private List<UsageRecord> records() {
    return usage.collected().stream().map(UsageRecordSink::record).toList();
  }

  /** Units of points by organisation, metric and hour of receipt. */
  private Map<String, Long> run(List<PointsRecord> records, RollupRules rules) throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    environment.setParallelism(TestClusters.SLOTS);
    DataStream<PointsRecord> source = source(environment, records);
    DataStream<ControlRecord> nobody =
        source
            .flatMap(
                (FlatMapFunction<PointsRecord, ControlRecord>) (record, out) -> {},
                TypeInformation.of(ControlRecord.class))
            .uid("nobody");
    RollupStreams streams = RollupTopology.define(source, nobody, nobody, "points", rules);
    collect(streams.minutes().union(streams.reduced().minutes()), "minutes");
    collect(streams.hours().union(streams.reduced().hours()), "hours");
    collect(streams.days().union(streams.reduced().days()), "days");
    // Timers do not fire once the input has ended: what is metered is written at once.
    UsageFlushRule atOnce = new UsageFlushRule(Duration.ZERO, Duration.ofSeconds(10));
    named(
        UsageTopology.define(
                named(
                    streams
                        .increments()
                        .map(new Topic(), TypeInformation.of(PlacedIncrements.class))
                        .setParallelism(1),
                    "topic",
                    "Stands for the topic of increments"),
                atOnce)
            .sinkTo(usage),
        "usage",
        "Collect usage");
    environment.execute();
    Map<String, Long> units = new TreeMap<>();
    Set<String> ids = new HashSet<>();
    for (UsageRecord record : records()) {
      assertTrue(ids.add(record.getRecordId()), () -> "twice: " + record);
      for (Quantity quantity : record.getQuantitiesList()) {
        if (!isOfRows(quantity)) {
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
    }
    return units;
  }

  private static DataStream<PointsRecord> source(
      StreamExecutionEnvironment environment, List<PointsRecord> records) {
    return environment
        .fromData(records, TypeInformation.of(PointsRecord.class))
        .uid("records")
        .setParallelism(1)
        .assignTimestampsAndWatermarks(
            PointsSource.watermarks(Duration.ofSeconds(5), Duration.ofSeconds(5)))
        .uid("times")
        .setParallelism(1);
  }

  private void collect(DataStream<byte[]> bundles, String level) {
    named(bundles.sinkTo(rows.get(level)), level, "Collect rows of " + level);
  }

  /** Gives increments the places that a topic of one partition would. */
  private static final class Topic implements MapFunction<EncodedIncrements, PlacedIncrements> {
    private static final long serialVersionUID = 1L;
    private long offset;

    @Override
    public PlacedIncrements map(EncodedIncrements record) {
      return new PlacedIncrements(record.increments(), "increments", 0, offset++);
    }
  }
}
