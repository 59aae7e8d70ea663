package io.tidemark.platform.quotas;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.quotas.JdbcQuotas.StoredQuotas;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import org.springframework.stereotype.Service;

/** The quotas of organisations and environments. Every change is audited. */
@Service
public class Quotas {

  /** Stands for the organisation as a whole. */
  static final String WHOLE = "";

  private final TenantTransactions transactions;
  private final JdbcQuotas rows;
  private final Environments environments;
  private final AuditLog audit;
  private final Clock clock;
  private final QuotaAmounts plan;

  Quotas(
      TenantTransactions transactions,
      JdbcQuotas rows,
      Environments environments,
      AuditLog audit,
      Clock clock,
      QuotaProperties properties) {
    this.transactions = transactions;
    this.rows = rows;
    this.environments = environments;
    this.audit = audit;
    this.clock = clock;
    this.plan = properties.plan();
  }

  /** What all environments together may send. */
  public HolderQuotas ofOrganization(TenantId organization) {
    return transactions.within(organization, () -> shown(kept(organization, WHOLE), plan));
  }

  /**
   * What an environment may send.
   *
   * @param environment as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public HolderQuotas ofEnvironment(TenantId organization, String environment) {
    return transactions.within(
        organization,
        () -> {
          environments.get(organization, environment);
          return shown(kept(organization, environment), ofOrganization(organization).inForce());
        });
  }

  /**
   * Replaces those of the organisation.
   *
   * @throws ProblemException {@code invalid_request}, {@code precondition_failed}
   */
  public HolderQuotas change(
      TenantId organization, Actor actor, ExpectedVersion expected, QuotaOverrides set) {
    return transactions.within(
        organization,
        () -> {
          put(organization, actor, WHOLE, expected, set);
          return ofOrganization(organization);
        });
  }

  /** Replaces those of an environment. As above, and {@code not_found}. */
  public HolderQuotas change(
      TenantId organization,
      Actor actor,
      String environment,
      ExpectedVersion expected,
      QuotaOverrides set) {
    return transactions.within(
        organization,
        () -> {
          environments.get(organization, environment);
          put(organization, actor, environment, expected, set);
          return ofEnvironment(organization, environment);
        });
  }

  private void put(
      TenantId organization,
      Actor actor,
      String holder,
      ExpectedVersion expected,
      QuotaOverrides set) {
    ProblemException.refuse(set.faults(plan));
    StoredQuotas before = kept(organization, holder);
    expected.check(before.version());
    if (set.equals(before.set())) {
      return;
    }
    if (!rows.put(organization, holder, set, before.version(), clock.instant())) {
      // Somebody else was between the look and the change.
      ExpectedVersion.NONE.check(before.version());
    }
    audit.done(
        organization,
        actor,
        "quotas.change",
        holder.isEmpty() ? "organization" : "environment",
        holder.isEmpty() ? organization.value() : holder,
        before.set(),
        set);
  }

  private StoredQuotas kept(TenantId organization, String holder) {
    return rows.find(organization, holder).orElse(new StoredQuotas(QuotaOverrides.NONE, 0, null));
  }

  private HolderQuotas shown(StoredQuotas kept, QuotaAmounts above) {
    return new HolderQuotas(
        kept.set(), kept.set().within(above), plan, kept.version(), kept.updatedAt());
  }
}
