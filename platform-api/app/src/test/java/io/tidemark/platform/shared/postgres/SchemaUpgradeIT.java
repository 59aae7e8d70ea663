package io.tidemark.platform.shared.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TenantTables;
import io.tidemark.platform.testing.TestingDatabase;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database that an earlier version made and used becomes this version's, with its rows. */
@ExtendWith(RunningPlatform.Extension.class)
class SchemaUpgradeIT {

  private final TestingDatabase server;

  SchemaUpgradeIT(RunningPlatform platform) {
    this.server = platform.server();
  }

  private Flyway migration(String database, String target) {
    return Flyway.configure()
        .dataSource(server.url(database), TestingDatabase.OWNER, "owner")
        .target(target)
        .load();
  }

  @Test
  void rowsOfTheFirstVersionAreKeptAndProtected() {
    server.create("upgraded");
    migration("upgraded", "2").migrate();
    JdbcClient database = server.asSuperuser("upgraded");
    database
        .sql(
            """
            INSERT INTO organization (id, display_name) VALUES ('org-old', 'Old');
            INSERT INTO environment (organization_id, id, display_name)
              VALUES ('org-old', 'env-old', 'Old environment');
            INSERT INTO api_key (id, organization_id, environment_id, secret_hmac, scopes)
              VALUES ('ABCDEFGHIJKLMNOP', 'org-old', 'env-old', decode(repeat('00', 32), 'hex'),
                      '{metrics:write}');
            """)
        .update();

    migration("upgraded", "latest").migrate();

    assertThat(TenantTables.faults(database)).isEmpty();
    assertThat(
            database
                .sql("SELECT organization_id FROM find_api_key('ABCDEFGHIJKLMNOP')")
                .query(String.class)
                .single())
        .isEqualTo("org-old");
  }
}
