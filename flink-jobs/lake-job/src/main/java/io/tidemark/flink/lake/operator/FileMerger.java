package io.tidemark.flink.lake.operator;

import io.tidemark.flink.lake.parquet.SortedFileReader;
import io.tidemark.flink.lake.rows.MergedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads small files and writes larger ones with the same rows. Runs beside the committer and only
 * prepares: the committer itself puts the result into the table, so there is one committer.
 */
final class FileMerger {

  private final Table table;
  private final Upkeep upkeep;
  private final String prefix;
  private final int zstdLevel;
  private long rounds;

  /**
   * Prepared work.
   *
   * @param snapshot in which the replaced files were found
   * @param replaced files
   * @param added files with the same rows
   */
  record Merged(long snapshot, List<DataFile> replaced, List<DataFile> added) {}

  /**
   * @param table of a connection of its own
   * @param prefix of the files' names; never used before
   */
  FileMerger(Table table, Upkeep upkeep, String prefix, int zstdLevel) {
    this.table = table;
    this.upkeep = upkeep;
    this.prefix = prefix;
    this.zstdLevel = zstdLevel;
  }

  /** Null when there is nothing to do. */
  @Nullable Merged prepare() throws IOException {
    table.refresh();
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      return null;
    }
    List<DataFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().useSnapshot(snapshot.snapshotId()).includeColumnStats().planFiles()) {
      for (FileScanTask task : tasks) {
        if (task.deletes().isEmpty() && task.file().specId() == table.spec().specId()) {
          files.add(task.file());
        }
      }
    }
    List<DataFile> replaced = new ArrayList<>();
    PartitionFiles output = new PartitionFiles(table, prefix + "-" + rounds++, zstdLevel);
    boolean done = false;
    try {
      for (List<DataFile> group :
          MergePlan.of(
              files,
              file ->
                  file.partition().get(0, Object.class)
                      + "/"
                      + file.partition().get(1, Object.class),
              DataFile::recordCount,
              upkeep,
              4L * upkeep.maxRows())) {
        if (merge(group, output)) {
          replaced.addAll(group);
        }
      }
      List<DataFile> added = output.take();
      check(replaced, added);
      done = true;
      return replaced.isEmpty() ? null : new Merged(snapshot.snapshotId(), replaced, added);
    } finally {
      if (!done) {
        output.abandon();
      }
    }
  }

  /** False if some file is not of our writer: then the group is left alone. */
  private boolean merge(List<DataFile> group, PartitionFiles output) throws IOException {
    MergedRows rows = new MergedRows(table.schema(), PartitionFiles.tenantBuckets(table));
    for (DataFile file : group) {
      byte[] bytes;
      try (SeekableInputStream in = table.io().newInputFile(file.location()).newStream()) {
        bytes = in.readNBytes((int) file.fileSizeInBytes());
      }
      SortedFileReader reader = new SortedFileReader(table.schema(), bytes);
      if (!reader.isReadable()) {
        return false;
      }
      rows.add(reader);
    }
    rows.drain(output::write);
    // One row group is one file, so that every merged file is sorted as a whole.
    output.finishAll();
    return true;
  }

  /** What comes out must be what went in; otherwise the files stay as they are. */
  private static void check(List<DataFile> replaced, List<DataFile> added) {
    long before = replaced.stream().mapToLong(DataFile::recordCount).sum();
    long after = added.stream().mapToLong(DataFile::recordCount).sum();
    if (before != after) {
      throw new IllegalStateException(
          "Merging " + before + " rows gave " + after + ": the files are left as they are");
    }
  }
}
