package io.tidemark.platform.usage;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds whose tallies are to be entered. Gives identifiers only; each is entered as itself. */
@Repository
public class CrossTenantTallies {

  private final JdbcClient jdbc;

  CrossTenantTallies(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public List<TenantId> organizations() {
    return jdbc.sql("SELECT organization_id FROM organizations_with_usage_tally()")
        .query((row, number) -> new TenantId(row.getString(1)))
        .list();
  }
}
