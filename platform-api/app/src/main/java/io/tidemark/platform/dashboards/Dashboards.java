package io.tidemark.platform.dashboards;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.IdempotentCreation.Creation;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Dashboards as people make and see them. */
@Service
public class Dashboards {

  static final int MAX_DASHBOARDS = 500;
  static final int MAX_VERSIONS = 100;
  private static final String TYPE = "dashboard";

  private final TenantTransactions transactions;
  private final JdbcDashboards rows;
  private final IdempotentCreation creation;
  private final AuditLog audit;
  private final IdentifierSource identifiers;
  private final Clock clock;

  Dashboards(
      TenantTransactions transactions,
      JdbcDashboards rows,
      IdempotentCreation creation,
      AuditLog audit,
      IdentifierSource identifiers,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.creation = creation;
    this.audit = audit;
    this.identifiers = identifiers;
    this.clock = clock;
  }

  /** Dashboards by identifier. */
  public Page<DashboardSummary> list(TenantId organization, PageRequest page) {
    return transactions.within(
        organization,
        () ->
            Page.of(
                rows.list(organization, page.after(), page.limit() + 1),
                page,
                DashboardSummary::id));
  }

  /** A dashboard; {@code not_found}. */
  public Dashboard get(TenantId organization, String id) {
    return transactions
        .within(organization, () -> rows.find(organization, id))
        .orElseThrow(Dashboards::unknown);
  }

  /**
   * Makes a dashboard, once for an idempotency key.
   *
   * @throws ProblemException {@code invalid_request}, {@code conflict}; see also {@link
   *     IdempotentCreation}
   */
  public Created<Dashboard> create(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      DashboardDefinition definition) {
    check(definition);
    return creation.once(
        organization,
        "dashboard.create",
        idempotencyKey,
        definition.toString(),
        new Creation<>(
            () -> make(organization, actor, "dashboard.create", definition),
            Dashboard::id,
            id -> get(organization, id)));
  }

  /** Makes another with the same panels, once for an idempotency key; as {@link #create}. */
  public Created<Dashboard> duplicate(
      TenantId organization, Actor actor, String id, @Nullable String idempotencyKey) {
    DashboardDefinition copied = get(organization, id).definition().copy();
    return creation.once(
        organization,
        "dashboard.duplicate " + id,
        idempotencyKey,
        id,
        new Creation<>(
            () -> make(organization, actor, "dashboard.duplicate", copied),
            Dashboard::id,
            made -> get(organization, made)));
  }

  private Dashboard make(
      TenantId organization, Actor actor, String action, DashboardDefinition definition) {
    if (rows.count(organization) >= MAX_DASHBOARDS) {
      throw ProblemException.of(
          ErrorCode.CONFLICT,
          "The organisation has " + MAX_DASHBOARDS + " dashboards, which is the most; delete one.");
    }
    Instant now = now();
    DashboardAuthor author = DashboardAuthor.of(actor);
    Dashboard made =
        new Dashboard("dash-" + identifiers.next(), definition, 1, author, now, author, now);
    rows.insert(organization, made);
    rows.insertVersion(
        organization, made.id(), new DashboardVersion(1, definition, author, now, null));
    audit.done(organization, actor, action, TYPE, made.id(), null, made.outline());
    return made;
  }

  /** Replaces the definition; the same one again changes nothing. */
  public Dashboard change(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      DashboardDefinition definition) {
    return transactions.within(
        organization,
        () -> {
          Dashboard before = locked(organization, id);
          check(definition);
          expected.check(before.version());
          return put(organization, actor, "dashboard.change", before, definition, null);
        });
  }

  /** Makes a new version with the definition of an earlier one; {@code not_found}. */
  public Dashboard restore(
      TenantId organization, Actor actor, String id, long version, ExpectedVersion expected) {
    return transactions.within(
        organization,
        () -> {
          Dashboard before = locked(organization, id);
          DashboardVersion wanted =
              rows.version(organization, id, version).orElseThrow(Dashboards::unknownVersion);
          expected.check(before.version());
          return put(
              organization, actor, "dashboard.restore", before, wanted.definition(), version);
        });
  }

  private Dashboard put(
      TenantId organization,
      Actor actor,
      String action,
      Dashboard before,
      DashboardDefinition definition,
      @Nullable Long restoredFrom) {
    if (definition.equals(before.definition())) {
      return before;
    }
    Instant now = now();
    DashboardAuthor author = DashboardAuthor.of(actor);
    Dashboard after =
        new Dashboard(
            before.id(),
            definition,
            before.version() + 1,
            before.createdBy(),
            before.createdAt(),
            author,
            now);
    rows.update(organization, after);
    rows.insertVersion(
        organization,
        after.id(),
        new DashboardVersion(after.version(), definition, author, now, restoredFrom));
    rows.removeVersions(organization, after.id(), after.version() - MAX_VERSIONS);
    audit.done(organization, actor, action, TYPE, after.id(), before.outline(), after.outline());
    return after;
  }

  /** Deletes it with its versions. */
  public void delete(TenantId organization, Actor actor, String id, ExpectedVersion expected) {
    transactions.run(
        organization,
        () -> {
          Dashboard before = locked(organization, id);
          expected.check(before.version());
          rows.delete(organization, id);
          audit.done(organization, actor, "dashboard.delete", TYPE, id, before.outline(), null);
        });
  }

  /** Versions, the newest first; {@code not_found}. */
  public Page<DashboardVersion> versions(TenantId organization, String id, PageRequest page) {
    long before = page.after().isEmpty() ? Long.MAX_VALUE : place(page.after());
    return transactions.within(
        organization,
        () -> {
          if (rows.find(organization, id).isEmpty()) {
            throw unknown();
          }
          return Page.of(
              rows.versions(organization, id, before, page.limit() + 1),
              page,
              version -> Long.toString(version.version()));
        });
  }

  /** A version of a dashboard; {@code not_found}. */
  public DashboardVersion version(TenantId organization, String id, long version) {
    return transactions.within(
        organization,
        () -> {
          if (rows.find(organization, id).isEmpty()) {
            throw unknown();
          }
          return rows.version(organization, id, version).orElseThrow(Dashboards::unknownVersion);
        });
  }

  private Dashboard locked(TenantId organization, String id) {
    return rows.lock(organization, id).orElseThrow(Dashboards::unknown);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static long place(String after) {
    try {
      return Long.parseLong(after);
    } catch (NumberFormatException notAPlace) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "cursor is of another list. Take it from meta.next_cursor, or leave it out.");
    }
  }

  private static void check(DashboardDefinition definition) {
    ProblemException.refuse(definition.faults());
    int bytes = DashboardJson.bytes(definition);
    if (bytes > DashboardDefinition.MAX_BYTES) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "A dashboard has at most "
              + DashboardDefinition.MAX_BYTES
              + " bytes as JSON; this one has "
              + bytes
              + ". Shorten its texts, or make two of it.");
    }
  }

  private static ProblemException unknown() {
    return ProblemException.of(ErrorCode.NOT_FOUND, "There is no such dashboard.");
  }

  private static ProblemException unknownVersion() {
    return ProblemException.of(
        ErrorCode.NOT_FOUND, "The dashboard has no such version; the newest 100 are kept.");
  }
}
