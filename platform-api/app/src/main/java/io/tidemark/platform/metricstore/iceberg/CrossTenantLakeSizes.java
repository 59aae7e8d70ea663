package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.CrossTenantStoreSizes;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.TenantId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;

/**
 * Divides the bytes of the lake's files by rows. Whose rows a file holds is read once, from two
 * columns: files never change.
 */
public final class CrossTenantLakeSizes implements CrossTenantStoreSizes {

  private static final Set<String> OWNERS = Set.of("organization_id", "environment_id");

  private record Owner(String organization, String environment) {}

  private final LakeCatalog catalog;

  // By table and file; of files that are in the table.
  private final Map<String, Map<String, Map<Owner, Long>>> shares = new HashMap<>();

  /** Sizes of one lake. */
  public CrossTenantLakeSizes(LakeCatalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public String meter() {
    return "lake_storage";
  }

  @Override
  public synchronized List<StoredSize> sizes() {
    List<String> tables = new ArrayList<>(List.of(LakeStore.RAW_POINTS));
    for (Source source : Source.values()) {
      tables.add(source.datasource());
    }
    List<StoredSize> sizes = new ArrayList<>();
    for (String name : tables) {
      Map<Owner, BigDecimal> bytes = catalog.read(name, table -> bytes(name, table));
      bytes.forEach(
          (owner, sum) ->
              sizes.add(
                  new StoredSize(
                      new TenantId(owner.organization()), owner.environment(), name, sum)));
    }
    return sizes;
  }

  private Map<Owner, BigDecimal> bytes(String name, Table table) {
    Map<String, Map<Owner, Long>> known = shares.computeIfAbsent(name, unknown -> new HashMap<>());
    Map<Owner, BigDecimal> bytes = new HashMap<>();
    Set<String> present = new HashSet<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        DataFile file = task.file();
        String location = file.location();
        // A file of several parts is there once for each.
        if (present.add(location)) {
          Map<Owner, Long> rows = known.get(location);
          if (rows == null) {
            rows = owners(table, file);
            known.put(location, rows);
          }
          add(bytes, file.fileSizeInBytes(), rows);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    known.keySet().retainAll(present);
    return bytes;
  }

  private static void add(Map<Owner, BigDecimal> bytes, long size, Map<Owner, Long> rows) {
    BigDecimal all = BigDecimal.valueOf(rows.values().stream().mapToLong(Long::longValue).sum());
    rows.forEach(
        (owner, count) -> {
          if (TenantId.isWellFormed(owner.organization())) {
            bytes.merge(
                owner,
                BigDecimal.valueOf(size)
                    .multiply(BigDecimal.valueOf(count))
                    .divideToIntegralValue(all),
                BigDecimal::add);
          }
        });
  }

  private static Map<Owner, Long> owners(Table table, DataFile file) throws IOException {
    Schema wanted = table.schema().select(OWNERS);
    Map<Owner, Long> rows = new HashMap<>();
    try (CloseableIterable<Record> records =
        Parquet.read(table.io().newInputFile(file.location()))
            .project(wanted)
            .createReaderFunc(parquet -> GenericParquetReaders.buildReader(wanted, parquet))
            .build()) {
      for (Record record : records) {
        rows.merge(
            new Owner(
                String.valueOf(record.getField("organization_id")),
                String.valueOf(record.getField("environment_id"))),
            1L,
            Long::sum);
      }
    }
    return rows;
  }
}
