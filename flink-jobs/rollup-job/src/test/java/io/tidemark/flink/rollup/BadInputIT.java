package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything that senders may send goes through the production topology once, in a job that may not
 * restart: what counts is in rows, all else in dead letters with reason, original bytes and
 * position.
 */
class BadInputIT {

  @RegisterExtension static final MiniClusterExtension CLUSTER = TestClusters.cluster();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CLEAN = "org-clean";
  private static final String NOBODY = "org-nobody";
  private static final long NO_ENVELOPE = 10_000;
  private static final long CONTRADICTION = 10_001;
  private static final long FIRST_OF_NOBODY = 20_000;

  private static final List<SentInput.Batch> SENT = SentInput.all();
  private static final List<JsonNode> ROWS = new ArrayList<>();
  private static final CollectorSink<byte[]> MINUTES = new CollectorSink<>();
  private static final CollectorSink<DeadLetter> LETTERS = new CollectorSink<>();

  @BeforeAll
  static void run() throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    RollupJob.neverDiffer(environment);
    Configuration never = new Configuration();
    never.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    environment.configure(never);
    environment.setParallelism(1);
    DataStream<PointsRecord> records =
        script(environment, "points", new Points(), PointsRecord.class)
            .assignTimestampsAndWatermarks(TestWatermarks.afterEveryRecord())
            .uid("test-watermarks");
    DataStream<ControlRecord> controls =
        script(environment, "controls", new Controls(), ControlRecord.class)
            .assignTimestampsAndWatermarks(ControlSource.withoutEventTime())
            .uid("test-control-watermarks");
    DataStream<ControlRecord> nothing =
        named(controls.filter(record -> false), "test-no-metrics", "No control records of metrics");
    RollupStreams streams =
        RollupTopology.define(records, controls, nothing, "points", RollupRules.DEFAULT);
    named(streams.minutes().sinkTo(MINUTES), "test-minutes", "Collect rows of minutes");
    named(streams.deadLetters().sinkTo(LETTERS), "test-dead-letters", "Collect dead letters");

    environment.execute("bad-input");
    for (byte[] bundle : MINUTES.collected()) {
      for (String line : new String(bundle, StandardCharsets.UTF_8).lines().toList()) {
        ROWS.add(JSON.readTree(line));
      }
    }
  }

  static List<SentInput.Batch> sent() {
    return SENT;
  }

  @ParameterizedTest
  @MethodSource("sent")
  void isCountedOrSetAside(SentInput.Batch batch) {
    long offset = SENT.indexOf(batch);

    assertEquals(batch.counted(), counted("org-a", batch.name()));

    List<DeadLetter> letters = letters(offset);
    if (batch.reason() == null) {
      assertEquals(List.of(), letters);
      return;
    }
    assertEquals(1, letters.size());
    DeadLetter letter = letters.get(0);
    assertEquals(batch.reason(), letter.reason());
    assertEquals(batch.points(), letter.pointCount());
    assertEquals(batch.indexes(), Arrays.stream(letter.pointIndexes()).boxed().toList());
    assertOrigin(letter, "org-a", batch.bytes());
  }

  /** No letter: the points count, in the overflow series of their metric. */
  @ParameterizedTest
  @ValueSource(strings = {"ten-thousand-labels", "value-of-a-megabyte"})
  void labelsOverTheBudgetAreFoldedAway(String metric) {
    List<JsonNode> rows =
        ROWS.stream().filter(row -> row.get("metric").asText().equals(metric)).toList();

    assertEquals(1, rows.size());
    assertTrue(rows.get(0).has("metric.tidemark.overflow"), rows.get(0).toString());
  }

  @Test
  void tenantBesideItIsUntouched() {
    int batches = SENT.size();

    assertEquals(batches + ".0/" + batches + "/1", counted(CLEAN, "clean"));
  }

  @Test
  void batchOfATenantThatDoesNotExistIsSetAsideWhole() {
    DeadLetter letter =
        LETTERS.collected().stream()
            .filter(each -> each.organizationId().equals(NOBODY))
            .findFirst()
            .orElseThrow();

    assertEquals(RejectionReason.UNKNOWN_TENANT, letter.reason());
    assertOrigin(letter, NOBODY, probe(letter.sourceOffset()).bytes());
  }

  @Test
  void recordWithoutEnvelopeIsSetAsideWhole() {
    DeadLetter letter = letters(NO_ENVELOPE).get(0);

    assertEquals(RejectionReason.MISSING_ENVELOPE, letter.reason());
    assertOrigin(letter, "", probe(1).bytes());
  }

  /** What waits for its minute is not in its batch any more: the letter rebuilds the point. */
  @Test
  void readingThatContradictsAnotherIsSetAsideAsItsPoint() throws Exception {
    DeadLetter letter = letters(CONTRADICTION + 1).get(0);

    assertEquals(RejectionReason.CUMULATIVE_OUT_OF_ORDER, letter.reason());
    assertEquals("roll-up", letter.stage());
    assertArrayEquals(new int[] {0}, letter.pointIndexes());
    assertEquals(
        41.0,
        ExportMetricsServiceRequest.parseFrom(letter.original())
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetrics(0)
            .getSum()
            .getDataPoints(0)
            .getAsDouble());
    assertEquals("40.0/1/1", counted("org-a", "contradicted"));
  }

  private static void assertOrigin(DeadLetter letter, String organization, byte[] bytes) {
    assertEquals(organization, letter.organizationId());
    assertEquals("points", letter.sourceTopic());
    assertEquals(0, letter.sourcePartition());
    assertEquals(bytes.length, letter.originalSize());
    assertArrayEquals(
        Arrays.copyOf(bytes, Math.min(bytes.length, DeadLetter.ORIGINAL_LIMIT)), letter.original());
    assertTrue(!letter.detail().isBlank());
  }

  private static List<DeadLetter> letters(long offset) {
    return LETTERS.collected().stream().filter(each -> each.sourceOffset() == offset).toList();
  }

  /** Sum, count and number of series of a metric; empty when there is no row. */
  private static String counted(String organization, String metric) {
    double sum = 0;
    long count = 0;
    Set<String> series = new HashSet<>();
    for (JsonNode row : ROWS) {
      if (row.get("organization_id").asText().equals(organization)
          && row.get("metric").asText().equals(metric)) {
        sum = series.isEmpty() ? row.get("sum").asDouble() : sum + row.get("sum").asDouble();
        count += row.get("count").asLong();
        series.add(row.get("series_id").asText());
      }
    }
    return series.isEmpty() ? "" : sum + "/" + count + "/" + series.size();
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

  private static TestBatch probe(long value) {
    return new TestBatch().gauge("probe", SentInput.TIME, (double) value);
  }

  private static final class Points implements FlatMapFunction<Long, PointsRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<PointsRecord> out) {
      List<SentInput.Batch> batches = SENT;
      for (int i = 0; i < batches.size(); i++) {
        out.collect(TestBatch.record("org-a", i, "12:00:06", batches.get(i).bytes()));
        // Another receipt each, or they were resends.
        out.collect(
            new TestBatch()
                .gauge("clean", SentInput.TIME, 1)
                .gauge("number", SentInput.TIME, i)
                .received(CLEAN, 30_000 + i, "12:00:06"));
      }
      out.collect(
          new PointsRecord("points", 0, NO_ENVELOPE, "", "env-a", "", "", 0, probe(1).bytes()));
      for (int i = 0; i < 2; i++) {
        out.collect(
            new TestBatch()
                .cumulative("contradicted", SentInput.START, SentInput.TIME, 40 + i)
                .received("org-a", CONTRADICTION + i, "12:00:06"));
      }
      long offset = FIRST_OF_NOBODY;
      while (LETTERS.collected().stream().noneMatch(l -> l.organizationId().equals(NOBODY))) {
        out.collect(probe(offset).received(NOBODY, offset, "12:00:06"));
        offset++;
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private static final class Controls implements FlatMapFunction<Long, ControlRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Long start, Collector<ControlRecord> out) {
      out.collect(TestControl.tenant("org-a", TenantState.TENANT_STATE_ACTIVE, 1, 0));
      out.collect(TestControl.tenant(CLEAN, TenantState.TENANT_STATE_ACTIVE, 1, 0));
      out.collect(TestControl.census(Long.MAX_VALUE));
    }
  }
}
