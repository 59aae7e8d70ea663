package io.tidemark.flink.rollup.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.usage.CountedIncrement;
import io.tidemark.flink.model.usage.MeteredUnits;
import io.tidemark.flink.model.usage.UsageSubject;
import io.tidemark.flink.rollup.orders.Arrivals.Batch;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Loads what was sent and what was written into PostgreSQL, and asks SQL where they differ. The
 * rules are in {@code recomputation.sql} and the two scripts after it; this class moves text.
 */
final class Recomputation {

  private static final int MAX_SHOWN = 15;

  private final Connection connection;

  Recomputation(Connection connection) {
    this.connection = connection;
  }

  /** One line per difference, at most {@value #MAX_SHOWN}; empty when the job is right. */
  List<String> differences(Arrivals arrivals, RollupRun run) throws Exception {
    execute("tables.sql");
    copy("receipts", receipts(arrivals));
    copy("points", points(arrivals));
    StringBuilder rows = new StringBuilder();
    rows("1m", run.minutes.committed(), rows);
    rows("1m-hc", run.splitMinutes.committed(), rows);
    rows("1h", run.hours.committed(), rows);
    rows("1d", run.days.committed(), rows);
    copy("emitted", rows);
    copy("letters", lines(run.letters()));
    copy("routes", lines(run.routes()));
    copy("budgeted", new StringBuilder(World.CROWDED + "\n"));
    copy("metered", metered(run.increments()));
    copy("shown", shown(run.increments()));
    execute("recomputation.sql");
    execute("buckets.sql");
    execute("differences.sql");
    execute("metering.sql");
    List<String> found = new ArrayList<>(lines("select * from differences limit " + MAX_SHOWN));
    found.addAll(lines("select * from metering_differences limit " + MAX_SHOWN));
    found.addAll(
        lines(
            "select 'dead letters', reason, expected, actual from"
                + " (select rejection as reason, count(*) as expected from examined"
                + "  where rejection is not null group by 1) e full join"
                + " (select reason, sum(points) as actual from letters group by 1) a using (reason)"
                + " where expected is distinct from actual"));
    found.addAll(
        lines(
            "select 'pane id is not unique', level, line->>'pane_id', count(*) from emitted"
                + " group by level, line->>'pane_id' having count(*) > 1 limit 3"));
    return found;
  }

  /** How much was compared: a comparison of nothing proves nothing. */
  String summary() throws SQLException {
    return lines(
            "select (select count(*) from receipts), (select count(*) from counted),"
                + " (select count(*) from examined where rejection is null),"
                + " (select count(*) from examined where rejection is not null),"
                + " (select count(*) from expected), (select count(*) from emitted),"
                + " (select count(*) from emitted where level = '1m-hc'),"
                + " (select count(*) from unfolded),"
                + " (select count(*) from emitted where line ? 'distribution')")
        .get(0);
  }

  long count(String table) throws SQLException {
    return Long.parseLong(lines("select count(*) from " + table).get(0));
  }

  private static StringBuilder lines(List<String> all) {
    StringBuilder text = new StringBuilder();
    all.forEach(line -> text.append(line).append('\n'));
    return text;
  }

  private static StringBuilder metered(List<CountedIncrement> increments) {
    StringBuilder text = new StringBuilder();
    for (CountedIncrement one : increments) {
      MeteredUnits points = one.points();
      MeteredUnits rows = one.rows();
      metered("points", one, points.points(), text);
      metered("set aside", one, points.pointsSetAside(), text);
      metered("without value", one, points.pointsWithoutValue(), text);
      metered("rows of 1m", one, rows.rowsOfMinutes(), text);
      metered("rows of 1m-hc", one, rows.rowsInDetail(), text);
      metered("rows of 1h", one, rows.rowsOfHours(), text);
      metered("rows of 1d", one, rows.rowsOfDays(), text);
    }
    return text;
  }

  private static void metered(
      String kind, CountedIncrement increment, long units, StringBuilder text) {
    UsageSubject subject = increment.hour().subject();
    text.append(kind).append('\t').append(subject.organizationId()).append('\t');
    text.append(subject.resourceId()).append('\t').append(subject.metric()).append('\t');
    text.append(increment.hour().startUnixMs()).append('\t').append(units).append('\n');
  }

  private static StringBuilder shown(List<CountedIncrement> increments) {
    return lines(increments.stream().flatMap(one -> one.series().stream()).toList());
  }

  private static StringBuilder receipts(Arrivals arrivals) {
    StringBuilder text = new StringBuilder();
    int position = 0;
    for (Batch batch : arrivals.batches()) {
      text.append(position++).append('\t').append(batch.organization()).append('\t');
      text.append(batch.id()).append('\t').append(batch.receivedMs()).append('\n');
    }
    return text;
  }

  private static StringBuilder points(Arrivals arrivals) {
    StringBuilder text = new StringBuilder();
    Set<String> seen = new HashSet<>();
    for (Batch batch : arrivals.batches()) {
      if (seen.add(batch.id())) {
        for (int place = 0; place < batch.points().size(); place++) {
          text.append(batch.id()).append('\t').append(place).append('\t');
          text.append(batch.organization()).append('\t');
          text.append(batch.points().get(place).columns(batch.resource())).append('\n');
        }
      }
    }
    return text;
  }

  private static void rows(String level, List<byte[]> records, StringBuilder text) {
    for (byte[] record : records) {
      new String(record, UTF_8)
          .lines()
          .forEach(
              line ->
                  text.append(level).append('\t').append(line.replace("\\", "\\\\")).append('\n'));
    }
  }

  private void copy(String table, StringBuilder rows) throws SQLException, IOException {
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("copy " + table + " from stdin", new StringReader(rows.toString()));
  }

  private void execute(String script) throws SQLException, IOException {
    try (InputStream text = getClass().getResourceAsStream("/orders/" + script);
        Statement statement = connection.createStatement()) {
      statement.execute(new String(Objects.requireNonNull(text).readAllBytes(), UTF_8));
    }
  }

  private List<String> lines(String query) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          columns.add(rows.getString(i));
        }
        lines.add(String.join(" ", columns.stream().map(String::valueOf).toList()));
      }
    }
    return lines;
  }
}
