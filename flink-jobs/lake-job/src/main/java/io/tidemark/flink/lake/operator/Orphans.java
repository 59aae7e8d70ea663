package io.tidemark.flink.lake.operator;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/** Data files that a failure left behind: written, but in no snapshot. */
final class Orphans {

  private Orphans() {}

  /**
   * Removes data files that no snapshot holds.
   *
   * @param table refreshed before
   * @param createdBefore files that are younger stay, milliseconds since the Unix epoch: state of
   *     the job may hold them
   * @return how many files were removed
   */
  static int remove(Table table, long createdBefore) throws IOException {
    if (!(table.io() instanceof SupportsPrefixOperations files)) {
      return 0;
    }
    Set<String> held = new HashSet<>();
    Set<String> read = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
        if (!read.add(manifest.path())) {
          continue;
        }
        try (var entries = ManifestFiles.read(manifest, table.io(), table.specs())) {
          entries.forEach(file -> held.add(file.location()));
        }
      }
    }
    int removed = 0;
    for (FileInfo file : files.listPrefix(table.location() + "/data/")) {
      if (file.createdAtMillis() < createdBefore && !held.contains(file.location())) {
        files.deleteFile(file.location());
        removed++;
      }
    }
    return removed;
  }
}
