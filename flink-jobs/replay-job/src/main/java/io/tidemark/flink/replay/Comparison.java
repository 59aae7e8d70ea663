package io.tidemark.flink.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Rows of a replay against live rows. Each side's rows of equal series and window are added up
 * first. The rules are in {@code comparison.sql}.
 */
final class Comparison implements AutoCloseable {

  /** Members of a row that name its series, as JSON rows and Druid have them. */
  static final List<String> NAMES =
      List.of(
          "organization_id",
          "environment_id",
          "metric",
          "metric_type",
          "unit",
          "resource_type",
          "resource_id",
          "series_id",
          "metric.tidemark.overflow");

  private static final String COLUMNS =
      "side varchar, level varchar, window_ms bigint, series_id varchar, environment varchar, metric"
          + " varchar, type varchar, unit varchar, resource varchar, is_overflow boolean, sum double,"
          + " count bigint, min double, max double, last double, last_ms bigint, distribution"
          + " varchar, panes bigint";

  /** The resource is null where there is none. */
  private static final String IDENTITY =
      "environment_id, metric, metric_type, unit, nullif(resource_type, 'unknown') || '/' ||"
          + " resource_id";

  private final Connection connection;
  private final String tenant;
  private final long fromMs;
  private final long toMs;

  Comparison(Path overflow, String tenant, Instant from, Instant to) throws SQLException {
    this.connection = DuckDbSession.open(overflow);
    this.tenant = tenant;
    this.fromMs = from.toEpochMilli();
    this.toMs = to.toEpochMilli();
    execute("create table rows (" + COLUMNS + ")");
  }

  /**
   * What was found.
   *
   * @param liveRows rows of the live side
   * @param replayedRows rows of the replay
   * @param cells pairs of series and window that either side has
   * @param differing how many of them differ, and totals of folded series that do
   * @param totals windows of metrics that could be compared by totals only
   * @param examples the first of those, one line each
   */
  record Result(
      long liveRows,
      long replayedRows,
      long cells,
      long differing,
      long totals,
      List<String> examples) {}

  /** Rows of a rollup table of the lake. */
  void live(RollupTable table, List<String> parquetFiles) throws SQLException {
    if (parquetFiles.isEmpty()) {
      return;
    }
    execute(
        "insert into rows select 'live', "
            + DuckDbSession.text(table.shown())
            + ", epoch_ms(event_time) as window_ms, series_id, "
            + IDENTITY
            + ", map_extract(point_attributes, 'tidemark.overflow') = ['true'], sum, count, min,"
            + " max, last, epoch_ms(last_time), distribution, 1 from read_parquet("
            + DuckDbSession.texts(parquetFiles)
            + ", union_by_name = true) where organization_id = "
            + DuckDbSession.text(tenant)
            + " and "
            + wholly(table));
  }

  /**
   * Rows of JSON, one a line, as the rollup topics carry them, or as Druid adds those of one
   * distribution up: then {@code panes} says how many have it.
   */
  void json(String side, RollupTable table, Path lines) throws SQLException {
    execute(
        "insert into rows select "
            + DuckDbSession.text(side)
            + ", "
            + DuckDbSession.text(table.shown())
            + ", \"timestamp\" as window_ms, series_id, "
            + IDENTITY
            + ", coalesce(\"metric.tidemark.overflow\" = 'true', false), sum, count, min, max, last,"
            + " last_timestamp, distribution, coalesce(panes, 1) from read_json("
            + DuckDbSession.text(lines.toString())
            + ", format = 'newline_delimited', columns = {timestamp: 'bigint', "
            + String.join("", NAMES.stream().map(name -> "'" + name + "': 'varchar', ").toList())
            + "sum: 'double', count: 'bigint', min: 'double', max: 'double', last: 'double',"
            + " last_timestamp: 'bigint', distribution: 'varchar', panes: 'bigint'}) where"
            + " organization_id = "
            + DuckDbSession.text(tenant)
            + " and "
            + wholly(table));
  }

  /** Compares what was loaded; shows at most {@code examples} differences. */
  Result result(int examples) throws SQLException, IOException {
    try (InputStream script = getClass().getResourceAsStream("/comparison.sql")) {
      execute(new String(Objects.requireNonNull(script).readAllBytes(), UTF_8));
    }
    return new Result(
        number("select count(*) from rows where side = 'live'"),
        number("select count(*) from rows where side = 'replayed'"),
        number("select count(*) from (select distinct level, window_ms, series_id from cells)"),
        number("select count(*) from differences"),
        number("select count(*) from folded_scopes"),
        examples(examples));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private String wholly(RollupTable table) {
    long length = table.level().lengthMs();
    return "window_ms >= " + fromMs + " and window_ms + " + length + " <= " + toMs;
  }

  private List<String> examples(int most) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select * from differences order by level desc, window_ms, what limit " + most)) {
      while (row.next()) {
        StringBuilder line = new StringBuilder();
        line.append(row.getString("level")).append(' ');
        line.append(Instant.ofEpochMilli(row.getLong("window_ms"))).append(' ');
        line.append(row.getString("metric")).append(' ').append(row.getString("what"));
        for (String figure : List.of("sum", "count", "min", "max", "last")) {
          String live = row.getString("live_" + figure);
          String replayed = row.getString("replayed_" + figure);
          if (!Objects.equals(live, replayed)) {
            line.append("; ").append(figure).append(" live ").append(live == null ? "none" : live);
            line.append(", replayed ").append(replayed == null ? "none" : replayed);
          }
        }
        lines.add(line + (row.getBoolean("other_buckets") ? "; other histogram buckets" : ""));
      }
    }
    return lines;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long number(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
