package io.tidemark.flink.replay;

import io.tidemark.flink.lake.LakeCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;

/**
 * Which Parquet files hold a tenant's rows of a window, as Iceberg plans them. The SQL engine reads
 * files of this machine only: those of an object store are fetched, and removed on closing.
 */
final class LakeFiles implements AutoCloseable {

  private static final String NAMESPACE = "telemetry";

  private final LakeCatalog catalog;
  private final Path fetched;
  private final Map<String, String> copies = new HashMap<>();

  LakeFiles(ReplayConfig config) {
    fetched = config.folder().resolve("fetched").toAbsolutePath();
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
        paths.add(local(loaded.io(), task.file().location()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Planning files of " + table + " failed", e);
    }
    return new Plan(scan.snapshot().snapshotId(), paths.stream().distinct().sorted().toList());
  }

  /** A file is fetched once, however many questions it is read for. */
  private String local(FileIO files, String location) throws IOException {
    if (location.startsWith("file:")) {
      return URI.create(location).getPath();
    }
    String copy = copies.get(location);
    if (copy == null) {
      Files.createDirectories(fetched);
      Path target = fetched.resolve(copies.size() + ".parquet");
      try (InputStream in = files.newInputFile(location).newStream()) {
        Files.copy(in, target);
      }
      copy = target.toString();
      copies.put(location, copy);
    }
    return copy;
  }

  @Override
  public void close() throws IOException {
    catalog.close();
    for (String copy : copies.values()) {
      Files.deleteIfExists(Path.of(copy));
    }
    Files.deleteIfExists(fetched);
  }
}
