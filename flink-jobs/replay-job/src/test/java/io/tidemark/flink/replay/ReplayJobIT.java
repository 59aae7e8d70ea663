package io.tidemark.flink.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.model.route.RouteInterval;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The command against tables of Iceberg in a real PostgreSQL catalog. */
class ReplayJobIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String USER = "postgres";
  private static EmbeddedPostgres postgres;

  @TempDir Path folder;

  /** Of its own for every test. */
  private String database;

  @BeforeAll
  static void startPostgres() throws Exception {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stopPostgres() throws Exception {
    postgres.close();
  }

  @BeforeEach
  void createDatabase(TestInfo test) throws Exception {
    database = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + database);
    }
  }

  @Test
  void equalRowsAreEqualAndEveryChangeIsFound() throws Exception {
    try (TestingLake lake = new TestingLake(uri(), USER, USER, folder)) {
      lake.append(
          "raw_points",
          "from raw",
          "create table raw (" + TestingLake.RAW_COLUMNS + ")",
          // Half an hour before the window: the reference of the total below.
          total("11:30:00", 100, 7),
          number("gauge", "12:00:10", "0.5", "instant", 8),
          number("gauge", "12:00:20", "-1.5", "instant", 8),
          total("12:10:00", 130, 9),
          number("counter", "12:59:59", "4", "delta", 10),
          number("counter", "13:00:00", "8", "delta", 10),
          // Weeks later: late, and of the same minute as the first.
          number("gauge", "12:00:15", "9.25", "instant", 99),
          "insert into raw by name select 'org-b' as organization_id, * exclude (organization_id)"
              + " from raw where metric = 'gauge'");

      Run first = replay("v1");

      assertEquals(ReplayJob.DIFFERENT, first.exit(), first.told());
      assertTrue(
          first.told().contains("Iceberg: 0 rows against"), "nothing is live yet: " + first.told());
      assertEquals(
          new TreeMap<>(
              Map.of(
                  "counter 12:59", "4.0/1",
                  "gauge 12:00", "8.25/3",
                  "total 12:10", "30.0/1")),
          added("v1", "1m"));
      assertEquals(
          new TreeMap<>(
              Map.of("counter 12:00", "4.0/1", "gauge 12:00", "8.25/3", "total 12:00", "30.0/1")),
          added("v1", "1h"));
      assertEquals(0, Files.size(rows("v1", "1d")), "the window holds no whole day");

      lake.append("rollup_1m", TestingLake.rollupRows(rows("v1", "1m")));
      lake.append("rollup_1h", TestingLake.rollupRows(rows("v1", "1h")));
      Run second = replay("v2");

      assertEquals(ReplayJob.EQUAL, second.exit(), second.told());
      assertTrue(second.told().contains("0 of 6 series and windows differ"), second.told());

      lake.append(
          "rollup_1h",
          "select * from ("
              + TestingLake.rollupRows(rows("v1", "1h"))
              + ") where metric = 'total'");
      Run third = replay("v3");

      assertEquals(ReplayJob.DIFFERENT, third.exit(), third.told());
      assertTrue(third.told().contains("1 of 6 series and windows differ"), third.told());
      assertTrue(
          third.told().contains("sum live 60.0, replayed 30.0; count live 2, replayed 1"),
          third.told());

      Run again = replay("v3");

      assertEquals(ReplayJob.FAILED, again.exit());
      assertTrue(again.told().contains("choose another --version"), again.told());
    }
  }

  /** From 12:02 on the metric is split by client; the replay splits where the live job did. */
  @Test
  void splitMinutesAreComparedAtFullDetailAndReduced() throws Exception {
    try (TestingLake lake = new TestingLake(uri(), USER, USER, folder)) {
      lake.append(
          "raw_points",
          "from raw",
          "create table raw (" + TestingLake.RAW_COLUMNS + ")",
          client("c1", "12:01:10", 1, 1),
          client("c2", "12:01:20", 2, 1),
          client("c1", "12:02:10", 4, 2),
          client("c2", "12:02:20", 8, 2),
          client("c2", "12:01:30", 16, 99));
      RouteInterval route =
          new RouteInterval(
              "org-a",
              "env-a",
              "gauge",
              new String[] {"client"},
              Instant.parse("2026-03-01T12:02:00Z").toEpochMilli(),
              RouteInterval.OPEN,
              RouteInterval.Why.DECLARED,
              0);

      replay("v1", route);

      assertEquals(
          new TreeMap<>(Map.of("gauge 12:01", "19.0/3", "gauge 12:02", "12.0/2")),
          added("v1", "1m"));
      assertEquals(new TreeMap<>(Map.of("gauge 12:02", "12.0/2")), added("v1", "1m_hc"));
      assertEquals(2, Files.readAllLines(rows("v1", "1m_hc")).size(), "both clients");
      assertEquals(new TreeMap<>(Map.of("gauge 12:00", "31.0/5")), added("v1", "1h"));
      for (String table : new String[] {"1m", "1m_hc", "1h"}) {
        lake.append("rollup_" + table, TestingLake.rollupRows(rows("v1", table)));
      }
      Run equal = replay("v2", route);

      assertEquals(ReplayJob.EQUAL, equal.exit(), equal.told());
      assertEquals(
          ReplayJob.DIFFERENT, replay("v3").exit(), "without its routes it is another replay");

      lake.append("rollup_1m_hc", TestingLake.rollupRows(rows("v1", "1m_hc")) + " limit 1");
      Run doubled = replay("v4", route);

      assertEquals(ReplayJob.DIFFERENT, doubled.exit(), doubled.told());
      assertTrue(doubled.told().contains("1m-hc 2026-03-01T12:02:00Z gauge"), doubled.told());
      assertTrue(doubled.told().contains("count live 2, replayed 1"), doubled.told());
      assertTrue(doubled.told().contains("1 of 8 series and windows differ"), doubled.told());
    }
  }

  private Run replay(String version, RouteInterval... routes) {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(told, true, UTF_8);
    int exit =
        ReplayJob.run(
            Map.of(ReplayConfig.PASSWORD, USER),
            config -> List.of(routes),
            stream,
            stream,
            "--catalog.uri",
            uri(),
            "--catalog.user",
            USER,
            "--warehouse",
            folder.resolve("warehouse").toUri().toString(),
            "--tenant",
            "org-a",
            "--from",
            "2026-03-01T12:00:00Z",
            "--to",
            "2026-03-01T13:00:00Z",
            "--target",
            folder.resolve("replays").toString(),
            "--version",
            version,
            "--kafka.bootstrap.servers",
            "unused:1",
            "--routes.topic",
            "unused");
    return new Run(exit, told.toString(UTF_8));
  }

  private Path rows(String version, String level) {
    return folder.resolve("replays").resolve(version).resolve("rollup_" + level + ".ndjson");
  }

  /** Sum and count by metric and time of day. */
  private TreeMap<String, String> added(String version, String level) throws Exception {
    TreeMap<String, double[]> figures = new TreeMap<>();
    for (String line : Files.readAllLines(rows(version, level))) {
      JsonNode row = JSON.readTree(line);
      String time =
          Instant.ofEpochMilli(row.get("timestamp").asLong()).toString().substring(11, 16);
      double[] cell =
          figures.computeIfAbsent(
              row.get("metric").asText() + " " + time, ignored -> new double[2]);
      cell[0] += row.get("sum").asDouble();
      cell[1] += row.get("count").asDouble();
    }
    TreeMap<String, String> shown = new TreeMap<>();
    figures.forEach((name, cell) -> shown.put(name, cell[0] + "/" + (long) cell[1]));
    return shown;
  }

  private String uri() {
    return "jdbc:postgresql://localhost:" + postgres.getPort() + "/" + database;
  }

  /** A running total since 11:00. */
  private static String total(String time, double value, int offset) {
    return insert(
        "total",
        "counter",
        time,
        Double.toString(value),
        "cumulative",
        "'2026-03-01 11:00:00Z'",
        offset);
  }

  private static String client(String name, String time, double value, int offset) {
    return number("gauge", time, Double.toString(value), "instant", offset)
        .replace("map {'zone': '1'}", "map {'zone': '1', 'client': '" + name + "'}");
  }

  private static String number(
      String kind, String time, String value, String temporality, int offset) {
    return insert(kind, kind, time, value, temporality, "null", offset);
  }

  private static String insert(
      String metric,
      String type,
      String time,
      String value,
      String temporality,
      String start,
      int offset) {
    return """
        insert into raw by name select timestamptz '2026-03-01 %sZ' as event_time, 1 as event_time_nanos,
          'org-a' as organization_id, 'env-a' as environment_id, '%s' as metric, '%s' as metric_type, '1' as unit,
          map {'service.name': 'shop'} as resource_attributes, map {'zone': '1'} as point_attributes,
          cast(%s as timestamptz) as start_time, '%s' as temporality, 0 as flags, %s as value, false as is_int,
          timestamptz '2026-03-01 13:00:00Z' + to_seconds(%d) + to_days(%d) as received_at,
          lpad('%d', 64, '0') as batch_id, 0 as source_partition, %d as source_offset,
          (select count(*) from raw) as point_index
        """
        .formatted(
            time,
            metric,
            type,
            start,
            temporality,
            value,
            offset,
            offset == 99 ? 20 : 0,
            offset,
            offset);
  }

  private record Run(int exit, String told) {}
}
