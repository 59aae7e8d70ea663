package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import org.springframework.stereotype.Service;

/**
 * What environments may use of the pipeline: their own budget, else their organisation's, else the
 * plan's. Every change is audited and told to the pipeline.
 */
@Service
public class EffectiveBudgets {

  private final TenantTransactions transactions;
  private final Organizations organizations;
  private final JdbcOrganizationBudgets rows;
  private final Environments environments;
  private final AuditLog audit;
  private final Clock clock;
  private final PlanProperties plan;

  EffectiveBudgets(
      TenantTransactions transactions,
      Organizations organizations,
      JdbcOrganizationBudgets rows,
      Environments environments,
      AuditLog audit,
      Clock clock,
      PlanProperties plan) {
    this.transactions = transactions;
    this.organizations = organizations;
    this.rows = rows;
    this.environments = environments;
    this.audit = audit;
    this.clock = clock;
    this.plan = plan;
  }

  /**
   * The budgets of an organisation, for each of its environments that has none of its own.
   *
   * @throws ProblemException {@code not_found}
   */
  public HolderBudgets ofOrganization(TenantId organization) {
    return transactions.within(
        organization,
        () -> {
          organizations.get(organization);
          return shown(rows.find(organization), Budgets.PLAN);
        });
  }

  /**
   * The budgets of an environment.
   *
   * @param environment as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public HolderBudgets ofEnvironment(TenantId organization, String environment) {
    return transactions.within(
        organization, () -> shown(organization, environments.get(organization, environment)));
  }

  /** What is set for the environment or else its organisation; null where neither has set one. */
  public Budgets set(Environment environment) {
    TenantId organization = environment.organizationId();
    return transactions.within(
        organization, () -> environment.budgets().or(rows.find(organization).set()));
  }

  /**
   * Replaces those of an organisation.
   *
   * @throws ProblemException {@code not_found}, {@code invalid_request}, {@code
   *     precondition_failed}
   */
  public HolderBudgets change(
      TenantId organization, Actor actor, ExpectedVersion expected, Budgets budgets) {
    ProblemException.refuse(budgets.faults(plan));
    return transactions.within(
        organization,
        () -> {
          // An environment that is being made waits for this row, and then reads what is set here.
          organizations.lock(organization);
          JdbcOrganizationBudgets.StoredBudgets before = rows.find(organization);
          expected.check(before.version());
          if (!budgets.equals(before.set())) {
            rows.put(organization, budgets, clock.instant());
            environments.tellAll(organization);
            audit.done(
                organization,
                actor,
                "budgets.change",
                "organization",
                organization.value(),
                before.set(),
                budgets);
          }
          return ofOrganization(organization);
        });
  }

  /** Replaces those of an environment. As above. */
  public HolderBudgets change(
      TenantId organization,
      Actor actor,
      String environment,
      ExpectedVersion expected,
      Budgets budgets) {
    return transactions.within(
        organization,
        () ->
            shown(
                organization,
                environments.changeBudgets(organization, actor, environment, expected, budgets)));
  }

  private Budgets maximum() {
    return new Budgets(
        plan.maxActiveSeries(),
        plan.maxNewSeriesPerMinute(),
        plan.maxLabelsPerSeries(),
        plan.maxLabelKeysPerMetric(),
        plan.maxLabelValueLength(),
        null);
  }

  private HolderBudgets shown(TenantId organization, Environment environment) {
    return new HolderBudgets(
        environment.budgets(),
        environment.budgets().or(rows.find(organization).set()).or(Budgets.PLAN),
        maximum(),
        environment.budgetsVersion(),
        environment.budgetsUpdatedAt());
  }

  private HolderBudgets shown(JdbcOrganizationBudgets.StoredBudgets kept, Budgets above) {
    return new HolderBudgets(
        kept.set(), kept.set().or(above), maximum(), kept.version(), kept.updatedAt());
  }
}
