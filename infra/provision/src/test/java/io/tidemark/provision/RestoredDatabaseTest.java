package io.tidemark.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoredDatabaseTest {
  private static final String ID = "00000000-0000-0000-0000-000000000000";

  @TempDir private Path folder;

  private static RestoredDatabase restored(String catalog) {
    return new RestoredDatabase(ProvisionLockTest.addresses(catalog));
  }

  @Test
  void tablesAreAsTheirNewestFileSaysAndAreToldOnce() throws Exception {
    for (int number = 8; number <= 11; number++) {
      Files.writeString(file(number), "{\"table-uuid\":\"one\"}");
    }
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
        Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE iceberg_tables (table_namespace text, table_name text,"
              + " metadata_location text, previous_metadata_location text)");
      statement.execute(
          "INSERT INTO iceberg_tables VALUES ('telemetry', 'rollup_1m', '"
              + file(9).toUri()
              + "')");
      RestoredDatabase restored = restored(postgres.getJdbcUrl("postgres", "postgres"));

      assertThat(restored.pointTablesToTheirNewest())
          .containsExactly("rollup_1m is as of " + file(11).getFileName());
      try (ResultSet table =
          statement.executeQuery("SELECT metadata_location FROM iceberg_tables")) {
        assertThat(table.next()).isTrue();
        assertThat(Path.of(table.getString(1).replaceFirst("^file:/*", "/"))).isEqualTo(file(11));
      }
      assertThat(restored.pointTablesToTheirNewest()).isEmpty();
    }
  }

  /** Nobody can tell from PostgreSQL which tables such a catalog has. */
  @Test
  void aCatalogThatIsNotInTheDatabaseIsLeftAlone() throws Exception {
    assertThat(restored("https://catalog").pointTablesToTheirNewest())
        .isEqualTo(
            List.of(
                "The lake's catalog at https://catalog is not in this database: its tables stay as"
                    + " they are"));
  }

  private Path file(int number) {
    return folder.resolve("%05d-%s.metadata.json".formatted(number, ID));
  }
}
