package io.tidemark.flink.lake.operator;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/** Data files that a failure left behind: written, but in no snapshot. */
final class Orphans {

  /** What stands before a path: scheme, host and slashes. Stores spell it in several ways. */
  private static final Pattern BEFORE_PATH =
      Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*:(?=/))?(//[^/]*)?/*");

  private Orphans() {}

  /**
   * Removes data files that no snapshot holds.
   *
   * @param table refreshed before
   * @param now milliseconds since the Unix epoch
   * @param age files that are younger stay: state of the job may hold them
   * @return how many files were removed
   */
  static int remove(Table table, long now, Duration age) throws IOException {
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
          entries.forEach(file -> held.add(path(file.location())));
        }
      }
    }
    String folder = table.location() + "/data/";
    List<String> orphans = among(files.listPrefix(folder), folder, held, now, age);
    orphans.forEach(files::deleteFile);
    return orphans.size();
  }

  /**
   * Finds the files of a folder that nobody holds. They are old by this process's clock and by the
   * store's, which has to have made another file since: a clock that jumps ahead makes no file old.
   *
   * @param listed as a store names them: whole, or from its root on as Azure's does
   * @param folder whole, with a slash at its end
   * @param held paths of files that stay, by {@link #path}
   * @return whole names
   */
  static List<String> among(
      Iterable<FileInfo> listed, String folder, Set<String> held, long now, Duration age) {
    String root = path(folder);
    long newest = 0;
    List<FileInfo> old = new ArrayList<>();
    for (FileInfo file : listed) {
      newest = Math.max(newest, file.createdAtMillis());
      String path = path(file.location());
      if (now - file.createdAtMillis() > age.toMillis()
          && path.startsWith(root)
          && !held.contains(path)) {
        old.add(file);
      }
    }
    List<String> orphans = new ArrayList<>();
    for (FileInfo file : old) {
      if (newest - file.createdAtMillis() > age.toMillis()) {
        orphans.add(folder + path(file.location()).substring(root.length()));
      }
    }
    return orphans;
  }

  /** By which two names of one file are equal. */
  static String path(String location) {
    return BEFORE_PATH.matcher(location).replaceFirst("");
  }
}
