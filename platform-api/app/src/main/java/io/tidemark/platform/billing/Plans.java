package io.tidemark.platform.billing;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.PlanTimeline;
import io.tidemark.platform.billing.domain.PlanVersion;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Plans of organisations. Versions are added and never changed. */
@Service
public class Plans {

  private static final int MAX_TRIAL_DAYS = 365;

  private final TenantTransactions transactions;
  private final JdbcPlanVersions rows;
  private final JdbcInvoices invoices;
  private final PlanCatalog catalog;
  private final Meters meters;
  private final AuditLog audit;
  private final Clock clock;

  Plans(
      TenantTransactions transactions,
      JdbcPlanVersions rows,
      JdbcInvoices invoices,
      PlanCatalog catalog,
      Meters meters,
      AuditLog audit,
      Clock clock) {
    this.transactions = transactions;
    this.rows = rows;
    this.invoices = invoices;
    this.catalog = catalog;
    this.meters = meters;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * The plans of an organisation.
   *
   * @param current in force now
   * @param versions as chosen
   */
  public record OfOrganization(
      PricePlan current, List<PlanVersion> versions, List<PricePlan> choices) {

    /** For entity tags: the number of the last version, 0 without. */
    public long version() {
      return versions.isEmpty() ? 0 : versions.get(versions.size() - 1).version();
    }
  }

  public OfOrganization get(TenantId organization) {
    return transactions.within(
        organization,
        () -> {
          List<PlanVersion> versions = rows.all(organization);
          return new OfOrganization(
              timeline(versions).at(clock.instant()), versions, catalog.all());
        });
  }

  /** Which plan is in force when. */
  PlanTimeline timeline(TenantId organization) {
    return timeline(rows.all(organization));
  }

  private PlanTimeline timeline(List<PlanVersion> versions) {
    return new PlanTimeline(catalog.byDefault(), versions);
  }

  /** Plans that can be chosen. */
  List<PricePlan> choices() {
    return catalog.all();
  }

  /**
   * The plan of that name.
   *
   * @throws ProblemException {@code invalid_request}
   */
  public PricePlan named(String name) {
    return catalog
        .find(name)
        .orElseThrow(
            () ->
                ProblemException.of(
                    ErrorCode.INVALID_REQUEST,
                    "plan is '"
                        + name
                        + "'; it must be one of "
                        + catalog.all().stream().map(PricePlan::name).toList()
                        + "."));
  }

  /**
   * Refuses a plan that cannot be used, every field named.
   *
   * @throws ProblemException {@code invalid_request}
   */
  public void check(PricePlan plan) {
    List<String> faults = plan.faults(meters.billable());
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  /**
   * Adds a version.
   *
   * @param from null for today
   * @param trialDays from then on that cost nothing; 0 for none
   * @throws ProblemException {@code invalid_request}, {@code precondition_failed}
   */
  public OfOrganization choose(
      TenantId organization,
      Actor actor,
      ExpectedVersion expected,
      PricePlan plan,
      @Nullable LocalDate from,
      int trialDays) {
    check(plan);
    if (trialDays < 0 || trialDays > MAX_TRIAL_DAYS) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "trial_days must be 0 to " + MAX_TRIAL_DAYS + ".");
    }
    return transactions.within(
        organization,
        () -> {
          OfOrganization before = get(organization);
          expected.check(before.version());
          Instant now = clock.instant();
          LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
          LocalDate effective = from == null ? today : from;
          checkDate(organization, before, plan, today, effective);
          long version = before.version() + 1;
          if (trialDays > 0) {
            add(organization, new PlanVersion(version++, effective, plan.trial()), now);
          }
          add(organization, new PlanVersion(version, effective.plusDays(trialDays), plan), now);
          audit.done(
              organization,
              actor,
              "plan.choose",
              "plan",
              organization.value(),
              Map.of("name", before.current().name()),
              Map.of(
                  "name",
                  plan.name(),
                  "effective_from",
                  effective.toString(),
                  "trial_days",
                  trialDays));
          return get(organization);
        });
  }

  private void add(TenantId organization, PlanVersion version, Instant now) {
    if (!rows.add(organization, version, now)) {
      // Somebody else was between the look and the change.
      ExpectedVersion.NONE.check(version.version());
    }
  }

  private void checkDate(
      TenantId organization,
      OfOrganization before,
      PricePlan plan,
      LocalDate today,
      LocalDate effective) {
    List<String> faults = new ArrayList<>();
    BillingPeriod period = BillingPeriod.at(effective.atStartOfDay(ZoneOffset.UTC).toInstant());
    if (invoices.closedPeriods(organization).contains(period)) {
      faults.add("effective_from is in " + period + ", which is closed.");
    } else if (effective.isBefore(today)) {
      faults.add("effective_from must be today in UTC, " + today + ", or later.");
    }
    if (effective.isAfter(today.plusYears(2))) {
      faults.add("effective_from must be at most two years ahead.");
    }
    PricePlan then = timeline(before.versions()).at(effective);
    if (!then.currency().equals(plan.currency()) && effective.getDayOfMonth() != 1) {
      faults.add(
          "effective_from must be the first day of a month for a plan of another currency: an"
              + " invoice has one.");
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }
}
