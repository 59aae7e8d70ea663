package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table organization. */
@Repository
class JdbcOrganizations {

  private final JdbcClient jdbc;

  JdbcOrganizations(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the organisation was not there. */
  boolean insertIfAbsent(TenantId organization, String displayName, Instant now) {
    return jdbc.sql(
                """
                INSERT INTO organization (id, display_name, created_at, updated_at)
                VALUES (:id, :name, :now, :now)
                ON CONFLICT (id) DO NOTHING
                """)
            .param("id", organization.value())
            .param("name", displayName)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  Optional<Organization> find(TenantId organization) {
    return find(organization, "");
  }

  /**
   * Kept from other changes until the transaction ends. Its key stays free: entries of the audit
   * log refer to it, and whoever holds the end of the log would wait for whoever waits for that.
   */
  Optional<Organization> lock(TenantId organization) {
    return find(organization, "FOR NO KEY UPDATE");
  }

  private Optional<Organization> find(TenantId organization, String lock) {
    return jdbc.sql("SELECT * FROM organization WHERE id = :id " + lock)
        .param("id", organization.value())
        .query(
            (row, number) -> {
              OffsetDateTime deleteAfter = row.getObject("delete_after", OffsetDateTime.class);
              return new Organization(
                  organization,
                  row.getString("display_name"),
                  LifecycleState.named(row.getString("state")),
                  deleteAfter == null ? null : deleteAfter.toInstant(),
                  row.getLong("version"),
                  row.getObject("created_at", OffsetDateTime.class).toInstant(),
                  row.getObject("updated_at", OffsetDateTime.class).toInstant());
            })
        .optional();
  }

  void update(TenantId organization, Organization changed) {
    jdbc.sql(
            """
            UPDATE organization SET
              display_name = :name, state = :state, delete_after = :deleteAfter,
              version = :version, updated_at = :updated
            WHERE id = :id
            """)
        .param("id", organization.value())
        .param("name", changed.displayName())
        .param("state", changed.state().wireName())
        .param(
            "deleteAfter",
            changed.deleteAfter() == null ? null : changed.deleteAfter().atOffset(ZoneOffset.UTC))
        .param("version", changed.version())
        .param("updated", changed.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }
}
