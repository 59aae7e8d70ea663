package io.tidemark.flink.lake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.flink.lake.operator.TopicOffsets;
import io.tidemark.flink.lake.parquet.SortedFileReader;
import io.tidemark.flink.lake.rows.StoredRowLines;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * One snapshot of a rollup table whose files stay while it is read, whatever the lake job does
 * meanwhile: a tag holds it, which expires by itself if nobody removes it.
 */
final class PinnedTable {

  static final String TAG = "druid-rebuild";
  private static final Duration LONGEST = Duration.ofDays(7);
  private static final JsonFactory JSON = new JsonFactory();

  /** Files of one day and tenant bucket, read together. */
  record Part(LocalDate day, int bucket) implements Comparable<Part> {
    @Override
    public int compareTo(Part other) {
      int byDay = day.compareTo(other.day);
      return byDay != 0 ? byDay : Integer.compare(bucket, other.bucket);
    }
  }

  private final Table table;
  private final long snapshot;
  private final TopicOffsets offsets;
  private final TreeMap<Part, List<DataFile>> parts = new TreeMap<>();

  private PinnedTable(Table table, long snapshot, TopicOffsets offsets) {
    this.table = table;
    this.snapshot = snapshot;
    this.offsets = offsets;
  }

  /** Pins what the table holds now; what was pinned before is let go. */
  static PinnedTable pin(Table table) throws IOException {
    if (table.currentSnapshot() == null) {
      return new PinnedTable(table, 0, new TopicOffsets(Map.of()));
    }
    long current = table.currentSnapshot().snapshotId();
    // Before the commit: it reads the table again, which may hold more by then.
    TopicOffsets offsets = TopicOffsets.of(table);
    ManageSnapshots change = table.manageSnapshots();
    if (table.refs().containsKey(TAG)) {
      change.replaceTag(TAG, current);
    } else {
      change.createTag(TAG, current);
    }
    change.setMaxRefAgeMs(TAG, LONGEST.toMillis()).commit();
    PinnedTable pinned = new PinnedTable(table, current, offsets);
    for (DataFile file : pinned.files(Expressions.alwaysTrue())) {
      Part part =
          new Part(
              LocalDate.ofEpochDay(file.partition().get(0, Integer.class)),
              file.partition().get(1, Integer.class));
      pinned.parts.computeIfAbsent(part, first -> new ArrayList<>()).add(file);
    }
    return pinned;
  }

  /** Lets the lake job expire the snapshot. */
  void release() {
    table.refresh();
    SnapshotRef held = table.refs().get(TAG);
    if (held != null) {
      table.manageSnapshots().removeTag(TAG).commit();
    }
  }

  /** 0 for a table that never had a row. */
  long snapshot() {
    return snapshot;
  }

  /**
   * How far the snapshot holds the topic: partition and offset after the last record. Partitions of
   * which the table does not say it are left out.
   */
  Map<Integer, Long> offsets() {
    return offsets.next();
  }

  Set<Part> parts() {
    return parts.keySet();
  }

  /** Rows of a part, as the table's metadata count them. */
  long rows(Part part) {
    return parts.getOrDefault(part, List.of()).stream().mapToLong(DataFile::recordCount).sum();
  }

  /**
   * Writes the rows of a part as the rollup topic carries them, a row a line; each time in the same
   * order.
   */
  void write(Part part, OutputStream out) throws IOException {
    StoredRowLines lines = new StoredRowLines(table.schema());
    for (DataFile file : parts.getOrDefault(part, List.of())) {
      lines.write(open(file), out);
    }
  }

  /**
   * Which of the rows that a topic carries the snapshot holds.
   *
   * @param lines rows of the topic, a row a line
   * @return ids of their panes
   */
  Set<String> stored(byte[] lines) throws IOException {
    Set<String> asked = new HashSet<>();
    Set<String> tenants = new TreeSet<>();
    TreeSet<Long> times = new TreeSet<>();
    try (JsonParser in = JSON.createParser(lines)) {
      while (in.nextToken() == JsonToken.START_OBJECT) {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
          String name = in.currentName();
          in.nextToken();
          switch (name) {
            case "pane_id" -> asked.add(in.getText());
            case "organization_id" -> tenants.add(in.getText());
            case "timestamp" -> times.add(in.getLongValue());
            default -> {
              // Panes have ids of their own.
            }
          }
        }
      }
    }
    Set<String> found = new HashSet<>();
    if (snapshot == 0 || asked.isEmpty()) {
      return found;
    }
    Set<Integer> days = new TreeSet<>();
    times.forEach(
        time ->
            days.add(
                (int)
                    Instant.ofEpochMilli(time).atZone(ZoneOffset.UTC).toLocalDate().toEpochDay()));
    Expression narrow =
        Expressions.and(
            Expressions.in("organization_id", tenants.toArray()),
            Expressions.greaterThanOrEqual(
                "event_time", Instant.ofEpochMilli(times.first()).toString()),
            Expressions.lessThanOrEqual(
                "event_time", Instant.ofEpochMilli(times.last()).toString()));
    StoredRowLines rows = new StoredRowLines(table.schema());
    for (DataFile file : files(narrow)) {
      if (days.contains(file.partition().get(0, Integer.class))) {
        rows.panes(
            open(file),
            pane -> {
              if (asked.contains(pane)) {
                found.add(pane);
              }
            });
      }
    }
    return found;
  }

  private List<DataFile> files(Expression narrow) throws IOException {
    List<DataFile> files = new ArrayList<>();
    TableScan scan = table.newScan().useSnapshot(snapshot).filter(narrow).includeColumnStats();
    try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
      for (FileScanTask task : tasks) {
        if (!task.deletes().isEmpty()) {
          throw new IllegalStateException(
              "Rows of "
                  + table.name()
                  + " were deleted by delete files, which are not read here. Rewrite the table's"
                  + " files first.");
        }
        files.add(task.file().copyWithoutStats());
      }
    }
    files.sort((one, other) -> one.location().compareTo(other.location()));
    return files;
  }

  private SortedFileReader open(DataFile file) throws IOException {
    byte[] bytes;
    try (SeekableInputStream in = table.io().newInputFile(file.location()).newStream()) {
      bytes = in.readNBytes((int) file.fileSizeInBytes());
    }
    SortedFileReader reader = new SortedFileReader(table.schema(), bytes);
    if (!reader.isReadable()) {
      throw new IllegalStateException(
          file.location() + " was not written by the lake job, or before the table was migrated.");
    }
    return reader;
  }
}
