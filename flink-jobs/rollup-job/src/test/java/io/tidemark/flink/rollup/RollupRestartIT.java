package io.tidemark.flink.rollup;

import static io.tidemark.flink.io.StreamNames.named;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.io.usage.CountedIncrement;
import io.tidemark.flink.io.usage.EncodedIncrements;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.testing.CollectorSink;
import io.tidemark.flink.testing.CommittedSink;
import io.tidemark.flink.testing.Fleet;
import io.tidemark.flink.testing.FleetRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The production topology on RocksDB with incremental checkpoints, failing on the way. */
class RollupRestartIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SERIES = 500;
  private static final long BATCHES = 2_400;
  private static final int BATCHES_OF_A_CHECKPOINT = 300;
  private static final long POINTS = BATCHES * Fleet.POINTS_PER_BATCH;

  @TempDir Path checkpoints;

  /** Nothing between barriers is lost, nothing is counted twice. */
  @Test
  void everyPointCountsOnceAfterFailures() throws Exception {
    FailsAfterCheckpoints.COMPLETED.set(0);
    FailsAfterCheckpoints.FAILURES.set(0);
    StreamExecutionEnvironment environment = environment();
    DataStream<PointsRecord> records =
        named(
            named(
                    named(
                            named(numbers(environment), "test-sequence", "Numbers of batches")
                                .map(
                                    new FleetRecords(SERIES),
                                    TypeInformation.of(PointsRecord.class)),
                            "test-batches",
                            "Batches made in memory")
                        .map(new FailsAfterCheckpoints(), TypeInformation.of(PointsRecord.class)),
                    "test-failures",
                    "Fails now and then")
                .assignTimestampsAndWatermarks(
                    PointsSource.watermarks(
                        RollupRules.DEFAULT.outOfOrderness(), RollupRules.DEFAULT.idleness())),
            "test-watermarks",
            "Watermarks");
    RollupStreams streams = RollupTopology.define(records, "points", RollupRules.DEFAULT);
    CommittedSink minutes = new CommittedSink();
    CommittedSink hours = new CommittedSink();
    CommittedSink days = new CommittedSink();
    CollectorSink<io.tidemark.flink.model.reject.DeadLetter> letters = new CollectorSink<>();
    named(streams.minutes().sinkTo(minutes), "test-minutes", "Committed rows of minutes");
    named(streams.hours().sinkTo(hours), "test-hours", "Committed rows of hours");
    named(streams.days().sinkTo(days), "test-days", "Committed rows of days");
    named(streams.deadLetters().sinkTo(letters), "test-dead-letters", "Collect dead letters");
    CommittedSink increments = new CommittedSink();
    named(
        named(
                streams
                    .increments()
                    .map(
                        EncodedIncrements::increments,
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO),
                "test-increment-values",
                "Values of increments")
            .sinkTo(increments),
        "test-increments",
        "Committed increments");

    environment.execute("restarts");

    assertTrue(
        FailsAfterCheckpoints.FAILURES.get() >= 2,
        () -> "failed " + FailsAfterCheckpoints.FAILURES.get() + " times");
    double expected = 0;
    for (long i = 0; i < POINTS; i++) {
      expected += Fleet.value(i / SERIES, (int) (i % SERIES));
    }
    Set<String> paneIds = new HashSet<>();
    Set<String> seriesIds = new HashSet<>();
    int rows = 0;
    List<Long> rowsByLevel = new ArrayList<>();
    for (CommittedSink level : new CommittedSink[] {minutes, hours, days}) {
      long count = 0;
      long rowsOfLevel = 0;
      double sum = 0;
      for (byte[] bundle : level.committed()) {
        for (String line : new String(bundle, UTF_8).lines().toList()) {
          JsonNode row = JSON.readTree(line);
          count += row.get("count").asLong();
          sum += row.get("sum").asDouble();
          paneIds.add(row.get("pane_id").asText());
          seriesIds.add(row.get("series_id").asText());
          rows++;
          rowsOfLevel++;
        }
      }
      assertEquals(POINTS, count);
      assertEquals(expected, sum, expected * 1e-9);
      rowsByLevel.add(rowsOfLevel);
    }
    assertEquals(rows, paneIds.size(), "pane ids are unique");
    assertEquals(0, letters.collected().size());
    assertMetered(increments, rowsByLevel, seriesIds);
  }

  /** Increments are committed with what they count, or not at all. */
  private static void assertMetered(
      CommittedSink increments, List<Long> rowsByLevel, Set<String> seriesIds) throws Exception {
    MeteredUnits all = MeteredUnits.NONE;
    Set<String> shown = new HashSet<>();
    for (byte[] record : increments.committed()) {
      for (CountedIncrement counted : CountedIncrement.of(record)) {
        all = all.plus(counted.points()).plus(counted.rows());
        shown.addAll(counted.series());
      }
    }
    assertEquals(POINTS, all.points());
    assertEquals(BATCHES * new FleetRecords(SERIES).map(0L).value().length, all.bytes());
    assertEquals(rowsByLevel, List.of(all.rowsOfMinutes(), all.rowsOfHours(), all.rowsOfDays()));
    assertEquals(seriesIds, shown);
  }

  /** Numbers of batches, some after each checkpoint, so that no run ends before its failures. */
  private static DataStreamSource<Long> numbers(StreamExecutionEnvironment environment) {
    return environment.fromSource(
        new DataGeneratorSource<>(
            number -> number,
            BATCHES,
            RateLimiterStrategy.perCheckpoint(BATCHES_OF_A_CHECKPOINT),
            Types.LONG),
        WatermarkStrategy.noWatermarks(),
        "Numbers");
  }

  private StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(RocksDBOptions.OPTIONS_FACTORY, PaneStateOptions.class.getName());
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
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

  /** Fails once after the second and once after the fourth checkpoint it hears of. */
  private static final class FailsAfterCheckpoints
      implements MapFunction<PointsRecord, PointsRecord>, CheckpointListener {
    private static final long serialVersionUID = 1L;

    static final AtomicInteger COMPLETED = new AtomicInteger();
    static final AtomicInteger FAILURES = new AtomicInteger();

    @Override
    public PointsRecord map(PointsRecord record) {
      int due = COMPLETED.get() / 2;
      int failed = FAILURES.get();
      if (due > failed && failed < 3 && FAILURES.compareAndSet(failed, failed + 1)) {
        throw new IllegalStateException("A failure that the test wants");
      }
      return record;
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      COMPLETED.incrementAndGet();
    }
  }
}
