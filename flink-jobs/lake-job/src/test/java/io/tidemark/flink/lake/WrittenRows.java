package io.tidemark.flink.lake;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.lake.parquet.SortedFile;
import io.tidemark.flink.lake.rows.RowBuffer;
import io.tidemark.flink.model.tenant.AdmissionRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;

/** What the writer makes of a buffer's rows, read back by Iceberg's own reader. */
final class WrittenRows {

  private WrittenRows() {}

  /** The schema of a shipped table. */
  static Schema schema(String table) throws IOException {
    for (TableDefinition shipped :
        TablesFile.read(Path.of("../../infra/iceberg/tables.yaml")).tables()) {
      if (shipped.name().equals(table)) {
        return shipped.schema();
      }
    }
    throw new NoSuchElementException("infra/iceberg/tables.yaml has no table " + table);
  }

  /** A batch let in by what holds without control records. */
  static AdmittedBatch admitted(PointsRecord record) {
    AdmissionRule.Counted counted = AdmissionRule.DEFAULT.byDefault();
    return new AdmittedBatch(record, counted.limits(), counted.longestAgeMs());
  }

  /** All rows of the buffer, partition by partition, in the order of their files. */
  static List<Record> of(RowBuffer<?> buffer, Schema schema, Path folder) {
    List<Record> read = new ArrayList<>();
    buffer.drain(
        (day, bucket, rows) -> {
          Path file = folder.resolve(day + "-" + bucket + ".parquet");
          try {
            SortedFile written = new SortedFile(schema, Files.newOutputStream(file), 3);
            written.write(rows);
            written.finish();
            try (CloseableIterable<Record> records =
                Parquet.read(org.apache.iceberg.Files.localInput(file.toFile()))
                    .project(schema)
                    .createReaderFunc(parquet -> GenericParquetReaders.buildReader(schema, parquet))
                    .build()) {
              records.forEach(read::add);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return read;
  }
}
