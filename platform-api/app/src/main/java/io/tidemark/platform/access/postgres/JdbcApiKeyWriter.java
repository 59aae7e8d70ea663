package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.application.ApiKeyWriter;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.sql.SQLException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Writes keys of one organisation. */
@Repository
class JdbcApiKeyWriter implements ApiKeyWriter {

  private static final String ROW_OF_ANOTHER_ORGANISATION = "42501";

  private final TenantTransactions transactions;
  private final JdbcClient jdbc;

  JdbcApiKeyWriter(TenantTransactions transactions, JdbcClient jdbc) {
    this.transactions = transactions;
    this.jdbc = jdbc;
  }

  /**
   * A key id that already belongs to another organisation is refused: a key never changes hands.
   */
  @Override
  public void store(TenantId organization, StoredKey key) {
    if (deletableRows(organization, key) == 0) {
      throw new IllegalStateException(
          "The key "
              + key.id()
              + " belongs to another organisation or environment; give "
              + organization
              + " a key with another id");
    }
  }

  private int deletableRows(TenantId organization, StoredKey key) {
    try {
      return transactions.within(organization, () -> upsert(organization, key));
    } catch (DataAccessException refused) {
      // The row is there and not this organisation's: PostgreSQL refuses to touch it.
      if (refused.getMostSpecificCause() instanceof SQLException cause
          && ROW_OF_ANOTHER_ORGANISATION.equals(cause.getSQLState())) {
        return 0;
      }
      throw refused;
    }
  }

  private int upsert(TenantId organization, StoredKey key) {
    return jdbc.sql(
            """
            INSERT INTO api_key (id, organization_id, environment_id, secret_hmac, scopes)
            VALUES (:id, :organization, :environment, :hmac, :scopes)
            ON CONFLICT (id) DO UPDATE
            SET secret_hmac = excluded.secret_hmac, scopes = excluded.scopes
            WHERE api_key.organization_id = excluded.organization_id
              AND api_key.environment_id = excluded.environment_id
            """)
        .param("id", key.id())
        .param("organization", organization.value())
        .param("environment", key.environment().value())
        .param("hmac", key.secretHash())
        .param("scopes", key.scopes().stream().map(Permission::wireName).toArray(String[]::new))
        .update();
  }
}
