package io.tidemark.flink.lake.operator;

import io.tidemark.flink.lake.parquet.RowGroupSource;
import io.tidemark.flink.lake.parquet.SortedFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.OutputFile;

/** The files being written for a table, one per partition. */
public final class PartitionFiles {

  /** A file ends at this size, bytes. */
  static final long TARGET_SIZE = 256L << 20;

  /** More open files than this are finished after the rows at hand. */
  private static final int MAX_OPEN = 64;

  private record PartitionKey(int day, int bucket) {}

  private record Open(PartitionKey place, String location, SortedFile file) {}

  private final Table table;
  private final String prefix;
  private final int level;
  private final Map<PartitionKey, Open> open = new LinkedHashMap<>();
  private final List<DataFile> finished = new ArrayList<>();
  private long files;

  /**
   * @param prefix of the files' names; never used before
   * @param level of zstd
   */
  public PartitionFiles(Table table, String prefix, int level) {
    this.table = table;
    this.prefix = prefix;
    this.level = level;
  }

  /**
   * The number of tenant buckets.
   *
   * @throws IllegalStateException if the table is not partitioned by day and tenant
   */
  public static int tenantBuckets(Table table) {
    PartitionSpec spec = table.spec();
    if (spec.fields().size() == 2
        && spec.fields().get(0).transform().toString().equals("day")
        && spec.fields().get(1).transform().toString().matches("bucket\\[\\d+]")) {
      String bucket = spec.fields().get(1).transform().toString();
      return Integer.parseInt(bucket.replaceAll("\\D", ""));
    }
    throw new IllegalStateException(
        table.name() + " is partitioned by " + spec + ", expected day and tenant bucket");
  }

  public void write(int day, int bucket, RowGroupSource rows) {
    Open file = open.computeIfAbsent(new PartitionKey(day, bucket), this::begin);
    file.file().write(rows);
    if (file.file().length() >= TARGET_SIZE) {
      open.remove(file.place());
      finish(file);
    }
  }

  /** To be called between batches of rows: keeps few files open. */
  public void limitOpen() {
    if (open.size() > MAX_OPEN) {
      finishAll();
    }
  }

  /** Completes all files; returns them. */
  public List<DataFile> take() {
    finishAll();
    List<DataFile> taken = List.copyOf(finished);
    finished.clear();
    return taken;
  }

  /** Gives up what was not taken. */
  public void abandon() {
    for (Open file : open.values()) {
      file.file().abandon();
      table.io().deleteFile(file.location());
    }
    open.clear();
    finished.forEach(file -> table.io().deleteFile(file.location()));
    finished.clear();
  }

  /** Completes all files that are open; they are still to be taken. */
  public void finishAll() {
    List<Open> all = new ArrayList<>(open.values());
    open.clear();
    all.forEach(this::finish);
  }

  private Open begin(PartitionKey place) {
    String name = prefix + "-" + files++ + ".parquet";
    String location =
        table.locationProvider().newDataLocation(table.spec(), partition(place), name);
    OutputFile file = table.io().newOutputFile(location);
    try {
      return new Open(place, location, new SortedFile(table.schema(), file.create(), level));
    } catch (RuntimeIOException e) {
      throw new IllegalStateException("Cannot create " + location + ": check the warehouse", e);
    }
  }

  private void finish(Open file) {
    boolean isSorted = file.file().rowGroups() == 1;
    List<Long> offsets = file.file().splitOffsets();
    Metrics metrics = file.file().finish();
    finished.add(
        DataFiles.builder(table.spec())
            .withPath(file.location())
            .withFormat(FileFormat.PARQUET)
            .withPartition(partition(file.place()))
            .withFileSizeInBytes(file.file().length())
            .withMetrics(metrics)
            .withSplitOffsets(offsets)
            .withSortOrder(isSorted ? table.sortOrder() : SortOrder.unsorted())
            .build());
  }

  private PartitionData partition(PartitionKey place) {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    partition.set(0, place.day());
    partition.set(1, place.bucket());
    return partition;
  }
}
