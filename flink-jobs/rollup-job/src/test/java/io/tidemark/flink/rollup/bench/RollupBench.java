package io.tidemark.flink.rollup.bench;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.PointsSource;
import io.tidemark.flink.rollup.RollupRules;
import io.tidemark.flink.rollup.RollupStreams;
import io.tidemark.flink.rollup.RollupTopology;
import io.tidemark.flink.testing.CollectingSink;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Points per core-second of the production topology in this JVM: RocksDB, incremental checkpoints
 * every 5 s, parallelism 1. Instead of Kafka: batches made in memory, rows dropped after the sink
 * saw their bytes. CPU time is the process's, with generator, garbage collection and JIT. Run by
 * {@code make bench-rollup}, never by the build.
 */
class RollupBench {

  private static final int SERIES = Integer.getInteger("bench.series", 10_000);
  private static final long POINTS = Long.getLong("bench.points", 6_000_000L);
  private static final long WARM_UP = Long.getLong("bench.warm-up", 6_000_000L);
  private static final int RUNS = Integer.getInteger("bench.runs", 3);

  @TempDir Path checkpoints;

  @Test
  void pointsPerCoreSecond() throws Exception {
    run("warm-up, sums checked", WARM_UP, true);
    for (int run = 1; run <= RUNS; run++) {
      run("run " + run, POINTS, false);
    }
    generatorAlone();
  }

  private void run(String name, long points, boolean isChecked) throws Exception {
    long batches = points / GeneratedBatches.POINTS_PER_BATCH;
    StreamExecutionEnvironment environment = environment();
    DataStream<PointsRecord> records =
        named(
            named(
                    named(
                            environment.fromSequence(0, batches - 1),
                            "bench-sequence",
                            "Numbers of batches")
                        .map(new GeneratedBatches(SERIES), TypeInformation.of(PointsRecord.class)),
                    "bench-batches",
                    "Batches made in memory")
                .assignTimestampsAndWatermarks(
                    PointsSource.watermarks(
                        RollupRules.DEFAULT.outOfOrderness(), RollupRules.DEFAULT.idleness())),
            "bench-watermarks",
            "Watermarks");
    RollupStreams streams = RollupTopology.define(records, "points", RollupRules.DEFAULT);
    RowTotals minutes = new RowTotals(isChecked);
    RowTotals hours = new RowTotals(isChecked);
    RowTotals days = new RowTotals(isChecked);
    CollectingSink<io.tidemark.flink.model.reject.DeadLetter> letters = new CollectingSink<>();
    named(streams.minutes().sinkTo(minutes), "bench-minutes", "Count rows of minutes");
    named(streams.hours().sinkTo(hours), "bench-hours", "Count rows of hours");
    named(streams.days().sinkTo(days), "bench-days", "Count rows of days");
    named(streams.deadLetters().sinkTo(letters), "bench-dead-letters", "Collect dead letters");

    long cpuBefore = cpuNanos();
    long before = System.nanoTime();
    environment.execute("bench");
    double cpu = (cpuNanos() - cpuBefore) / 1e9;
    double wall = (System.nanoTime() - before) / 1e9;

    assertEquals(0, letters.collected().size());
    if (isChecked) {
      for (RowTotals totals : new RowTotals[] {minutes, hours, days}) {
        check(points, totals.totals());
      }
    }
    System.out.printf(
        "BENCH %s: %,d points, %.2f CPU-s, %.2f s wall, %.3f M points per core-second;"
            + " bytes 1m %,d 1h %,d 1d %,d; rows %,d%n",
        name,
        points,
        cpu,
        wall,
        points / cpu / 1e6,
        minutes.totals().bytes.sum(),
        hours.totals().bytes.sum(),
        days.totals().bytes.sum(),
        minutes.totals().rows.sum() + hours.totals().rows.sum() + days.totals().rows.sum());
  }

  /** Each level counts every point once and adds up to the generator's sum. */
  private static void check(long points, RowTotals.Totals totals) {
    assertEquals(points, totals.counts.sum());
    double expected = 0;
    for (long i = 0; i < points; i++) {
      expected += GeneratedBatches.value(i / SERIES, i % SERIES);
    }
    assertEquals(expected, totals.sums.sum(), expected * 1e-9);
  }

  private static void generatorAlone() {
    GeneratedBatches generator = new GeneratedBatches(SERIES);
    long bytes = 0;
    long before = cpuNanos();
    long batches = POINTS / GeneratedBatches.POINTS_PER_BATCH;
    for (long batch = 0; batch < batches; batch++) {
      bytes += generator.map(batch).value().length;
    }
    System.out.printf(
        "BENCH of it the generator with headers and watermark time: %.2f CPU-s; %.1f bytes a"
            + " point%n",
        (cpuNanos() - before) / 1e9, (double) bytes / POINTS);
  }

  private StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(5));
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    configuration.set(PipelineOptions.MAX_PARALLELISM, RollupTopology.KEY_GROUPS);
    return StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
