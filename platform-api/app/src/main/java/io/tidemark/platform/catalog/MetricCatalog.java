package io.tidemark.platform.catalog;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * The metrics of environments. Every change of a declaration is audited and told to the pipeline.
 */
@Service
public class MetricCatalog {

  static final int MAX_DECLARATIONS = 10_000;

  private static final String TYPE = "metric";

  private final TenantTransactions transactions;
  private final JdbcMetrics rows;
  private final Environments environments;
  private final IdempotentCreation creation;
  private final MetricControlPublisher pipeline;
  private final AuditLog audit;
  private final Clock clock;

  MetricCatalog(
      TenantTransactions transactions,
      JdbcMetrics rows,
      Environments environments,
      IdempotentCreation creation,
      MetricControlPublisher pipeline,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.environments = environments;
    this.creation = creation;
    this.pipeline = pipeline;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * The metrics of an environment by name.
   *
   * @param environment as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public Page<CatalogMetric> list(TenantId organization, String environment, PageRequest page) {
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(
                    organization, place(organization, environment), page.after(), page.limit() + 1),
                page,
                CatalogMetric::name));
  }

  /**
   * The metrics of all environments, by name, those retired too; a metric of several environments
   * comes once for each.
   */
  public List<CatalogMetric> ofOrganization(TenantId organization, int most) {
    return transactions.within(organization, () -> rows.all(organization, most));
  }

  /** The metric of an identifier; {@code not_found} when nothing is known of it. */
  public CatalogMetric get(TenantId organization, String environment, String id) {
    return transactions.within(
        organization,
        () -> found(organization, place(organization, environment), CatalogName.ofId(id, TYPE)));
  }

  /**
   * Declares a metric of which nothing is declared yet, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<CatalogMetric> declare(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      String name,
      MetricDeclaration declaration) {
    environments.get(organization, environment);
    List<String> faults = new ArrayList<>();
    CatalogName.check("name", name, faults);
    faults.addAll(declaration.faults());
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return creation.once(
        organization,
        "metric.declare " + environment,
        idempotencyKey,
        name + "\n" + declaration,
        new Creation<>(
            () -> {
              EnvironmentId place = place(organization, environment);
              rows.lock(organization, place, name);
              if (rows.find(organization, place, name)
                  .filter(known -> known.declared() != null)
                  .isPresent()) {
                throw ProblemException.of(
                    ErrorCode.CONFLICT, "The metric is declared already; change its declaration.");
              }
              return store(organization, actor, place, name, null, declaration);
            },
            made -> CatalogName.idOf(made.name()),
            made -> get(organization, environment, made)));
  }

  /** Replaces the declaration of a metric that was declared or discovered. */
  public CatalogMetric change(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      MetricDeclaration declaration) {
    return transactions.within(
        organization,
        () -> {
          EnvironmentId place = place(organization, environment);
          String name = CatalogName.ofId(id, TYPE);
          rows.lock(organization, place, name);
          CatalogMetric before = found(organization, place, name);
          ProblemException.refuse(declaration.faults());
          expected.check(before.version());
          return declaration.equals(before.declared())
              ? before
              : store(organization, actor, place, name, before.declared(), declaration);
        });
  }

  /** Takes the declaration back; what was discovered stays. */
  public void withdraw(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          EnvironmentId place = place(organization, environment);
          String name = CatalogName.ofId(id, TYPE);
          rows.lock(organization, place, name);
          CatalogMetric before = found(organization, place, name);
          expected.check(before.version());
          if (rows.withdraw(organization, place, name)) {
            pipeline.withdrawn(organization, place, name);
            audit.done(
                organization,
                actor,
                "metric.withdraw",
                TYPE,
                place + "/" + name,
                before.declared(),
                null);
          }
        });
  }

  private CatalogMetric store(
      TenantId organization,
      Actor actor,
      EnvironmentId environment,
      String name,
      @Nullable MetricDeclaration before,
      MetricDeclaration after) {
    if (before == null && rows.declarations(organization, environment) >= MAX_DECLARATIONS) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The environment has "
              + MAX_DECLARATIONS
              + " declared metrics, which is the most; withdraw one first.");
    }
    long version = pipeline.declared(organization, environment, name, after, clock.instant());
    rows.put(organization, environment, name, after, version, clock.instant());
    audit.done(
        organization, actor, "metric.declare", TYPE, environment + "/" + name, before, after);
    return found(organization, environment, name);
  }

  private EnvironmentId place(TenantId organization, String environment) {
    return environments.get(organization, environment).id();
  }

  private CatalogMetric found(TenantId organization, EnvironmentId environment, String name) {
    return rows.find(organization, environment, name)
        .orElseThrow(
            () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such " + TYPE + "."));
  }
}
