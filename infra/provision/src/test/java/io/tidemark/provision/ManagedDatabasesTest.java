package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** infra/postgres/managed-databases.sql, run as a cloud's master user: no superuser. */
class ManagedDatabasesTest {
  private static final Path SCRIPT = Path.of("../../infra/postgres/managed-databases.sql");

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void makeDatabases() throws Exception {
    postgres = EmbeddedPostgres.start();
    try (Connection superuser = connection("postgres", "postgres");
        Statement statement = superuser.createStatement()) {
      statement.execute("CREATE ROLE tidemark_admin LOGIN CREATEROLE CREATEDB");
    }
    try (Connection master = connection("postgres", "tidemark_admin");
        Statement statement = master.createStatement()) {
      for (String each : statements()) {
        statement.execute(each);
      }
    }
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  private static Connection connection(String database, String role) throws SQLException {
    return DriverManager.getConnection(postgres.getJdbcUrl(role, database));
  }

  /** As psql would send them: its own lines left out, each password the name of its variable. */
  private static List<String> statements() throws Exception {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(SCRIPT)) {
      if (!line.startsWith("\\") && !line.startsWith("--")) {
        text.append(line).append('\n');
      }
    }
    String sent = text.toString().replaceAll(":('[a-z]+')", "$1");
    return List.of(sent.strip().split(";\\s*"));
  }

  private static List<String> rows(String query) throws SQLException {
    try (Connection superuser = connection("postgres", "postgres");
        Statement statement = superuser.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> read = new ArrayList<>();
      while (rows.next()) {
        read.add(rows.getString(1));
      }
      return read;
    }
  }

  @Test
  void eachDatabaseHasAnOwnerOfItsOwnWhoMayDoNothingElse() throws Exception {
    assertThat(
            rows(
                "SELECT datname || ' ' || rolname"
                    + " FROM pg_database JOIN pg_roles r ON r.oid = datdba"
                    + " WHERE datname IN ('tidemark', 'iceberg', 'druid') ORDER BY 1"))
        .containsExactly("druid druid", "iceberg tidemark_lake", "tidemark tidemark_owner");
    assertThat(
            rows(
                "SELECT rolname FROM pg_roles WHERE (rolname LIKE 'tidemark%' OR rolname = 'druid')"
                    + " AND rolname <> 'tidemark_admin'"
                    + " AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls)"))
        .isEmpty();
  }

  @Test
  void onlyItsOwnRolesConnectToADatabase() throws Exception {
    assertThat(
            rows(
                "SELECT datname || ' ' || rolname FROM pg_database, pg_roles"
                    + " WHERE datname IN ('tidemark', 'iceberg', 'druid') AND NOT rolsuper"
                    + " AND rolname !~ '^pg_'"
                    + " AND has_database_privilege(rolname, datname, 'CONNECT')"
                    + " ORDER BY 1"))
        .containsExactly(
            "druid druid",
            "iceberg tidemark_catalog_reader",
            "iceberg tidemark_lake",
            "tidemark tidemark_application",
            "tidemark tidemark_owner");
    assertThatThrownBy(() -> connection("tidemark", "tidemark_lake"))
        .hasMessageContaining("permission denied");
  }

  /** What the first migration does of it: it makes tables, and hands functions over. */
  @Test
  void theOwnerMigratesWithoutMakingRoles() throws Exception {
    try (Connection owner = connection("tidemark", "tidemark_owner");
        Statement statement = owner.createStatement()) {
      statement.execute("CREATE TABLE kept (id int)");
      statement.execute("GRANT SELECT ON kept TO tidemark_application");
      statement.execute("CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'");
      statement.execute("GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant");
      statement.execute("ALTER FUNCTION one() OWNER TO tidemark_cross_tenant");
      assertThatThrownBy(() -> statement.execute("CREATE ROLE another"))
          .hasMessageContaining("permission denied");
    }
  }

  /** No role has the password of another, and each is the one that the chart's secret names. */
  @Test
  void passwordsAreThoseOfTheChartsSecret() throws Exception {
    String text = Files.readString(SCRIPT);
    String chart = Files.readString(Path.of("../helm/tidemark/values.yaml"));
    List<String> roles = new ArrayList<>();
    Matcher role = Pattern.compile("CREATE ROLE (\\w+) LOGIN PASSWORD :'(\\w+)';").matcher(text);
    while (role.find()) {
      Matcher variable = Pattern.compile("\\\\getenv " + role.group(2) + " (\\w+)").matcher(text);
      assertThat(variable.find()).as(role.group()).isTrue();
      assertThat(chart).contains(variable.group(1));
      roles.add(role.group(1) + " " + variable.group(1));
    }
    assertThat(roles)
        .containsExactly(
            "tidemark_owner TIDEMARK_POSTGRES_PASSWORD",
            "tidemark_application TIDEMARK_POSTGRES_APPLICATION_PASSWORD",
            "tidemark_lake TIDEMARK_CATALOG_PASSWORD",
            "tidemark_catalog_reader TIDEMARK_CATALOG_READER_PASSWORD",
            "druid TIDEMARK_DRUID_METADATA_PASSWORD");
  }
}
