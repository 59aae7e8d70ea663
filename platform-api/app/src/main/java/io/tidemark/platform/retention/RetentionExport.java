package io.tidemark.platform.retention;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.RetentionLookup;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Policies in the words in which tenancy tells them to the pipeline. */
@Component
class RetentionExport implements RetentionLookup {

  private final TenantTransactions transactions;
  private final JdbcRetention rows;

  RetentionExport(TenantTransactions transactions, JdbcRetention rows) {
    this.transactions = transactions;
    this.rows = rows;
  }

  @Override
  public Optional<InForce> of(TenantId organization, EnvironmentId environment) {
    return transactions.within(
        organization,
        () ->
            rows.find(organization, environment)
                .map(
                    found ->
                        new InForce(
                            kept(found.policy()),
                            kept(found.before()),
                            found.from(),
                            found.updatedAt())));
  }

  private static RetentionSettings kept(RetentionPolicy policy) {
    return new RetentionSettings(
        seconds(policy.environment()),
        policy.metrics().stream()
            .map(exception -> new OfMetrics(exception.pattern(), seconds(exception.kept())))
            .toList());
  }

  private static Seconds seconds(RetentionDays days) {
    return new Seconds(
        seconds(days.raw()), seconds(days.minutes()), seconds(days.hours()), seconds(days.days()));
  }

  private static long seconds(@Nullable Integer days) {
    return days == null ? 0 : Duration.ofDays(days).toSeconds();
  }
}
