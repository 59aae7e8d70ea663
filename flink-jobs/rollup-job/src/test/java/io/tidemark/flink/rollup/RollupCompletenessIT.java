package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.contracts.pipeline.v1.Complete;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.CommittedSink;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the job states is true at the moment it can be read, also after failures. */
class RollupCompletenessIT {

  private static final int SECONDS = 40_000;
  private static final int SERIES = 5;
  private static final long START = TestTime.at("00:00:00");

  private static final Pattern ROW =
      Pattern.compile("\\{\"timestamp\":([0-9]+).*?\"count\":([0-9]+)");

  /** Window and count of a row. */
  private record Row(long window, long count) {}

  private final Map<byte[], List<Row>> rows = new IdentityHashMap<>();

  @TempDir Path checkpoints;

  @Test
  void statementsAreTrueWhenTheyBecomeVisible() throws Exception {
    FailsOnce.COMPLETED.set(0);
    FailsOnce.FAILURES.set(0);
    StreamExecutionEnvironment environment = environment();
    DataStream<PointsRecord> records =
        named(
            named(
                    named(
                            environment.fromSequence(0, SECONDS - 1),
                            "test-sequence",
                            "One batch a second")
                        .map(new FailsOnce(), TypeInformation.of(PointsRecord.class)),
                    "test-batches",
                    "Batches made in memory; fails now and then")
                .assignTimestampsAndWatermarks(
                    PointsSource.watermarks(
                        RollupRules.DEFAULT.outOfOrderness(), RollupRules.DEFAULT.idleness())),
            "test-watermarks",
            "Watermarks");
    RollupStreams streams = RollupTopology.define(records, "points", RollupRules.DEFAULT);
    CommittedSink minutes = new CommittedSink();
    CommittedSink hours = new CommittedSink();
    ObservedStatements statements = new ObservedStatements(minutes, hours);
    CollectorSink<DeadLetter> letters = new CollectorSink<>();
    named(streams.minutes().sinkTo(minutes), "test-minutes", "Committed rows of minutes");
    named(streams.hours().sinkTo(hours), "test-hours", "Committed rows of hours");
    named(streams.deadLetters().sinkTo(letters), "test-dead-letters", "Collect dead letters");
    named(streams.progress().sinkTo(statements).setParallelism(1), "test-progress", "Statements");

    environment.execute("completeness");

    assertTrue(FailsOnce.FAILURES.get() >= 1, "failed at least once");
    int speaking = 0;
    for (ObservedStatements.Observed observed : statements.observed()) {
      assertTrue(observed.progress().hasComplete(), "all points were on time");
      Complete complete = observed.progress().getComplete();
      assertEquals(List.of(), complete.getLaggingList());
      long until = complete.getCompleteUntilUnixMs();
      assertEquals(pointsBefore(until, 60), countBefore(observed.bundles().get(0), until, 60));
      assertEquals(
          pointsBefore(until, 3_600), countBefore(observed.bundles().get(1), until, 3_600));
      if (until >= START + 60_000) {
        speaking++;
      }
    }
    assertTrue(speaking >= 3, speaking + " statements spoke of rows");
  }

  /** Points in windows that end at or before a time. */
  private static long pointsBefore(long until, int windowSeconds) {
    long windows = Math.max(0, (until - START) / (windowSeconds * 1_000L));
    return Math.min(windows * windowSeconds, SECONDS) * SERIES;
  }

  private long countBefore(List<byte[]> bundles, long until, int windowSeconds) {
    long count = 0;
    for (byte[] bundle : bundles) {
      for (Row row : rows.computeIfAbsent(bundle, RollupCompletenessIT::parse)) {
        count += row.window() + windowSeconds * 1_000L <= until ? row.count() : 0;
      }
    }
    return count;
  }

  private static List<Row> parse(byte[] bundle) {
    return ROW.matcher(new String(bundle, US_ASCII))
        .results()
        .map(row -> new Row(Long.parseLong(row.group(1)), Long.parseLong(row.group(2))))
        .toList();
  }

  private StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
    RollupJob.neverDiffer(environment);
    return environment;
  }

  /** Makes the batch of a second; fails after the third checkpoint it hears of. */
  private static final class FailsOnce
      implements MapFunction<Long, PointsRecord>, CheckpointListener {
    private static final long serialVersionUID = 1L;

    static final AtomicInteger COMPLETED = new AtomicInteger();
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    public PointsRecord map(Long second) {
      if (COMPLETED.get() >= 3 && FAILURES.compareAndSet(0, 1)) {
        throw new IllegalStateException("A failure that the test wants");
      }
      String time =
          LocalTime.ofSecondOfDay(second).format(java.time.format.DateTimeFormatter.ISO_LOCAL_TIME);
      TestBatch batch = new TestBatch();
      for (int series = 0; series < SERIES; series++) {
        batch.delta("metric-" + series, time, 1);
      }
      return batch.received("org-a", second, time);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      COMPLETED.incrementAndGet();
    }
  }
}
