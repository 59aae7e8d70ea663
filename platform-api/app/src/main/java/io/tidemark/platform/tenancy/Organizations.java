package io.tidemark.platform.tenancy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.DisplayName;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The organisations of this installation. */
@Service
public class Organizations {

  /** The organisation that Tidemark's own metrics belong to. */
  public static final TenantId PLATFORM = new TenantId("org-self");

  private final TenantTransactions transactions;
  private final JdbcOrganizations rows;
  private final Environments environments;
  private final AuditLog audit;
  private final Clock clock;

  Organizations(
      TenantTransactions transactions,
      JdbcOrganizations rows,
      Environments environments,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.environments = environments;
    this.audit = audit;
    this.clock = clock;
  }

  /** Makes sure that the organisation and its environment exist; changes nothing when they do. */
  public void ensureExists(TenantId organization, EnvironmentId environment, Actor actor) {
    transactions.run(
        organization,
        () -> {
          if (rows.insertIfAbsent(organization, clock.instant())) {
            audit.done(
                organization,
                actor,
                "organization.create",
                "organization",
                organization.value(),
                null,
                rows.find(organization).orElseThrow());
          }
          environments.ensureExists(organization, environment, actor);
        });
  }

  /**
   * The organisation.
   *
   * @throws ProblemException {@code not_found}
   */
  public Organization get(TenantId organization) {
    return transactions.within(organization, () -> found(rows.find(organization)));
  }

  /**
   * Changes the name; null leaves it.
   *
   * @throws ProblemException {@code not_found}, {@code invalid_request}, {@code
   *     precondition_failed}
   */
  public Organization rename(
      TenantId organization, Actor actor, ExpectedVersion expected, String displayName) {
    List<String> faults = new ArrayList<>();
    if (displayName != null) {
      DisplayName.check("display_name", displayName, faults);
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
    return transactions.within(
        organization,
        () -> {
          Organization before = found(rows.lock(organization));
          expected.check(before.version());
          if (displayName == null || displayName.equals(before.displayName())) {
            return before;
          }
          Instant now = clock.instant();
          Organization after =
              new Organization(
                  organization, displayName, before.version() + 1, before.createdAt(), now);
          rows.update(organization, after);
          audit.done(
              organization,
              actor,
              "organization.rename",
              "organization",
              organization.value(),
              before,
              after);
          return after;
        });
  }

  private static Organization found(Optional<Organization> organization) {
    return organization.orElseThrow(
        () -> ProblemException.of(ErrorCode.NOT_FOUND, "There is no such organisation."));
  }
}
