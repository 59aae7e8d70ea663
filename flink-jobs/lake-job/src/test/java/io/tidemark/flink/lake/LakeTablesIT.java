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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.BaseTable;
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
  private static final Path READER = Path.of("../../infra/postgres/catalog-reader.sql");
  private static final String USER = "postgres";
  private static final String PASSWORD = "postgres";

  private static EmbeddedPostgres postgres;

  @TempDir static Path folder;
  @TempDir Path warehouse;
  private String database;
  private static int databases;

  @BeforeAll
  static void startPostgres() throws Exception {
    // Everybody but the superuser needs a password.
    Path logins =
        Files.writeString(
            folder.resolve("pg_hba.conf"),
            """
            host all postgres samehost trust
            host all all samehost scram-sha-256
            """);
    postgres = EmbeddedPostgres.builder().setServerConfig("hba_file", logins.toString()).start();
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
    database = "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + name;
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

    try (LakeCatalog catalog = catalog()) {
      Table table = catalog.loadTable(TableIdentifier.of("telemetry", "rollup_1m"));
      assertEquals("day", table.spec().fields().get(0).transform().toString());
      assertEquals("bucket[16]", table.spec().fields().get(1).transform().toString());
      assertEquals(
          List.of("organization_id", "metric"),
          table.sortOrder().fields().stream()
              .map(field -> table.schema().findColumnName(field.sourceId()))
              .toList());
      assertEquals(2, ((BaseTable) table).operations().current().formatVersion());
      assertEquals("zstd", table.properties().get("write.parquet.compression-codec"));
      assertEquals("map<string, string>", table.schema().findType("point_attributes").toString());
      assertTrue(table.location().startsWith("file:"), table.location());
      assertTrue(Files.isDirectory(LocalFileIO.file(table.location()).toPath()));
    }
  }

  @Test
  void changedTableIsReportedAndLeftAlone() {
    run(TABLES);
    try (LakeCatalog catalog = catalog()) {
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
    try (LakeCatalog catalog = catalog()) {
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
    try (LakeCatalog catalog = catalog();
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
  void theReaderSeesTheTablesAndCanWriteNothing() throws Exception {
    assertEquals(LakeTables.DONE, runWithReader(USER, PASSWORD, "only-reads").exit());
    Run again = runWithReader(USER, PASSWORD, "only-reads");
    assertEquals(LakeTables.DONE, again.exit(), again.err());

    try (LakeCatalog reader =
        LakeCatalog.open(
            database, CatalogReaderRole.NAME, "only-reads", warehouse.toUri().toString())) {
      TableIdentifier minutes = TableIdentifier.of("telemetry", "rollup_1m");
      Table table = reader.loadTable(minutes);
      assertEquals(5, reader.listTables(minutes.namespace()).size());
      assertThrows(RuntimeException.class, () -> table.updateProperties().set("a", "b").commit());
      assertThrows(RuntimeException.class, () -> reader.dropTable(minutes, false));
      TableIdentifier more = TableIdentifier.of("telemetry", "more");
      assertThrows(RuntimeException.class, () -> reader.createTable(more, table.schema()));
    }
    try (Connection connection =
            DriverManager.getConnection(database, CatalogReaderRole.NAME, "only-reads");
        Statement statement = connection.createStatement()) {
      for (String write :
          List.of(
              "UPDATE iceberg_tables SET metadata_location = 'x'",
              "DELETE FROM iceberg_tables",
              "INSERT INTO iceberg_namespace_properties VALUES ('a', 'b', 'c', 'd')",
              "TRUNCATE iceberg_tables",
              "DROP TABLE iceberg_tables",
              "ALTER TABLE iceberg_tables ADD COLUMN more text",
              "SELECT * FROM iceberg_tables FOR UPDATE",
              "CREATE TABLE more (a int)",
              "CREATE SCHEMA more",
              "CREATE ROLE more",
              "ALTER ROLE " + CatalogReaderRole.NAME + " SUPERUSER")) {
        SQLException refused =
            assertThrows(SQLException.class, () -> statement.execute(write), write);
        assertEquals("42501", refused.getSQLState(), write + ": " + refused.getMessage());
      }
      try (ResultSet found = statement.executeQuery("SELECT count(*) FROM iceberg_tables")) {
        assertTrue(found.next());
        assertEquals(5, found.getInt(1));
      }
    }
  }

  @Test
  void theReaderGetsThePasswordThatIsConfigured() throws Exception {
    for (String password : List.of("one-password", "an'other \"password\"")) {
      Run run = runWithReader(USER, PASSWORD, password);
      assertEquals(LakeTables.DONE, run.exit(), run.err());
      DriverManager.getConnection(database, CatalogReaderRole.NAME, password).close();
    }
    assertThrows(
        SQLException.class,
        () -> DriverManager.getConnection(database, CatalogReaderRole.NAME, "one-password"));
  }

  @Test
  void anOwnerWhoMayMakeNoRolesNeedsTheRoleMadeBefore() throws Exception {
    assertEquals(LakeTables.DONE, runWithReader(USER, PASSWORD, "made-before").exit());
    createDatabase();
    try (var connection = postgres.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      String name = database.substring(database.lastIndexOf('/') + 1);
      statement.execute("CREATE ROLE owner_of_" + name + " LOGIN PASSWORD 'owner'");
      statement.execute("ALTER DATABASE " + name + " OWNER TO owner_of_" + name);
      Run run = runWithReader("owner_of_" + name, "owner", "made-before");
      assertEquals(LakeTables.DONE, run.exit(), run.err());

      Run refused = runWithReader("owner_of_" + name, "owner", "another-password");

      assertEquals(LakeTables.FAILED, refused.exit());
      assertTrue(refused.err().contains("Let a database administrator"), refused.err());
      assertFalse(refused.err().contains("another-password"), refused.err());
    }
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
    assertTrue(run.err().contains("Check that the catalog is up"), run.err());
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

  private Run runWithReader(String owner, String ownerPassword, String readerPassword) {
    return run(
        Map.of(
            LakeAccess.PASSWORD, ownerPassword, LakeTablesConfig.READER_PASSWORD, readerPassword),
        "--catalog.uri",
        database,
        "--catalog.user",
        owner,
        "--warehouse",
        warehouse.toUri().toString(),
        "--tables",
        TABLES.toString(),
        "--reader",
        READER.toString());
  }

  private static Run run(String... arguments) {
    return run(Map.of(LakeAccess.PASSWORD, PASSWORD), arguments);
  }

  private static Run run(Map<String, String> environment, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        LakeTables.run(
            environment,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            arguments);
    return new Run(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private LakeCatalog catalog() {
    return LakeCatalog.open(database, USER, PASSWORD, warehouse.toUri().toString());
  }

  private record Run(int exit, String out, String err) {}
}
