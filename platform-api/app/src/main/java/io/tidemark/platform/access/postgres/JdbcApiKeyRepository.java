package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.ApiKey;
import io.tidemark.platform.access.application.ApiKeyRepository;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Keys of service accounts in the table api_key; never reads a hash. */
@Repository
class JdbcApiKeyRepository implements ApiKeyRepository {

  private static final String COLUMNS =
      "id, service_account_id, environment_id, scopes, created_at, expires_at, revoked_at,"
          + " last_used_at";

  private final JdbcClient jdbc;

  JdbcApiKeyRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public void add(TenantId organization, ApiKey key, byte[] secretHash) {
    jdbc.sql(
            """
            INSERT INTO api_key
              (id, organization_id, environment_id, secret_hmac, scopes, created_at,
               service_account_id, expires_at)
            VALUES
              (:id, :organization, :environment, :hmac, :scopes, :created, :account, :expires)
            """)
        .param("id", key.id())
        .param("organization", organization.value())
        .param("environment", key.environmentId().value())
        .param("hmac", secretHash)
        .param("scopes", key.scopes().toArray(String[]::new))
        .param("created", key.createdAt().atOffset(ZoneOffset.UTC))
        .param("account", key.serviceAccountId())
        .param("expires", key.expiresAt() == null ? null : key.expiresAt().atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public Optional<ApiKey> find(TenantId organization, String id) {
    if (id.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    return jdbc.sql(
            "SELECT "
                + COLUMNS
                + " FROM api_key WHERE organization_id = :organization AND id = :id")
        .param("organization", organization.value())
        .param("id", id)
        .query((row, number) -> key(row))
        .optional();
  }

  @Override
  public List<ApiKey> list(TenantId organization, String serviceAccount, String after, int most) {
    return jdbc.sql(
            "SELECT "
                + COLUMNS
                + """
                 FROM api_key
                WHERE organization_id = :organization AND service_account_id = :account
                  AND id > :after
                ORDER BY id LIMIT :most
                """)
        .param("organization", organization.value())
        .param("account", serviceAccount)
        .param("after", after)
        .param("most", most)
        .query((row, number) -> key(row))
        .list();
  }

  @Override
  public void revoke(TenantId organization, String id, Instant at) {
    jdbc.sql(
            """
            UPDATE api_key SET revoked_at = :at
            WHERE organization_id = :organization AND id = :id AND revoked_at IS NULL
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void used(TenantId organization, String id, Instant at) {
    jdbc.sql(
            """
            UPDATE api_key SET last_used_at = :at
            WHERE organization_id = :organization AND id = :id
              AND (last_used_at IS NULL OR last_used_at < :at)
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("at", at.atOffset(ZoneOffset.UTC))
        .update();
  }

  @Override
  public void rehash(TenantId organization, String id, byte[] before, byte[] present) {
    jdbc.sql(
            """
            UPDATE api_key SET secret_hmac = :present
            WHERE organization_id = :organization AND id = :id AND secret_hmac = :before
            """)
        .param("organization", organization.value())
        .param("id", id)
        .param("before", before)
        .param("present", present)
        .update();
  }

  private static ApiKey key(ResultSet row) throws SQLException {
    return new ApiKey(
        row.getString("id"),
        row.getString("service_account_id"),
        new EnvironmentId(row.getString("environment_id")),
        Arrays.asList((String[]) row.getArray("scopes").getArray()),
        instant(row, "created_at"),
        instantOrNull(row, "expires_at"),
        instantOrNull(row, "revoked_at"),
        instantOrNull(row, "last_used_at"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
