package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.control.ControlSource;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.budget.Budget;
import io.tidemark.flink.model.budget.BudgetExceeded;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestClusters;
import io.tidemark.flink.testing.TestControl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The production topology with control records that change while it runs. */
class TenantControlIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NOISY = 500;

  private static CollectorSink<byte[]> minutes;
  private static CollectorSink<DeadLetter> letters;

  @Test
  void budgetsAndDeletionsAreInForceWhileTheJobRuns() throws Exception {
    minutes = new CollectorSink<>();
    letters = new CollectorSink<>();
    CollectorSink<BudgetExceeded> budgets = new CollectorSink<>();
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
    named(streams.budgets().sinkTo(budgets), "test-budgets", "Collect exceeded budgets");
    named(streams.deadLetters().sinkTo(letters), "test-dead-letters", "Collect dead letters");

    environment.execute("tenant-control");

    List<JsonNode> noisy = rows("org-noisy");
    assertEquals(NOISY * (NOISY - 1) / 2.0, sum(noisy));
    assertEquals(NOISY, noisy.stream().mapToLong(row -> row.get("count").asLong()).sum());
    assertEquals(6, series(noisy), "five and the overflow");
    assertTrue(noisy.stream().anyMatch(row -> row.has("metric.tidemark.overflow")));
    List<JsonNode> quiet = rows("org-quiet");
    assertEquals(20, series(quiet));
    assertEquals(190 * 2, sum(quiet), "untouched, before and after");
    assertTrue(quiet.stream().noneMatch(row -> row.has("metric.tidemark.overflow")));
    BudgetExceeded told = budgets.collected().get(0);
    assertEquals("org-noisy", told.organizationId());
    assertEquals("req", told.metric());
    assertEquals(Budget.ACTIVE_SERIES, told.budget());
    assertEquals(5, told.limit());
    assertTrue(told.foldedSeries() > 0);
    for (DeadLetter letter : letters.collected()) {
      assertEquals(RejectionReason.UNKNOWN_TENANT, letter.reason());
      assertEquals("org-gone", letter.organizationId());
      assertTrue(letter.original().length > 0);
    }
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
    private long offset;

    @Override
    public void flatMap(Long start, Collector<PointsRecord> out) {
      out.collect(gauges("12:00:05", 20).received("org-quiet", offset++, "12:00:06"));
      out.collect(gauges("12:02:05", 1).received("org-clock", offset++, "12:02:06"));
      // The deletion follows the budget on the same topic: once it is in force, so is the budget.
      while (letters.collected().isEmpty()) {
        TestBatch probe = new TestBatch().gauge("probe", "12:02:10", (double) offset);
        out.collect(probe.received("org-gone", offset++, "12:02:11"));
        eventually(() -> !letters.collected().isEmpty(), 20);
      }
      out.collect(gauges("12:03:05", NOISY).received("org-noisy", offset++, "12:03:06"));
      out.collect(gauges("12:03:05", 20).received("org-quiet", offset++, "12:03:06"));
    }

    private static TestBatch gauges(String time, int series) {
      Gauge.Builder gauge = Gauge.newBuilder();
      for (int i = 0; i < series; i++) {
        gauge.addDataPoints(
            TestBatch.number(time, i).addAttributes(TestBatch.attribute("id", "" + i)));
      }
      return new TestBatch().add(Metric.newBuilder().setName("req").setGauge(gauge));
    }
  }

  private static final class Controls implements FlatMapFunction<Long, ControlRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<ControlRecord> out) {
      if (!eventually(() -> !minutes.collected().isEmpty(), 60_000)) {
        throw new IllegalStateException("No row came without control records");
      }
      out.collect(new ControlRecord("org-noisy/env-a", new byte[] {9, 9, 9}));
      out.collect(TestControl.tenant("org-noisy", TenantState.TENANT_STATE_ACTIVE, 1, 5));
      out.collect(TestControl.tenant("org-gone", TenantState.TENANT_STATE_DELETED, 1, 0));
    }
  }

  private static boolean eventually(BooleanSupplier condition, long patienceMs) {
    long end = System.nanoTime() + patienceMs * 1_000_000;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  private static List<JsonNode> rows(String organization) throws Exception {
    List<JsonNode> rows = new ArrayList<>();
    for (byte[] bundle : minutes.collected()) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        JsonNode row = JSON.readTree(line);
        if (row.get("organization_id").asText().equals(organization)) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private static double sum(List<JsonNode> rows) {
    return rows.stream().mapToDouble(row -> row.get("sum").asDouble()).sum();
  }

  private static int series(List<JsonNode> rows) {
    Set<String> ids = new HashSet<>();
    rows.forEach(row -> ids.add(row.get("series_id").asText()));
    return ids.size();
  }
}
