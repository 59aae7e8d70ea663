package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.ServiceAccount;
import io.tidemark.platform.access.application.ServiceAccountRepository;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table service_account; deleted ones stay and are not found. */
@Repository
class JdbcServiceAccountRepository implements ServiceAccountRepository {

  private final JdbcClient jdbc;

  JdbcServiceAccountRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public void add(TenantId organization, ServiceAccount account) {
    jdbc.sql(
            """
            INSERT INTO service_account
              (organization_id, id, display_name, role, version, created_at, updated_at)
            VALUES (:organization, :id, :name, :role, :version, :created, :updated)
            """)
        .param("organization", organization.value())
        .param("id", account.id())
        .param("name", account.displayName())
        .param("role", account.role())
        .param("version", account.version())
        .param("created", account.createdAt().atOffset(ZoneOffset.UTC))
        .param("updated", account.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public Optional<ServiceAccount> find(TenantId organization, String id) {
    return find(organization, id, "");
  }

  @Override
  public Optional<ServiceAccount> lock(TenantId organization, String id) {
    return find(organization, id, "FOR NO KEY UPDATE");
  }

  private Optional<ServiceAccount> find(TenantId organization, String id, String lock) {
    if (id.indexOf('\0') >= 0) {
      // PostgreSQL takes no null character in a text, so none is there.
      return Optional.empty();
    }
    return jdbc.sql(
            """
            SELECT * FROM service_account
            WHERE organization_id = :organization AND id = :id AND deleted_at IS NULL
            """
                + lock)
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> account(row))
        .optional();
  }

  @Override
  public List<ServiceAccount> list(TenantId organization, String after, int most) {
    return jdbc.sql(
            """
            SELECT * FROM service_account
            WHERE organization_id = :organization AND id > :after AND deleted_at IS NULL
            ORDER BY id LIMIT :most
            """)
        .param("organization", organization.value())
        .param("after", after)
        .param("most", most)
        .query((row, number) -> account(row))
        .list();
  }

  @Override
  public void update(TenantId organization, ServiceAccount account) {
    jdbc.sql(
            """
            UPDATE service_account
            SET display_name = :name, role = :role, version = :version, updated_at = :updated
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", account.id())
        .param("name", account.displayName())
        .param("role", account.role())
        .param("version", account.version())
        .param("updated", account.updatedAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void delete(TenantId organization, String id, Instant at) {
    jdbc.sql(
            """
            UPDATE service_account SET deleted_at = :at
            WHERE organization_id = :organization AND id = :id
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
    jdbc.sql(
            """
            UPDATE api_key SET revoked_at = :at
            WHERE organization_id = :organization AND service_account_id = :id
              AND revoked_at IS NULL
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
  }

  private static ServiceAccount account(ResultSet row) throws SQLException {
    return new ServiceAccount(
        row.getString("id"),
        row.getString("display_name"),
        row.getString("role"),
        row.getLong("version"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("updated_at", OffsetDateTime.class).toInstant());
  }
}
