package io.tidemark.flink.lake;

import static io.tidemark.flink.io.StreamNames.named;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.source.PointsSource;
import io.tidemark.flink.io.removals.Removals;
import io.tidemark.flink.lake.operator.LakeTable;
import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.model.tenant.AdmissionRule;
import io.tidemark.flink.testing.Fleet;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestControl;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.iceberg.DistributionMode;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.sink.FlinkSink;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lake job's writing of {@code raw_points} against Flink's Iceberg sink: the same batches, the
 * same front (count once, RocksDB, checkpoints every 10 s), the same columns, partitions and codec;
 * one JVM, parallelism 1, runs interleaved. Batches are made before the clock starts. CPU time is
 * the process's, with garbage collection and JIT. Run by {@code make bench-lake}, never by the
 * build.
 */
class LakeBench {

  private static final int SERIES = Integer.getInteger("bench.series", 10_000);
  private static final long POINTS = Long.getLong("bench.points", 6_000_000L);
  private static final int PAIRS = Integer.getInteger("bench.pairs", 3);
  private static final long STEP_MS = 10_000;
  private static final long FIRST_MS = 1_772_323_200_000L;

  private static final List<PointsRecord> BATCHES = new ArrayList<>();

  @TempDir Path folder;
  private String database;
  private int runs;

  /**
   * @param bytesOfColumns the largest columns, bytes a point
   */
  private record Result(
      double pointsPerCoreSecond, double bytesPerPoint, int files, String bytesOfColumns) {}

  @Test
  void rowsAndBytes() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
      database = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres";
      for (Values values : measured()) {
        makeBatches(values);
        run(true);
        run(false);
        List<Result> own = new ArrayList<>();
        List<Result> peer = new ArrayList<>();
        for (int pair = 1; pair <= PAIRS; pair++) {
          peer.add(told(values, pair, "Flink's sink", run(false)));
          own.add(told(values, pair, "lake job", run(true)));
        }
        System.out.printf(
            "BENCH %s medians: lake job %.3f M points per core-second, %.3f bytes a point;"
                + " Flink's sink %.3f M, %.3f bytes; %.2fx the points, %.2fx the bytes%n",
            values,
            median(own, Result::pointsPerCoreSecond) / 1e6,
            median(own, Result::bytesPerPoint),
            median(peer, Result::pointsPerCoreSecond) / 1e6,
            median(peer, Result::bytesPerPoint),
            median(own, Result::pointsPerCoreSecond) / median(peer, Result::pointsPerCoreSecond),
            median(own, Result::bytesPerPoint) / median(peer, Result::bytesPerPoint));
      }
    }
  }

  private static List<Values> measured() {
    String wanted = System.getProperty("bench.values", "");
    return wanted.isEmpty() ? List.of(Values.values()) : List.of(Values.valueOf(wanted));
  }

  private static Result told(Values values, int pair, String who, Result result) {
    System.out.printf(
        "BENCH %s pair %d %s: %.3f M points per core-second, %.3f bytes a point, %d files:%s%n",
        values,
        pair,
        who,
        result.pointsPerCoreSecond() / 1e6,
        result.bytesPerPoint(),
        result.files(),
        result.bytesOfColumns());
    return result;
  }

  private static double median(
      List<Result> results, java.util.function.ToDoubleFunction<Result> figure) {
    double[] sorted = results.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static void makeBatches(Values values) {
    BATCHES.clear();
    Fleet fleet = new Fleet(SERIES, STEP_MS, FIRST_MS, false);
    for (long batch = 0; batch < POINTS / Fleet.POINTS_PER_BATCH; batch++) {
      ConsumerRecord<byte[], byte[]> record =
          new ConsumerRecord<>(
              "points", 0, batch, new byte[0], values.put(fleet.bytes(batch), batch, fleet));
      Fleet.addHeaders(record.headers(), batch, fleet.timeMs(batch));
      BATCHES.add(TestBatch.read(record));
    }
  }

  private Result run(boolean isOwn) throws Exception {
    String namespace = "run_" + runs++;
    String warehouse = folder.resolve("warehouse").toUri().toString();
    try (LakeCatalog catalog = LakeCatalog.open(database, "postgres", "", warehouse)) {
      TablesFile file = TablesFile.read(Path.of("../../infra/iceberg/tables.yaml"));
      TableDefinition raw = file.tables().get(0);
      catalog.createNamespace(org.apache.iceberg.catalog.Namespace.of(namespace));
      catalog
          .buildTable(TableIdentifier.of(namespace, "raw_points"), raw.schema())
          .withPartitionSpec(raw.partition())
          // The peer does not sort; asking it to would only cost it time.
          .withProperties(raw.properties())
          .create();
    }
    LakeTable table = new CatalogTable(database, "postgres", warehouse, namespace, "raw_points");
    StreamExecutionEnvironment environment = environment();
    DataStream<PointsRecord> records =
        named(
            named(
                    named(
                            environment.fromSequence(0, BATCHES.size() - 1),
                            "bench-sequence",
                            "Numbers of batches")
                        .map(new Prepared(), TypeInformation.of(PointsRecord.class)),
                    "bench-batches",
                    "Batches made before")
                .assignTimestampsAndWatermarks(
                    PointsSource.watermarks(Duration.ofSeconds(5), Duration.ofSeconds(5))),
            "bench-watermarks",
            "Watermarks");
    if (isOwn) {
      LakeTopology.points(
          records,
          nobody(environment),
          table,
          new LakeTopology.Care(
              Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7), Removals.NONE));
    } else {
      defaultSink(records, nobody(environment), table, namespace, warehouse);
    }
    long before = cpuNanos();
    environment.execute("bench");
    double cpu = (cpuNanos() - before) / 1e9;
    try (LakeTable.Opened opened = table.open()) {
      return checked(opened.table(), cpu);
    }
  }

  private void defaultSink(
      DataStream<PointsRecord> records,
      DataStream<ControlRecord> tenants,
      LakeTable table,
      String namespace,
      String warehouse)
      throws Exception {
    Schema schema;
    try (LakeTable.Opened opened = table.open()) {
      schema = opened.table().schema();
    }
    DataStream<RowData> rows =
        named(
            named(
                    records
                        .keyBy(AdmitBatches::batchKey, TypeInformation.of(String.class))
                        .connect(tenants.broadcast(AdmitBatches.TENANTS))
                        .process(
                            new AdmitBatches(ResendRule.DEFAULT, AdmissionRule.DEFAULT),
                            TypeInformation.of(AdmittedBatch.class)),
                    "bench-count-once",
                    "Count byte-identical resends once")
                .transform(
                    "decode",
                    InternalTypeInfo.of(FlinkSchemaUtil.convert(schema)),
                    new DecodeToRowData()),
            "bench-decode",
            "Decode OTLP batches to rows");
    FlinkSink.forRowData(rows)
        .tableLoader(new BenchTableLoader(database, warehouse, namespace))
        .distributionMode(DistributionMode.NONE)
        .uidPrefix("bench-sink")
        .writeParallelism(1)
        .append();
  }

  /** A control record of nobody here. */
  private static DataStream<ControlRecord> nobody(StreamExecutionEnvironment environment) {
    return named(
        environment.fromData(
            List.of(TestControl.tenant("org-other", TenantState.TENANT_STATE_ACTIVE, 1, 0)),
            TypeInformation.of(ControlRecord.class)),
        "bench-tenants",
        "No control records");
  }

  private static Result checked(Table table, double cpu) throws Exception {
    long rows = 0;
    long bytes = 0;
    int files = 0;
    Map<Integer, Long> columns = new HashMap<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
      for (FileScanTask task : tasks) {
        task.file().columnSizes().forEach((id, size) -> columns.merge(id, size, Long::sum));
        rows += task.file().recordCount();
        bytes += task.file().fileSizeInBytes();
        files++;
      }
    }
    assertEquals(POINTS, rows);
    return new Result(
        (double) POINTS / cpu, (double) bytes / (double) POINTS, files, told(table, columns));
  }

  private static String told(Table table, Map<Integer, Long> columns) {
    StringBuilder text = new StringBuilder();
    columns.entrySet().stream()
        .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
        .limit(7)
        .forEach(
            column ->
                text.append(
                    String.format(
                        " %s %.3f",
                        table.schema().findColumnName(column.getKey()),
                        (double) column.getValue() / (double) POINTS)));
    return text.toString();
  }

  private StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.resolve("state").toUri().toString());
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    LakeJob.neverDiffer(environment, Duration.ofSeconds(10));
    // The peer's sink brings types of its own.
    environment.configure(
        Configuration.fromMap(
            Map.of("pipeline.generic-types", "true", "pipeline.auto-generate-uids", "true")));
    return environment;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static final class Prepared implements MapFunction<Long, PointsRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public PointsRecord map(Long batch) {
      return BATCHES.get(batch.intValue());
    }
  }
}
