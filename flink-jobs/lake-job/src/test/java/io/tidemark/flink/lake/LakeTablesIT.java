package io.tidemark.flink.lake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.JdbcClientPool;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real PostgreSQL, with the table file that is shipped. */
class LakeTablesIT {

  private static final Path TABLES = Path.of("../../infra/iceberg/tables.yaml");
  private static final String USER = "postgres";
  private static final String PASSWORD = "postgres";

  private static EmbeddedPostgres postgres;

  @TempDir Path warehouse;
  private String database;
  private static int databases;

  @BeforeAll
  static void startPostgres() throws Exception {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stopPostgres() throws Exception {
    postgres.close();
  }

  @BeforeEach
  void createDatabase() throws Exception {
    String name = "lake_" + databases++;
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    database = "jdbc:postgresql://localhost:" + postgres.getPort() + "/" + name;
  }

  @Test
  void firstRunCreatesEveryTableAndTheSecondChangesNothing() {
    Run first = run(TABLES);
    Run second = run(TABLES);

    assertEquals(LakeTables.DONE, first.exit(), first.err());
    assertEquals(
        "telemetry.raw_points created\ntelemetry.rollup_1m created\n"
            + "telemetry.rollup_1m_hc created\ntelemetry.rollup_1h created\ntelemetry.rollup_1d created\n",
        first.out());
    assertEquals(LakeTables.DONE, second.exit(), second.err());
    assertEquals(first.out().replace("created", "unchanged"), second.out());
  }

  @Test
  void tablesArePartitionedSortedAndCompressedAsDescribed() {
    run(TABLES);

    try (JdbcCatalog catalog = catalog()) {
      Table table = catalog.loadTable(TableIdentifier.of("telemetry", "rollup_1m"));
      assertEquals("day", table.spec().fields().get(0).transform().toString());
      assertEquals("bucket[16]", table.spec().fields().get(1).transform().toString());
      assertEquals(2, table.sortOrder().fields().size());
      assertEquals("zstd", table.properties().get("write.parquet.compression-codec"));
      assertEquals("map<string, string>", table.schema().findType("point_attributes").toString());
      assertTrue(table.location().startsWith("file:"), table.location());
      assertTrue(Files.isDirectory(LocalFileIO.file(table.location()).toPath()));
    }
  }

  @Test
  void changedTableIsReportedAndLeftAlone() {
    run(TABLES);
    try (JdbcCatalog catalog = catalog()) {
      catalog
          .loadTable(TableIdentifier.of("telemetry", "rollup_1h"))
          .updateSchema()
          .addColumn("surprise", Types.LongType.get())
          .deleteColumn("min")
          .commit();
    }

    Run again = run(TABLES);

    assertEquals(LakeTables.DRIFTED, again.exit());
    assertTrue(again.out().contains("telemetry.rollup_1h drifted"), again.out());
    assertTrue(again.err().contains("column surprise is not in the definition"), again.err());
    assertTrue(again.err().contains("column min (optional double) is missing"), again.err());
    try (JdbcCatalog catalog = catalog()) {
      Table table = catalog.loadTable(TableIdentifier.of("telemetry", "rollup_1h"));
      assertFalse(table.schema().findField("surprise") == null);
    }
  }

  /** Where the setting is; TableUpkeepIT shows its effect. */
  @Test
  void whateverIsSaidOfAConnectionTheCatalogTriesOnce() throws Exception {
    List<SQLException> lost =
        List.of(
            new SQLException("lost", "08000"),
            new SQLException("lost", "08003"),
            new SQLException("lost", "08006"),
            new SQLException("lost", "08007"),
            new SQLException("lost", "40001"),
            new SQLNonTransientConnectionException("lost"));
    Map<String, String> login = Map.of("jdbc.user", USER, "jdbc.password", PASSWORD);
    try (JdbcCatalog catalog = catalog();
        JdbcClientPool stock = new JdbcClientPool(database, login)) {
      Field connections = JdbcCatalog.class.getDeclaredField("connections");
      connections.setAccessible(true);
      JdbcClientPool pool = (JdbcClientPool) connections.get(catalog);
      for (SQLException failure : lost) {
        assertEquals(1, tries(pool, failure), failure.getSQLState());
      }
      assertTrue(tries(stock, lost.get(2)) > 1, "what Iceberg does unasked");
    }
  }

  private static int tries(JdbcClientPool pool, SQLException failure) {
    AtomicInteger tries = new AtomicInteger();
    assertThrows(
        SQLException.class,
        () ->
            pool.run(
                connection -> {
                  tries.incrementAndGet();
                  throw failure;
                }));
    return tries.get();
  }

  @Test
  void unreachableCatalogIsOneClearLine() {
    Run run =
        run(
            "--catalog.uri",
            "jdbc:postgresql://localhost:1/nowhere",
            "--catalog.user",
            USER,
            "--warehouse",
            warehouse.toUri().toString(),
            "--tables",
            TABLES.toString());

    assertEquals(LakeTables.FAILED, run.exit());
    assertTrue(run.err().contains("Check that PostgreSQL is up"), run.err());
    assertFalse(run.err().contains("\tat "), run.err());
  }

  private Run run(Path tables) {
    return run(
        "--catalog.uri",
        database,
        "--catalog.user",
        USER,
        "--warehouse",
        warehouse.toUri().toString(),
        "--tables",
        tables.toString());
  }

  private static Run run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        LakeTables.run(
            Map.of(LakeTablesConfig.PASSWORD, PASSWORD),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            arguments);
    return new Run(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private JdbcCatalog catalog() {
    return LakeCatalog.open(database, USER, PASSWORD, warehouse.toUri().toString());
  }

  private record Run(int exit, String out, String err) {}
}
