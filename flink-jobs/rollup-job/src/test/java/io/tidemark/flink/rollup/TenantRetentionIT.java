package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static io.tidemark.flink.testing.TestTime.at;
import static io.tidemark.flink.testing.TestTime.nanosAt;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.contracts.control.v1.Retention;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import io.tidemark.flink.testing.TestControl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The production topology and tenants that keep data for different times, changed as it runs. */
class TenantRetentionIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long DAY = 86_400;
  private static final String LONG = "org-long";
  private static final String PLAN = "org-plan";
  private static final String SHORT = "org-short";
  private static final Retention TWO_DAYS = days(2);

  /** Two hundred days of days; minutes, hours and raw points for less. */
  private static final Retention LONG_DAYS =
      Retention.newBuilder()
          .setRawSeconds(DAY)
          .setRollup1MSeconds(DAY)
          .setRollup1HSeconds(2 * DAY)
          .setRollup1DSeconds(200 * DAY)
          .build();

  private static CollectorSink<DeadLetter> letters;

  @Test
  void latePointCountsOnAllLevelsOrBecomesDeadLetterAsItsTenantKeeps() throws Exception {
    letters = new CollectorSink<>();
    CollectorSink<byte[]> minutes = new CollectorSink<>();
    CollectorSink<byte[]> hours = new CollectorSink<>();
    CollectorSink<byte[]> days = new CollectorSink<>();
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    environment.setParallelism(1);
    DataStream<PointsRecord> records =
        script(environment, "points", new Points(), PointsRecord.class)
            .assignTimestampsAndWatermarks(TestWatermarks.afterEveryRecord())
            .uid("test-watermarks");
    DataStream<ControlRecord> controls =
        script(environment, "controls", new Controls(), ControlRecord.class)
            .assignTimestampsAndWatermarks(ControlSource.withoutEventTime())
            .uid("test-control-watermarks")
            // Has its own thread: the script's waits.
            .disableChaining();
    DataStream<ControlRecord> nothing =
        named(controls.filter(record -> false), "test-no-metrics", "No control records of metrics");
    RollupStreams streams =
        RollupTopology.define(records, controls, nothing, "points", RollupRules.DEFAULT);
    named(streams.minutes().sinkTo(minutes), "test-minutes", "Collect rows of minutes");
    named(streams.hours().sinkTo(hours), "test-hours", "Collect rows of hours");
    named(streams.days().sinkTo(days), "test-days", "Collect rows of days");
    named(streams.deadLetters().sinkTo(letters), "test-dead-letters", "Collect dead letters");

    environment.execute("tenant-retention");

    Map<String, Integer> counted =
        new TreeMap<>(
            Map.of(
                "org-long 1", 1,
                "org-long 20", 1,
                "org-long 40", 1,
                "org-plan 1", 1,
                "org-plan 20", 1,
                "org-short 1", 1,
                "org-short 40", 1));
    assertEquals(counted, ages(minutes.collected(), at("12:00:00")));
    assertEquals(counted, ages(hours.collected(), at("12:00:00")));
    assertEquals(counted, ages(days.collected(), at("00:00:00")));
    Map<String, Long> refused = new TreeMap<>();
    for (DeadLetter letter : tooLate()) {
      refused.merge(letter.organizationId(), letter.pointCount(), Long::sum);
      assertEquals("decode", letter.stage());
    }
    assertEquals(Map.of(LONG, 1L, PLAN, 2L, SHORT, 4L), refused);
    DeadLetter first = tooLate().get(0);
    assertArrayEquals(new int[] {3}, first.pointIndexes(), "201 days, of 1, 20, 40 and 201");
    assertEquals(points(1, 20, 40, 201).bytes().length, first.originalSize());
    assertArrayEquals(points(1, 20, 40, 201).bytes(), first.original());
    assertEquals(1, first.sourceOffset());
  }

  private static <T> DataStream<T> script(
      StreamExecutionEnvironment environment,
      String name,
      FlatMapFunction<Long, T> script,
      Class<T> type) {
    return named(
        named(environment.fromSequence(0, 0), "test-start-" + name, "Starts")
            .flatMap(script, TypeInformation.of(type)),
        "test-" + name,
        "Scripted " + name);
  }

  private static final class Points implements FlatMapFunction<Long, PointsRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<PointsRecord> out) {
      untilInForce("org-gone", "12:00:05", out);
      out.collect(points(1, 20, 40, 201).received(LONG, 1, "12:00:06"));
      out.collect(points(1, 20, 40, 201).received(PLAN, 2, "12:00:06"));
      out.collect(points(1, 20, 201).received(SHORT, 3, "12:00:06"));
      untilInForce("org-gone-later", "12:09:00", out);
      out.collect(points(40).received(SHORT, 4, "12:09:59"));
      out.collect(points(40, 201).received(SHORT, 5, "12:10:00"));
    }

    /** The deletion follows the records of retention on the same topic. */
    private static void untilInForce(String deleted, String time, Collector<PointsRecord> out) {
      long offset = 1_000;
      while (letters.collected().stream().noneMatch(l -> l.organizationId().equals(deleted))) {
        TestBatch probe = new TestBatch().gauge("probe", time, (double) offset);
        out.collect(probe.received(deleted, offset++, time));
        eventually(
            () -> letters.collected().stream().anyMatch(l -> l.organizationId().equals(deleted)),
            20);
      }
    }
  }

  private static final class Controls implements FlatMapFunction<Long, ControlRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<ControlRecord> out) {
      Retention none = Retention.getDefaultInstance();
      out.collect(TestControl.kept(LONG, 1, LONG_DAYS, 0, none));
      out.collect(TestControl.kept(SHORT, 1, TWO_DAYS, 0, none));
      out.collect(TestControl.tenant("org-gone", TenantState.TENANT_STATE_DELETED, 1, 0));
      if (!eventually(() -> tooLate().size() == 3, 60_000)) {
        throw new IllegalStateException("Seen only: " + letters.collected());
      }
      out.collect(TestControl.kept(SHORT, 2, LONG_DAYS, at("12:10:00"), TWO_DAYS));
      out.collect(TestControl.tenant("org-gone-later", TenantState.TENANT_STATE_DELETED, 1, 0));
    }
  }

  private static Retention days(int days) {
    return Retention.newBuilder()
        .setRawSeconds(400 * DAY)
        .setRollup1MSeconds(days * DAY)
        .setRollup1HSeconds(days * DAY)
        .setRollup1DSeconds(days * DAY)
        .build();
  }

  /** One point each of so many days ago. */
  private static TestBatch points(int... days) {
    Gauge.Builder gauge = Gauge.newBuilder();
    for (int ago : days) {
      gauge.addDataPoints(
          TestBatch.number("12:00:06", ago)
              .setTimeUnixNano(nanosAt("12:00:06") - Duration.ofDays(ago).toNanos()));
    }
    return new TestBatch().add(Metric.newBuilder().setName("cpu").setGauge(gauge));
  }

  private static List<DeadLetter> tooLate() {
    List<DeadLetter> found = new ArrayList<>(letters.collected());
    found.removeIf(letter -> letter.reason() != RejectionReason.TOO_LATE);
    return found;
  }

  private static boolean eventually(BooleanSupplier condition, long patienceMs) {
    long end = System.nanoTime() + patienceMs * 1_000_000;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  /** Tenant and age in days of the rows' windows, to the points in them; without the probes. */
  private static Map<String, Integer> ages(List<byte[]> bundles, long today) throws Exception {
    Map<String, Integer> ages = new TreeMap<>();
    for (byte[] bundle : bundles) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        JsonNode row = JSON.readTree(line);
        Instant window = Instant.ofEpochMilli(row.get("timestamp").asLong());
        long age = Duration.between(window, Instant.ofEpochMilli(today)).toDays();
        if (row.get("metric").asText().equals("cpu")) {
          assertEquals((double) age * row.get("count").asInt(), row.get("sum").asDouble());
          ages.merge(
              row.get("organization_id").asText() + " " + age,
              row.get("count").asInt(),
              Integer::sum);
        }
      }
    }
    return ages;
  }
}
