package io.tidemark.platform.catalog;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.DisplayName;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** What sends in environments. Every change by people is audited. */
@Service
public class Resources {

  /** Of an environment. */
  static final int MAX = 10_000;

  private static final String TYPE = "resource";
  private static final int LONGEST_DISPLAY_NAME = 100;

  private record NamedResource(EnvironmentId environment, String type, String name) {}

  private final TenantTransactions transactions;
  private final JdbcResources rows;
  private final Environments environments;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final Clock clock;

  Resources(
      TenantTransactions transactions,
      JdbcResources rows,
      Environments environments,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.environments = environments;
    this.creation = creation;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * The resources of an environment by type and name.
   *
   * @param environment as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public Page<CatalogResource> list(TenantId organization, String environment, PageRequest page) {
    String[] after = (page.after() + "\n").split("\n", -1);
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(
                    organization,
                    environments.get(organization, environment).id(),
                    after[0],
                    after[1],
                    page.limit() + 1),
                page,
                CatalogResource::place));
  }

  /** The resource of an identifier; {@code not_found} when there is none. */
  public CatalogResource get(TenantId organization, String environment, String id) {
    return transactions.within(
        organization,
        () -> {
          NamedResource place = place(organization, environment, id);
          return found(rows.find(organization, place.environment(), place.type(), place.name()));
        });
  }

  /**
   * Registers a resource by hand, once for an idempotency key; one that was discovered becomes
   * confirmed.
   *
   * @param displayName null for the beginning of the name
   * @throws ProblemException {@code invalid_request}, {@code not_found}, {@code conflict}; see also
   *     {@link IdempotentCreation}
   */
  public Created<CatalogResource> register(
      TenantId organization,
      Actor actor,
      String environment,
      @Nullable String idempotencyKey,
      String type,
      String name,
      @Nullable String displayName) {
    environments.get(organization, environment);
    List<String> faults = new ArrayList<>();
    CatalogName.check("type", type, faults);
    CatalogName.check("name", name, faults);
    if (displayName != null) {
      DisplayName.check("display_name", displayName, faults);
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return creation.once(
        organization,
        "resource.register " + environment,
        idempotencyKey,
        type + "\n" + name + "\n" + displayName,
        new Creation<>(
            () -> {
              EnvironmentId place = environments.get(organization, environment).id();
              return insertOrConfirm(organization, actor, place, type, name, displayName);
            },
            CatalogResource::id,
            made -> get(organization, environment, made)));
  }

  private CatalogResource insertOrConfirm(
      TenantId organization,
      Actor actor,
      EnvironmentId environment,
      String type,
      String name,
      @Nullable String displayName) {
    Instant now = clock.instant();
    String shown = displayName == null ? displayName(name) : displayName;
    CatalogResource made = new CatalogResource(type, name, shown, true, 1, now, now, null, null);
    if (rows.count(organization, environment) >= MAX
        && rows.find(organization, environment, type, name).isEmpty()) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The environment has " + MAX + " resources, which is the most; delete one first.");
    }
    CatalogResource before = null;
    if (!rows.insertIfAbsent(organization, environment, made)) {
      before = rows.lock(organization, environment, type, name).orElseThrow();
      if (before.isConfirmed()) {
        throw ProblemException.of(ErrorCode.CONFLICT, "The resource is registered already.");
      }
      made = before.confirmed(now);
      made = displayName == null ? made : made.renamed(displayName, now);
      rows.update(organization, environment, made);
    }
    audit.done(
        organization, actor, "resource.register", TYPE, object(environment, made), before, made);
    return made;
  }

  /** What a resource is called until somebody names it. */
  static String displayName(String name) {
    return name.codePointCount(0, name.length()) <= LONGEST_DISPLAY_NAME
        ? name
        : name.substring(0, name.offsetByCodePoints(0, LONGEST_DISPLAY_NAME));
  }

  /** Changes what it is called; null leaves it. */
  public CatalogResource rename(
      TenantId organization,
      Actor actor,
      String environment,
      String id,
      ExpectedVersion expected,
      @Nullable String displayName) {
    List<String> faults = new ArrayList<>();
    if (displayName != null) {
      DisplayName.check("display_name", displayName, faults);
    }
    return change(
        organization,
        actor,
        "resource.rename",
        environment,
        id,
        expected,
        before -> {
          if (!faults.isEmpty()) {
            throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
          }
          return displayName == null || displayName.equals(before.displayName())
              ? before
              : before.renamed(displayName, clock.instant());
        });
  }

  /** Says that it is meant to be there. */
  public CatalogResource confirm(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    return change(
        organization,
        actor,
        "resource.confirm",
        environment,
        id,
        expected,
        before -> before.isConfirmed() ? before : before.confirmed(clock.instant()));
  }

  /** Forgets it, until it sends again. */
  public void delete(
      TenantId organization, Actor actor, String environment, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          NamedResource place = place(organization, environment, id);
          CatalogResource before =
              found(rows.lock(organization, place.environment(), place.type(), place.name()));
          expected.check(before.version());
          rows.delete(organization, place.environment(), place.type(), place.name());
          audit.done(
              organization,
              actor,
              "resource.delete",
              TYPE,
              object(place.environment(), before),
              before,
              null);
        });
  }

  private CatalogResource change(
      TenantId organization,
      Actor actor,
      String action,
      String environment,
      String id,
      ExpectedVersion expected,
      UnaryOperator<CatalogResource> change) {
    return transactions.within(
        organization,
        () -> {
          NamedResource place = place(organization, environment, id);
          CatalogResource before =
              found(rows.lock(organization, place.environment(), place.type(), place.name()));
          expected.check(before.version());
          CatalogResource after = change.apply(before);
          if (!after.equals(before)) {
            rows.update(organization, place.environment(), after);
            audit.done(
                organization,
                actor,
                action,
                TYPE,
                object(place.environment(), after),
                before,
                after);
          }
          return after;
        });
  }

  private static String object(EnvironmentId environment, CatalogResource resource) {
    return environment + "/" + resource.type() + "/" + resource.name();
  }

  private NamedResource place(TenantId organization, String environment, String id) {
    EnvironmentId found = environments.get(organization, environment).id();
    String[] parts = CatalogName.ofId(id, TYPE).split("\n", -1);
    if (parts.length != 2) {
      throw missing();
    }
    return new NamedResource(found, parts[0], parts[1]);
  }

  private static CatalogResource found(Optional<CatalogResource> resource) {
    return resource.orElseThrow(Resources::missing);
  }

  private static ProblemException missing() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such resource.");
  }
}
