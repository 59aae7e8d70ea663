package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.iceberg.LakeCatalog;
import io.tidemark.platform.testing.TestingStore.Row;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Files;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.yaml.snakeyaml.Yaml;

/** The shipped tables in a real catalog, with rows written by Iceberg's own writer. */
public final class TestingLake implements AutoCloseable {

  private static final Path TABLES = Path.of("../../infra/iceberg/tables.yaml");
  private static final Path ROLE = Path.of("../../infra/postgres/catalog-reader.sql");
  private static final String READER = "tidemark_catalog_reader";
  private static final String NAMESPACE = "telemetry";
  private static final String DATABASE = "iceberg";

  private final String uri;
  private final String warehouse;
  private final Path folder;
  private final JdbcCatalog catalog;
  private int files;

  /** The tables, empty, with files below a folder. */
  public TestingLake(TestingDatabase database, Path folder) {
    database.create(DATABASE);
    this.uri = database.url(DATABASE);
    this.folder = folder;
    this.warehouse = folder.toUri().toString();
    catalog = new JdbcCatalog(ignored -> new WrittenFiles(), null, true);
    catalog.initialize(
        "tidemark",
        Map.of(
            CatalogProperties.URI,
            uri,
            CatalogProperties.WAREHOUSE_LOCATION,
            warehouse,
            "jdbc.user",
            TestingDatabase.OWNER,
            "jdbc.password",
            "owner",
            "jdbc.schema-version",
            "V1"));
    catalog.createNamespace(Namespace.of(NAMESPACE));
    for (Map<String, Object> table : shipped()) {
      Schema schema = schema(table);
      catalog
          .buildTable(TableIdentifier.of(NAMESPACE, (String) table.get("name")), schema)
          .withPartitionSpec(
              PartitionSpec.builderFor(schema)
                  .day("event_time")
                  .bucket("organization_id", 16)
                  .build())
          .create();
    }
    try {
      JdbcClient owner = database.asSuperuser(DATABASE);
      owner.sql(java.nio.file.Files.readString(ROLE)).update();
      owner.sql("ALTER ROLE " + READER + " PASSWORD 'reader'").update();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Where it is, for the role that may only read it. */
  public LakeCatalog.CatalogLocation place() {
    return new LakeCatalog.CatalogLocation(
        uri,
        READER,
        "reader",
        Map.of(),
        warehouse,
        NAMESPACE,
        new LakeCatalog.StoreAccess("", true, Map.of(), ""));
  }

  public Path folder() {
    return folder;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> shipped() {
    try {
      Map<String, Object> file = new Yaml().load(java.nio.file.Files.readString(TABLES));
      return (List<Map<String, Object>>) file.get("tables");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @SuppressWarnings("unchecked")
  private static Schema schema(Map<String, Object> table) {
    List<Map<String, Object>> columns = new ArrayList<>();
    columns.addAll((List<Map<String, Object>>) table.get("columns"));
    columns.addAll((List<Map<String, Object>>) table.get("more_columns"));
    List<Types.NestedField> fields = new ArrayList<>();
    int id = 0;
    for (Map<String, Object> column : columns) {
      int own = ++id;
      Type type =
          switch ((String) column.get("type")) {
            case "string" -> Types.StringType.get();
            case "long" -> Types.LongType.get();
            case "int" -> Types.IntegerType.get();
            case "double" -> Types.DoubleType.get();
            case "boolean" -> Types.BooleanType.get();
            case "timestamptz" -> Types.TimestampType.withZone();
            case "list<long>" -> Types.ListType.ofRequired(++id, Types.LongType.get());
            case "list<double>" -> Types.ListType.ofRequired(++id, Types.DoubleType.get());
            case "map<string,string>" ->
                Types.MapType.ofRequired(
                    ++id, ++id, Types.StringType.get(), Types.StringType.get());
            default -> throw new IllegalArgumentException("Type of " + column);
          };
      fields.add(
          Types.NestedField.of(
              own,
              !Boolean.TRUE.equals(column.get("required")),
              (String) column.get("name"),
              type));
    }
    return new Schema(fields);
  }

  /** Commits rows, a file for each partition. */
  public void write(Source source, List<Row> rows) {
    Table table = catalog.loadTable(TableIdentifier.of(NAMESPACE, source.datasource()));
    Map<PartitionKey, List<GenericRecord>> partitions = new LinkedHashMap<>();
    InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
    for (Row row : rows) {
      GenericRecord record = record(table.schema(), row);
      PartitionKey key = new PartitionKey(table.spec(), table.schema());
      key.partition(wrapper.wrap(record));
      partitions.computeIfAbsent(key, ignored -> new ArrayList<>()).add(record);
    }
    var append = table.newAppend();
    partitions.forEach(
        (key, records) -> {
          File file = folder.resolve("data-" + files++ + ".parquet").toFile();
          DataWriter<GenericRecord> writer = writer(table, key, file);
          try (writer) {
            records.forEach(writer::write);
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
          append.appendFile(writer.toDataFile());
        });
    append.commit();
  }

  private static DataWriter<GenericRecord> writer(Table table, PartitionKey key, File file) {
    try {
      return Parquet.writeData(Files.localOutput(file))
          .schema(table.schema())
          .withSpec(table.spec())
          .withPartition(key)
          .createWriterFunc(GenericParquetWriter::create)
          .overwrite()
          .build();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private GenericRecord record(Schema schema, Row row) {
    Map<String, String> resource = new TreeMap<>();
    Map<String, String> point = new TreeMap<>();
    Map<String, String> labels = new HashMap<>(row.labels());
    String id = labels.remove("resource.kafka.id");
    labels.forEach(
        (name, value) -> {
          if (name.startsWith("resource.")) {
            resource.put(name.substring("resource.".length()), value);
          } else if (name.startsWith("metric.")) {
            point.put(name.substring("metric.".length()), value);
          }
        });
    GenericRecord record = GenericRecord.create(schema);
    record.setField("event_time", Instant.ofEpochMilli(row.window()).atOffset(ZoneOffset.UTC));
    record.setField("organization_id", row.organization());
    record.setField("environment_id", row.environment());
    record.setField("metric", row.metric());
    record.setField("metric_type", row.metric().equals("level") ? "gauge" : "counter");
    record.setField("unit", "1");
    record.setField("resource_type", "kafka");
    record.setField("resource_id", id);
    record.setField("series_id", row.series());
    record.setField("resource_attributes", resource);
    record.setField("point_attributes", point);
    record.setField("sum", row.figures().sum);
    record.setField("count", row.figures().count);
    record.setField("min", row.figures().min);
    record.setField("max", row.figures().max);
    record.setField("last", row.figures().last);
    record.setField(
        "last_time", Instant.ofEpochMilli(row.figures().lastAt).atOffset(ZoneOffset.UTC));
    record.setField("distribution", "3|" + row.bucket() + ":1");
    record.setField("pane_id", "pane-" + files);
    return record;
  }

  @Override
  public void close() {
    try {
      catalog.close();
    } catch (RuntimeException failure) {
      throw new IllegalStateException("Closing the catalog failed", failure);
    }
  }

  /** Files on the local disk. */
  private static final class WrittenFiles implements FileIO {
    private static final long serialVersionUID = 1L;

    private static File file(String location) {
      return location.startsWith("file:")
          ? new File(URI.create(location).getPath())
          : new File(location);
    }

    @Override
    public InputFile newInputFile(String location) {
      return Files.localInput(file(location));
    }

    @Override
    public OutputFile newOutputFile(String location) {
      return Files.localOutput(file(location));
    }

    @Override
    public void deleteFile(String location) {
      throw new UnsupportedOperationException("Tests delete nothing");
    }
  }
}
