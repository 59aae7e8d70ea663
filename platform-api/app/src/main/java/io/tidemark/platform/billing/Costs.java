package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Cost;
import io.tidemark.platform.billing.domain.CostCalculator;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Invoices of organisations divided by day, environment and resource. */
@Service
public class Costs {

  /** As the API that clients know. */
  private static final int MAX_DAYS = 31;

  private final TenantTransactions transactions;
  private final Invoices invoices;
  private final Plans plans;
  private final JdbcUsageEntries entries;
  private final JdbcUsageSums sums;

  Costs(
      TenantTransactions transactions,
      Invoices invoices,
      Plans plans,
      JdbcUsageEntries entries,
      JdbcUsageSums sums) {
    this.transactions = transactions;
    this.invoices = invoices;
    this.plans = plans;
    this.entries = entries;
    this.sums = sums;
  }

  /** An invoice and its costs, which add up to its subtotal. */
  public record OfPeriod(Invoices.Issued issued, List<Cost> costs) {}

  /** A cost and the currency of its invoice. */
  public record DayCost(String currency, Cost cost) {}

  /**
   * Costs of days.
   *
   * @param through the last entry of the ledger that they are made of
   */
  public record OfDays(List<DayCost> costs, long through) {}

  /**
   * The invoice of a period that has begun, divided.
   *
   * @param period as the caller wrote it
   * @throws ProblemException {@code not_found}
   */
  public OfPeriod of(TenantId organization, String period) {
    return transactions.within(
        organization,
        () -> {
          Invoices.Issued issued = invoices.get(organization, period);
          return new OfPeriod(issued, divided(organization, issued.invoice()));
        });
  }

  /**
   * Costs of days in UTC, in their order.
   *
   * @param end the day after the last one
   * @param through as of an earlier answer; null for the ledger as it is now
   * @throws ProblemException {@code invalid_request}
   */
  public OfDays between(
      TenantId organization, LocalDate start, LocalDate end, @Nullable Long through) {
    check(start, end);
    return transactions.within(
        organization,
        () -> {
          long sequence = through == null ? entries.head(organization).sequence() : through;
          List<DayCost> found = new ArrayList<>();
          BillingPeriod period = period(start);
          while (period.firstDay().isBefore(end)) {
            if (invoices.has(organization, period)) {
              Invoice invoice = invoices.asOf(organization, period, sequence).invoice();
              for (Cost cost : divided(organization, invoice)) {
                if (!cost.day().isBefore(start) && cost.day().isBefore(end)) {
                  found.add(new DayCost(invoice.currency(), cost));
                }
              }
            }
            period = period.next();
          }
          return new OfDays(found, sequence);
        });
  }

  private static void check(LocalDate start, LocalDate end) {
    if (!start.isBefore(end)) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, "start_date must be before end_date.");
    }
    if (ChronoUnit.DAYS.between(start, end) > MAX_DAYS) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "start_date and end_date must be at most " + MAX_DAYS + " days apart.");
    }
  }

  private List<Cost> divided(TenantId organization, Invoice invoice) {
    BillingPeriod period = BillingPeriod.of(invoice.period()).orElseThrow();
    return new CostCalculator(plans.timeline(organization))
        .divide(
            period,
            invoice,
            sums.daily(
                organization, period.start(), period.end(), period, invoice.throughSequence()));
  }

  private static BillingPeriod period(LocalDate day) {
    return BillingPeriod.at(day.atStartOfDay(ZoneOffset.UTC).toInstant());
  }
}
