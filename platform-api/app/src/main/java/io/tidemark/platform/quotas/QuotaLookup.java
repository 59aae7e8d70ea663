package io.tidemark.platform.quotas;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Reads what the gateway asks for over connections of its own, so that whatever holds the control
 * plane's stops no sender.
 */
@Component
class QuotaLookup implements DisposableBean {

  private static final int CONNECTIONS = 2;

  private record Row(String environment, QuotaOverrides set) {}

  private final HikariDataSource connections;
  private final TransactionTemplate transactions;
  private final JdbcClient jdbc;
  private final QuotaAmounts plan;

  QuotaLookup(DataSource controlPlane, QuotaProperties properties) throws SQLException {
    HikariConfig own = new HikariConfig();
    controlPlane.unwrap(HikariDataSource.class).copyStateTo(own);
    own.setPoolName("quotas");
    own.setMaximumPoolSize(CONNECTIONS);
    own.setMinimumIdle(1);
    // The application starts without a database that is away for a moment.
    own.setInitializationFailTimeout(-1);
    this.connections = new HikariDataSource(own);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(connections));
    this.transactions.setReadOnly(true);
    this.jdbc = JdbcClient.create(connections);
    this.plan = properties.plan();
  }

  @Override
  public void destroy() {
    connections.close();
  }

  /** What is in force, as the database says now. */
  EffectiveQuotas.Allowance of(TenantId organization, EnvironmentId environment) {
    List<Row> rows = transactions.execute(status -> rows(organization, environment));
    QuotaAmounts whole = set(rows, Quotas.WHOLE).within(plan);
    QuotaOverrides part = set(rows, environment.value());
    return new EffectiveQuotas.Allowance(
        whole, part.equals(QuotaOverrides.NONE) ? null : part.within(whole));
  }

  private List<Row> rows(TenantId organization, EnvironmentId environment) {
    jdbc.sql("SELECT set_config('tidemark.organization_id', :organization, true)")
        .param("organization", organization.value())
        .query(String.class)
        .single();
    return jdbc.sql(
            """
            SELECT environment_id, requests_per_second, bytes_per_second, points_per_second
            FROM quota
            WHERE organization_id = :organization AND environment_id IN ('', :environment)
            """)
        .param("organization", organization.value())
        .param("environment", environment.value())
        .query((row, number) -> new Row(row.getString("environment_id"), QuotaOverrides.of(row)))
        .list();
  }

  private static QuotaOverrides set(List<Row> rows, String holder) {
    return rows.stream()
        .filter(row -> row.environment().equals(holder))
        .map(Row::set)
        .findFirst()
        .orElse(QuotaOverrides.NONE);
  }
}
