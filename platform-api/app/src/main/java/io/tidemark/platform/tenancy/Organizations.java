package io.tidemark.platform.tenancy;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import org.springframework.stereotype.Service;

/** The organisations of this installation. */
@Service
public class Organizations {

  /** The organisation that Tidemark's own metrics belong to. */
  public static final TenantId PLATFORM = new TenantId("org-self");

  private final TenantTransactions transactions;
  private final JdbcOrganizations rows;

  Organizations(TenantTransactions transactions, JdbcOrganizations rows) {
    this.transactions = transactions;
    this.rows = rows;
  }

  /** Makes sure that the organisation and its environment exist; changes nothing when they do. */
  public void ensureExists(TenantId organization, EnvironmentId environment) {
    transactions.run(
        organization,
        () -> {
          rows.insertOrganizationIfAbsent(organization);
          rows.insertEnvironmentIfAbsent(organization, environment);
        });
  }

  /** Whether the organisation has the environment. */
  public boolean has(TenantId organization, EnvironmentId environment) {
    return transactions.within(
        organization, () -> rows.environmentExists(organization, environment));
  }
}
