package io.tidemark.flink.lake;

import io.tidemark.flink.lake.operator.LakeTable;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;

/** The shipped tables in a catalog of their own; read through Iceberg's own Parquet reader. */
final class TestingLake implements AutoCloseable {

  private static final Path TABLES = Path.of("../../infra/iceberg/tables.yaml");
  static final String USER = "postgres";
  private static EmbeddedPostgres postgres;
  private static int databases;

  private final String uri;
  private final String warehouse;
  private final LakeCatalog catalog;

  private TestingLake(String uri, String warehouse) {
    this.uri = uri;
    this.warehouse = warehouse;
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        LakeTables.run(
            Map.of(LakeAccess.PASSWORD, ""),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            "--catalog.uri",
            uri,
            "--catalog.user",
            USER,
            "--warehouse",
            warehouse,
            "--tables",
            TABLES.toString());
    if (exit != LakeTables.DONE) {
      throw new IllegalStateException(err.toString(StandardCharsets.UTF_8));
    }
    this.catalog = LakeCatalog.open(uri, USER, "", warehouse);
  }

  static synchronized TestingLake in(Path folder) throws IOException, SQLException {
    if (postgres == null) {
      postgres = EmbeddedPostgres.start();
    }
    String name = "testing_lake_" + databases++;
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    return new TestingLake(
        "jdbc:postgresql://localhost:" + postgres.getPort() + "/" + name,
        folder.toUri().toString());
  }

  LakeTable source(String table) {
    return new CatalogTable(uri, USER, warehouse, "telemetry", table);
  }

  /** jdbc: URL of its catalog. */
  String uri() {
    return uri;
  }

  /** URI of its folder. */
  String warehouse() {
    return warehouse;
  }

  LakeCatalog catalog() {
    return catalog;
  }

  Table table(String name) {
    return catalog.loadTable(TableIdentifier.of("telemetry", name));
  }

  List<Record> rows(String name) throws IOException {
    Table table = table(name);
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
      for (FileScanTask file : files) {
        try (CloseableIterable<Record> read =
            Parquet.read(table.io().newInputFile(file.file().location()))
                .project(table.schema())
                .createReaderFunc(
                    parquet -> GenericParquetReaders.buildReader(table.schema(), parquet))
                .build()) {
          read.forEach(rows::add);
        }
      }
    }
    return rows;
  }

  @Override
  public void close() {
    try {
      catalog.close();
    } catch (RuntimeException e) {
      throw new IllegalStateException("Closing the catalog failed", e);
    }
  }
}
