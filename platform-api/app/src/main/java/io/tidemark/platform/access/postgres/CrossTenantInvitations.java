package io.tidemark.platform.access.postgres;

import io.tidemark.platform.access.application.InvitationLookup;
import io.tidemark.platform.shared.TenantId;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds whose the token of a link is, before any organisation is known. */
@Repository
class CrossTenantInvitations implements InvitationLookup {

  private final JdbcClient jdbc;

  CrossTenantInvitations(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public Optional<InvitationRef> find(byte[] tokenHash) {
    return jdbc.sql("SELECT organization_id, id FROM find_invitation(:hash)")
        .param("hash", tokenHash)
        .query((row, number) -> new InvitationRef(new TenantId(row.getString(1)), row.getString(2)))
        .optional();
  }
}
