package io.tidemark.flink.lake;

import static io.tidemark.flink.io.StreamNames.named;

import io.tidemark.flink.io.admission.AdmitBatches;
import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.removals.Removals;
import io.tidemark.flink.io.rows.RollupRecord;
import io.tidemark.flink.lake.operator.DataFileWriter;
import io.tidemark.flink.lake.operator.FileCommitter;
import io.tidemark.flink.lake.operator.LakeTable;
import io.tidemark.flink.lake.operator.PartitionFiles;
import io.tidemark.flink.lake.operator.Upkeep;
import io.tidemark.flink.lake.rows.PointRows;
import io.tidemark.flink.lake.rows.RollupRows;
import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.tenant.AdmissionRule;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * The job as a paragraph. Each table has its own pipeline and its own committer.
 *
 * <pre>
 *  tenants ───────────────────┐ to all
 *                             ▼
 *  records of points ──► count once ──► write files ──► commit raw_points
 *  records of rows ─────────────────► write files ──► commit rollup_1m, _1m_hc, _1h, _1d
 * </pre>
 */
final class LakeTopology {

  /** State is spread over this many key groups; changing it orphans every savepoint. */
  static final int KEY_GROUPS = 128;

  /** A row of points takes about this many bytes until it is written. */
  private static final long BYTES_PER_POINT = 128;

  /** A row of a rollup, as objects. */
  private static final long BYTES_PER_ROW = 512;

  /** Rows of a file that was merged from small ones; merging holds them in memory. */
  private static final int MERGED_POINTS = 150_000;

  private static final int MERGED_ROWS = 60_000;

  /** Fewer small files of a partition are left as they are. */
  private static final int FEWEST_FILES = 8;

  /**
   * How the tables are kept in shape; see {@link Upkeep}.
   *
   * @param interval between looks at a table
   * @param keepSnapshots how long an old snapshot can be read
   * @param orphanAge longer than the longest stop of the job
   * @param removals which rows are to be removed
   */
  record Care(Duration interval, Duration keepSnapshots, Duration orphanAge, Removals removals) {
    Upkeep of(int maxRows) {
      return new Upkeep(interval, FEWEST_FILES, maxRows, keepSnapshots, orphanAge);
    }
  }

  private LakeTopology() {}

  /**
   * @param records records of the points topic, with event time and watermarks
   * @param tenants control records of tenants
   */
  static void points(
      DataStream<PointsRecord> records,
      DataStream<ControlRecord> tenants,
      LakeTable table,
      Care care) {
    DataStream<AdmittedBatch> batches =
        named(
            records
                .keyBy(AdmitBatches::batchKey, TypeInformation.of(String.class))
                .connect(tenants.broadcast(AdmitBatches.TENANTS))
                .process(
                    new AdmitBatches(ResendRule.DEFAULT, AdmissionRule.DEFAULT),
                    TypeInformation.of(AdmittedBatch.class)),
            "lake-count-batches-once",
            "Count byte-identical resends once, for tenants that exist");
    files(
        batches,
        "raw-points",
        table,
        loaded ->
            new PointRows(
                loaded.schema(),
                PointTimeLimits.DEFAULT,
                PartitionFiles.tenantBuckets(loaded),
                rowsInMemory(BYTES_PER_POINT)),
        care,
        MERGED_POINTS);
  }

  /**
   * @param records of a rollup topic
   * @param level part of the operators' uids
   */
  static void rollups(DataStream<RollupRecord> records, String level, LakeTable table, Care care) {
    files(
        records,
        level,
        table,
        loaded ->
            new RollupRows(
                loaded.schema(), PartitionFiles.tenantBuckets(loaded), rowsInMemory(BYTES_PER_ROW)),
        care,
        MERGED_ROWS);
  }

  private static <T> void files(
      DataStream<T> stream,
      String uid,
      LakeTable table,
      DataFileWriter.Buffers<T> buffers,
      Care care,
      int maxRows) {
    DataStream<String> files =
        named(
            stream.transform("write", Types.STRING, new DataFileWriter<>(table, buffers)),
            "lake-write-" + uid,
            "Write sorted files of " + table.name());
    named(
        files
            .transform(
                "commit", Types.VOID, new FileCommitter(table, care.of(maxRows), care.removals()))
            .setParallelism(1),
        "lake-commit-" + uid,
        "Commit files of " + table.name() + " with their checkpoint");
  }

  /** A sixteenth of the heap, for each table and subtask. */
  private static int rowsInMemory(long bytesPerRow) {
    long rows = Runtime.getRuntime().maxMemory() / 16 / bytesPerRow;
    return (int) Math.max(10_000, Math.min(rows, 2_000_000));
  }
}
