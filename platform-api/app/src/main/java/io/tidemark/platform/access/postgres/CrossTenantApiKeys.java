package io.tidemark.platform.access.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidemark.platform.access.application.ApiKeyLookup;
import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.TransactionException;

/**
 * Looks keys up over all organisations: the one place where the tenant is not known yet, because it
 * is what the key says. PostgreSQL lets the application do so through this function only.
 */
@Repository
class CrossTenantApiKeys implements ApiKeyLookup, DisposableBean {

  private static final int CONNECTIONS = 2;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final HikariDataSource connections;
  private final JdbcClient jdbc;

  /** Has connections of its own, so that whatever holds the control plane's stops no sender. */
  CrossTenantApiKeys(DataSource controlPlane) throws SQLException {
    HikariConfig own = new HikariConfig();
    controlPlane.unwrap(HikariDataSource.class).copyStateTo(own);
    own.setPoolName("api-keys");
    own.setMaximumPoolSize(CONNECTIONS);
    own.setMinimumIdle(1);
    // The application starts without a database that is away for a moment.
    own.setInitializationFailTimeout(-1);
    this.connections = new HikariDataSource(own);
    this.jdbc = JdbcClient.create(connections);
  }

  @Override
  public void destroy() {
    connections.close();
  }

  @Override
  public Optional<StoredKey> find(String keyId) {
    try {
      return jdbc.sql(
              """
              SELECT id, organization_id, environment_id, secret_hmac, scopes, revoked,
                     expires_at, role
              FROM find_api_key(:id)
              """)
          .param("id", keyId)
          .query((row, number) -> key(row))
          .optional();
    } catch (DataAccessException | TransactionException unavailable) {
      throw ProblemException.passing(
          unavailable,
          ErrorCode.CONTROL_PLANE_UNAVAILABLE,
          "Credentials cannot be checked now because the database cannot be reached."
              + " Try again in some seconds.",
          RETRY_AFTER);
    }
  }

  private static StoredKey key(ResultSet row) throws SQLException {
    // A scope that this version does not know (after a roll-back) allows nothing here.
    Set<Permission> scopes =
        Arrays.stream((String[]) row.getArray("scopes").getArray())
            .flatMap(name -> Permission.named(name).stream())
            .collect(Collectors.toCollection(HashSet::new));
    String role = row.getString("role");
    if (role != null) {
      scopes.retainAll(Role.named(role).map(Role::permissions).orElse(Set.of()));
    }
    OffsetDateTime expiresAt = row.getObject("expires_at", OffsetDateTime.class);
    return new StoredKey(
        row.getString("id"),
        new TenantId(row.getString("organization_id")),
        new EnvironmentId(row.getString("environment_id")),
        row.getBytes("secret_hmac"),
        scopes,
        row.getBoolean("revoked"),
        expiresAt == null ? null : expiresAt.toInstant());
  }
}
