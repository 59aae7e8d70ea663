package io.tidemark.flink.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command against tables of Iceberg in a real PostgreSQL catalog. */
class ReplayJobIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String USER = "postgres";
  private static EmbeddedPostgres postgres;

  @TempDir Path folder;

  @BeforeAll
  static void startPostgres() throws Exception {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stopPostgres() throws Exception {
    postgres.close();
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

  private Run replay(String version) {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(told, true, UTF_8);
    int exit =
        ReplayJob.run(
            Map.of(ReplayConfig.PASSWORD, USER),
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
            version);
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
          java.time.Instant.ofEpochMilli(row.get("timestamp").asLong())
              .toString()
              .substring(11, 16);
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

  private static String uri() {
    return "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres";
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
