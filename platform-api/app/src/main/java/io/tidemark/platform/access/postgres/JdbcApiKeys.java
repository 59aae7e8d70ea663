package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.Scope;
import io.tidemark.platform.access.application.StoreApiKey;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.TenantId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Writes keys of one organisation. */
@Repository
class JdbcApiKeys implements StoreApiKey {

  private final JdbcClient jdbc;

  JdbcApiKeys(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A key id that already belongs to another organisation is refused: a key never changes hands.
   */
  @Override
  public void store(TenantId organization, StoredKey key) {
    int stored =
        jdbc.sql(
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
            .param("scopes", key.scopes().stream().map(Scope::wireName).toArray(String[]::new))
            .update();
    if (stored == 0) {
      throw new IllegalStateException(
          "The key "
              + key.id()
              + " belongs to another organisation or environment; give "
              + organization
              + " a key with another id");
    }
  }
}
