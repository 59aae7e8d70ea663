package io.tidemark.platform.billing;

import io.tidemark.platform.receipts.ReceivedBatch;
import io.tidemark.platform.receipts.ReceivedBatches;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Sums of what was used, from a period down to the batches of an hour. */
@Service
public class UsageReport {

  private static final Duration LONGEST = Duration.ofDays(400);

  private final TenantTransactions transactions;
  private final JdbcUsageSums rows;
  private final ReceivedBatches receipts;
  private final Meters meters;

  UsageReport(
      TenantTransactions transactions,
      JdbcUsageSums rows,
      ReceivedBatches receipts,
      Meters meters) {
    this.transactions = transactions;
    this.rows = rows;
    this.receipts = receipts;
    this.meters = meters;
  }

  /**
   * A page of sums.
   *
   * @param total of all pages
   */
  public record Sums(Meters.Meter meter, BigDecimal total, Page<UsageSum> page) {}

  /**
   * Sums by what the query says.
   *
   * @throws ProblemException {@code invalid_request}
   */
  public Sums sums(TenantId organization, UsageQuery query, PageRequest page) {
    check(query);
    int after = place(page.after());
    return transactions.within(
        organization,
        () -> {
          Page<UsageSum> found =
              Page.of(rows.page(organization, query, after, page.limit() + 1), page, sum -> "");
          String next =
              found.next() == null ? null : Integer.toString(after + found.items().size());
          return new Sums(
              Objects.requireNonNull(meters.find(query.meter())),
              rows.total(organization, query),
              new Page<>(found.items(), next));
        });
  }

  private void check(UsageQuery query) {
    List<String> faults = new ArrayList<>();
    if (meters.find(query.meter()) == null) {
      faults.add("meter is not known; it must be one of " + meters.names() + ".");
    }
    if (!query.from().isBefore(query.to())) {
      faults.add("from must be before to.");
    } else if (Duration.between(query.from(), query.to()).compareTo(LONGEST) > 0) {
      faults.add("from and to must be at most " + LONGEST.toDays() + " days apart.");
    }
    for (String text :
        new String[] {
          query.environment(), query.resourceType(), query.resourceId(), query.metric()
        }) {
      if (text != null && text.indexOf('\0') >= 0) {
        faults.add("A filter holds a null character; no stored name does.");
      }
    }
    if (!faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, faults);
    }
  }

  /**
   * Batches that were received in an hour.
   *
   * @param environment as the caller wrote it; null for all
   * @throws ProblemException {@code invalid_request}
   */
  public Page<ReceivedBatch> batches(
      TenantId organization, @Nullable String environment, Instant hour, PageRequest page) {
    if (environment != null && !TenantId.isWellFormed(environment)) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "environment_id is not of the form of an identifier.");
    }
    if (!hour.equals(hour.truncatedTo(ChronoUnit.HOURS))) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST, "hour must be the start of an hour in UTC.");
    }
    place(page.after());
    return receipts.list(
        organization,
        environment == null ? null : new EnvironmentId(environment),
        hour,
        hour.plus(1, ChronoUnit.HOURS),
        page);
  }

  /** A place in a list that counts. */
  static int place(String text) {
    try {
      int place = text.isEmpty() ? 0 : Integer.parseInt(text);
      if (place >= 0) {
        return place;
      }
    } catch (NumberFormatException notOurs) {
      // Refused below.
    }
    throw ProblemException.of(
        ErrorCode.INVALID_REQUEST,
        "cursor is not one that this list gave out. Take it from meta.next_cursor, or leave it"
            + " out.");
  }
}
