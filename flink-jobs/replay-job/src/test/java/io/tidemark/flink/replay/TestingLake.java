package io.tidemark.flink.replay;

import io.tidemark.flink.lake.LakeCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/** Tables of the lake with the columns a replay reads; rows are given as SQL. */
final class TestingLake implements AutoCloseable {

  static final String RAW_COLUMNS =
      "event_time timestamptz, event_time_nanos int, organization_id varchar, environment_id varchar,"
          + " metric varchar, metric_type varchar, unit varchar, resource_attributes map(varchar,"
          + " varchar), point_attributes map(varchar, varchar), start_time timestamptz,"
          + " start_time_nanos int, temporality varchar, flags int, value double, is_int boolean,"
          + " value_int bigint, count bigint, sum double, min double, max double, bucket_counts"
          + " bigint[], explicit_bounds double[], scale int, zero_count bigint, zero_threshold"
          + " double, positive_offset int, positive_counts bigint[], negative_offset int,"
          + " negative_counts bigint[], quantiles double[], quantile_values double[], received_at"
          + " timestamptz, batch_id varchar, source_partition int, source_offset bigint,"
          + " point_index int";

  private static final Namespace NAMESPACE = Namespace.of("telemetry");
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "event_time", Types.TimestampType.withZone()),
          Types.NestedField.required(2, "organization_id", Types.StringType.get()));

  private final LakeCatalog catalog;
  private final Path folder;
  private int files;

  TestingLake(String uri, String user, String password, Path folder) {
    this.folder = folder;
    catalog = LakeCatalog.open(uri, user, password, folder.resolve("warehouse").toUri().toString());
    catalog.createNamespace(NAMESPACE);
    for (String table :
        List.of("raw_points", "rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d")) {
      catalog.createTable(
          TableIdentifier.of(NAMESPACE, table), SCHEMA, PartitionSpec.unpartitioned());
    }
  }

  /** Appends the rows of a query as one file. {@code statements} run before it. */
  void append(String table, String query, String... statements) throws Exception {
    Path file = folder.resolve(table + "-" + files++ + ".parquet");
    try (Connection connection = DuckDbSession.open(folder);
        Statement statement = connection.createStatement()) {
      statement.execute("set TimeZone = 'UTC'");
      for (String one : statements) {
        statement.execute(one);
      }
      statement.execute("copy (" + query + ") to " + DuckDbSession.text(file.toString()));
    }
    Table loaded = catalog.loadTable(TableIdentifier.of(NAMESPACE, table));
    loaded
        .newAppend()
        .appendFile(
            DataFiles.builder(loaded.spec())
                .withPath(file.toUri().toString())
                .withFileSizeInBytes(Files.size(file))
                .withRecordCount(1)
                .build())
        .commit();
  }

  /** Rows of JSON as the lake job would write them into a rollup table. */
  static String rollupRows(Path lines) {
    return "select make_timestamptz(\"timestamp\" * 1000) as event_time, organization_id,"
        + " environment_id, series_id, metric, metric_type, unit, resource_type, resource_id, case"
        + " when \"metric.tidemark.overflow\" is null then map {'zone': '1'} else map"
        + " {'tidemark.overflow': 'true'} end as point_attributes, sum, count, min, max, last,"
        + " make_timestamptz(last_timestamp * 1000) as last_time, distribution, pane_id from"
        + " read_json("
        + DuckDbSession.text(lines.toString())
        + ", format = 'newline_delimited', columns = {timestamp: 'bigint', "
        + String.join(
            "", Comparison.NAMES.stream().map(name -> "'" + name + "': 'varchar', ").toList())
        + "sum: 'double', count: 'bigint', min: 'double', max: 'double', last: 'double',"
        + " last_timestamp: 'bigint', distribution: 'varchar', pane_id: 'varchar'})";
  }

  @Override
  public void close() {
    catalog.close();
  }
}
