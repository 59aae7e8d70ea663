package io.tidemark.platform.shared.postgres;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Names the organisation in the transaction's own setting, which PostgreSQL forgets at its end: a
 * connection goes back to the pool without a tenant, however the work ended.
 */
@Component
class JdbcTenantTransactions implements TenantTransactions {

  private final TransactionTemplate transactions;
  private final JdbcClient jdbc;

  JdbcTenantTransactions(PlatformTransactionManager transactions, JdbcClient jdbc) {
    this.transactions = new TransactionTemplate(transactions);
    this.jdbc = jdbc;
  }

  @Override
  public <T> T within(TenantId organization, Supplier<T> work) {
    return transactions.execute(
        status -> {
          if (status.isNewTransaction()) {
            jdbc.sql("SELECT set_config('tidemark.organization_id', :organization, true)")
                .param("organization", organization.value())
                .query(String.class)
                .single();
          } else {
            refuseAnother(organization);
          }
          return work.get();
        });
  }

  private void refuseAnother(TenantId organization) {
    String current =
        jdbc.sql("SELECT coalesce(current_organization(), '')").query(String.class).single();
    if (!current.equals(organization.value())) {
      throw new IllegalStateException(
          "A transaction of '" + current + "' cannot do work of '" + organization + "'");
    }
  }
}
