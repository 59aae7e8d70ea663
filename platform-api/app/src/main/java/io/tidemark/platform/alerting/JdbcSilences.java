package io.tidemark.platform.alerting;

import static io.tidemark.platform.alerting.StoredJson.JSON;
import static io.tidemark.platform.alerting.StoredTime.time;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table silence. */
@Repository
class JdbcSilences {

  private final JdbcClient jdbc;

  JdbcSilences(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(TenantId organization, Silence silence) {
    jdbc.sql(
            """
            INSERT INTO silence (organization_id, environment_id, id, definition, over_at, created_by,
              version, created_at, updated_at)
            VALUES (:organization, :environment, :id, :definition::jsonb,
              coalesce(:over, 'infinity'::timestamptz), :by, :version, :created, :updated)
            """)
        .param("organization", organization.value())
        .param("environment", silence.environment().value())
        .param("id", silence.id())
        .param("definition", JSON.writeValueAsString(silence.definition()))
        .param("over", utc(silence.definition().overAt()), java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
        .param("by", silence.createdBy())
        .param("version", silence.version())
        .param("created", utc(silence.createdAt()))
        .param("updated", utc(silence.updatedAt()))
        .update();
  }

  void update(TenantId organization, Silence silence) {
    jdbc.sql(
            """
            UPDATE silence SET definition = :definition::jsonb,
              over_at = coalesce(:over, 'infinity'::timestamptz), version = :version,
              updated_at = :updated
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", silence.id())
        .param("definition", JSON.writeValueAsString(silence.definition()))
        .param("over", utc(silence.definition().overAt()), java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
        .param("version", silence.version())
        .param("updated", utc(silence.updatedAt()))
        .update();
  }

  void delete(TenantId organization, String id) {
    jdbc.sql("DELETE FROM silence WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .update();
  }

  /** Those that are over since before. */
  long forget(TenantId organization, Instant before, int most) {
    return jdbc.sql(
            """
            DELETE FROM silence
            WHERE organization_id = :organization AND id IN (
              SELECT id FROM silence
              WHERE organization_id = :organization AND over_at < :before
              ORDER BY over_at LIMIT :most)
            """)
        .param("organization", organization.value())
        .param("before", utc(before))
        .param("most", most)
        .update();
  }

  void eraseEnvironment(TenantId organization, EnvironmentId environment) {
    jdbc.sql(
            """
            DELETE FROM silence
            WHERE organization_id = :organization AND environment_id = :environment
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .update();
  }

  Optional<Silence> find(TenantId organization, String id) {
    return jdbc.sql("SELECT * FROM silence WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> silence(row))
        .optional();
  }

  /** The same, held until the transaction ends. */
  Optional<Silence> lock(TenantId organization, String id) {
    return jdbc.sql(
            """
            SELECT * FROM silence WHERE organization_id = :organization AND id = :id FOR NO KEY UPDATE
            """)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> silence(row))
        .optional();
  }

  /** Newest first, before a number. */
  List<Silence> list(TenantId organization, EnvironmentId environment, long before, int most) {
    return jdbc.sql(
            """
            SELECT * FROM silence
            WHERE organization_id = :organization AND environment_id = :environment
              AND number < :before
            ORDER BY number DESC LIMIT :most
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("before", before)
        .param("most", most)
        .query((row, number) -> silence(row))
        .list();
  }

  /** Those that are not over, oldest first. */
  List<Silence> current(TenantId organization, EnvironmentId environment, Instant now) {
    return jdbc.sql(
            """
            SELECT * FROM silence
            WHERE organization_id = :organization AND environment_id = :environment
              AND over_at > :now
            ORDER BY number
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .param("now", utc(now))
        .query((row, number) -> silence(row))
        .list();
  }

  private static Silence silence(ResultSet row) throws SQLException {
    return new Silence(
        row.getString("id"),
        new EnvironmentId(row.getString("environment_id")),
        row.getLong("number"),
        JSON.readValue(row.getString("definition"), SilenceDefinition.class),
        row.getString("created_by"),
        row.getLong("version"),
        time(row, "created_at"),
        time(row, "updated_at"));
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
