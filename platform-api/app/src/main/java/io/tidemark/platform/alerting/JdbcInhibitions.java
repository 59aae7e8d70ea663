package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.StoredJson.JSON;
import static io.tidemark.platform.alerting.StoredTime.time;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table inhibition. */
@Repository
class JdbcInhibitions {

  private final JdbcClient jdbc;

  JdbcInhibitions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Makes the row, or puts it in the place of the one before. */
  void put(TenantId organization, Inhibition inhibition) {
    jdbc.sql(
            """
            INSERT INTO inhibition (organization_id, environment_id, id, definition, version,
              created_at, updated_at)
            VALUES (:organization, :environment, :id, :definition::jsonb, :version, :created, :updated)
            ON CONFLICT (organization_id, id) DO UPDATE SET
              definition = excluded.definition, version = excluded.version,
              updated_at = excluded.updated_at
            """)
        .param("organization", organization.value())
        .param("environment", inhibition.environment().value())
        .param("id", inhibition.id())
        .param("definition", JSON.writeValueAsString(inhibition.definition()))
        .param("version", inhibition.version())
        .param("created", inhibition.createdAt().atOffset(ZoneOffset.UTC))
        .param("updated", inhibition.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  void delete(TenantId organization, String id) {
    jdbc.sql("DELETE FROM inhibition WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .update();
  }

  void eraseEnvironment(TenantId organization, EnvironmentId environment) {
    jdbc.sql(
            """
            DELETE FROM inhibition
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  Optional<Inhibition> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM inhibition WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> inhibition(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<Inhibition> lock(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT * FROM inhibition WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> inhibition(row))
        .optional();
  }

  /** Inhibitions of an environment after an identifier, in their order. */
  List<Inhibition> list(TenantId organization, EnvironmentId environment, String after, int most) {
    return jdbc.sql(
            """
            SELECT * FROM inhibition
            WHERE organization_id = :organization AND environment_id = :environment AND id > :after
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> inhibition(row))
        .list();
  }

  private static Inhibition inhibition(ResultSet row) throws SQLException {
    return new Inhibition(
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        JSON.readValue(row.getString("definition"), InhibitionDefinition.class),
        row.getLong("version"),
        time(row, "created_at"),
        time(row, "updated_at"));
  }
}
