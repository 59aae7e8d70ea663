package io.tidemark.flink.replay;

import io.tidemark.flink.lake.LakeCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;

/** Which Parquet files hold a tenant's rows of a window, as Iceberg plans them. */
final class LakeFiles implements AutoCloseable {

  private static final String NAMESPACE = "telemetry";

  private final JdbcCatalog catalog;

  LakeFiles(ReplayConfig config) {
    catalog =
        LakeCatalog.open(
            config.catalogUri(),
            config.catalogUser(),
            config.catalogPassword(),
            config.warehouse());
  }

  /**
   * @param snapshotId what was read; 0 for a table without any
   * @param paths local files; they may hold rows of others, too
   */
  record Plan(long snapshotId, List<String> paths) {}

  /**
   * @throws IllegalStateException when rows of the window were deleted row by row: such files must
   *     be rewritten before a replay
   */
  Plan plan(String table, String tenant, Instant from, Instant to) {
    Table loaded = catalog.loadTable(TableIdentifier.of(NAMESPACE, table));
    if (loaded.currentSnapshot() == null) {
      return new Plan(0, List.of());
    }
    TableScan scan =
        loaded
            .newScan()
            .useSnapshot(loaded.currentSnapshot().snapshotId())
            .filter(
                Expressions.and(
                    Expressions.equal("organization_id", tenant),
                    Expressions.greaterThanOrEqual("event_time", from.toString()),
                    Expressions.lessThan("event_time", to.toString())));
    List<String> paths = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
      for (FileScanTask task : tasks) {
        if (!task.deletes().isEmpty()) {
          throw new IllegalStateException(
              "Rows of "
                  + table
                  + " were deleted from "
                  + task.file().location()
                  + " by delete files, which a replay does not read. Rewrite the table's files"
                  + " first.");
        }
        paths.add(URI.create(task.file().location()).getPath());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Planning files of " + table + " failed", e);
    }
    return new Plan(scan.snapshot().snapshotId(), paths.stream().distinct().sorted().toList());
  }

  @Override
  public void close() {
    catalog.close();
  }
}
