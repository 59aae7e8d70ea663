package io.tidemark.platform.receipts;

import io.tidemark.platform.receipts.JdbcBatchPoints.CopyRow;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Says what was received when, and how much of it counts, by the rule of {@link
 * DeduplicationOutcome}.
 */
@Component
public class ReceivedBatches {

  private static final Duration HORIZON = Duration.ofHours(1);

  private final TenantTransactions transactions;
  private final JdbcBatchPoints rows;
  private final Clock clock;
  private final Duration kept;

  ReceivedBatches(
      TenantTransactions transactions,
      JdbcBatchPoints rows,
      Clock clock,
      ReceiptsProperties properties) {
    this.transactions = transactions;
    this.rows = rows;
    this.clock = clock;
    this.kept = properties.kept();
  }

  /** From when on receipts are there. */
  public Instant keptSince() {
    return clock.instant().minus(kept);
  }

  private record HourOfEnvironment(Instant hour, String environment) {}

  /** Points that count, by hour of receipt and environment. */
  public List<ReceivedPoints> points(TenantId organization, Instant from, Instant to) {
    return transactions.within(
        organization,
        () -> {
          Map<HourOfEnvironment, Long> sums = new LinkedHashMap<>();
          for (ReceivedPoints one : rows.single(organization, from, to)) {
            sums.merge(
                new HourOfEnvironment(one.hour(), one.environment().value()),
                one.points(),
                Long::sum);
          }
          byBatch(rows.repeated(organization, from, to))
              .values()
              .forEach(
                  copies ->
                      counted(copies).stream()
                          .filter(copy -> isWithin(copy, from, to))
                          .forEach(
                              copy ->
                                  sums.merge(
                                      new HourOfEnvironment(
                                          copy.receivedAt().truncatedTo(ChronoUnit.HOURS),
                                          copy.environment()),
                                      copy.points(),
                                      Long::sum)));
          return sums.entrySet().stream()
              .map(
                  sum ->
                      new ReceivedPoints(
                          sum.getKey().hour(),
                          new EnvironmentId(sum.getKey().environment()),
                          sum.getValue()))
              .toList();
        });
  }

  /** Points that came by start of minute of receipt, resends too. */
  public SortedMap<Instant, Long> pointsByMinute(
      TenantId organization, EnvironmentId environment, Instant from, Instant to) {
    return transactions.within(
        organization, () -> rows.byMinute(organization, environment, from, to));
  }

  /**
   * Batches in the order in which they first came in that time.
   *
   * @param environment null for all
   */
  public Page<ReceivedBatch> list(
      TenantId organization,
      @Nullable EnvironmentId environment,
      Instant from,
      Instant to,
      PageRequest page) {
    int after = page.after().isEmpty() ? 0 : place(page.after());
    List<ReceivedBatch> batches = new ArrayList<>();
    transactions
        .within(
            organization,
            () ->
                byBatch(rows.batches(organization, environment, from, to, after, page.limit() + 1)))
        .forEach((batch, copies) -> batches.add(received(batch, copies, from, to)));
    Page<ReceivedBatch> found = Page.of(batches, page, batch -> "");
    return new Page<>(
        found.items(),
        found.next() == null ? null : Integer.toString(after + found.items().size()));
  }

  private static int place(String text) {
    try {
      return Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }

  private static ReceivedBatch received(
      String batch, List<CopyRow> copies, Instant from, Instant to) {
    Instant first =
        copies.stream()
            .filter(copy -> isWithin(copy, from, to))
            .map(CopyRow::receivedAt)
            .min(Instant::compareTo)
            .orElseThrow();
    long counted =
        counted(copies).stream()
            .filter(copy -> isWithin(copy, from, to))
            .mapToLong(CopyRow::points)
            .sum();
    return new ReceivedBatch(batch, first, copies.get(0).points(), counted);
  }

  private static boolean isWithin(CopyRow copy, Instant from, Instant to) {
    return !copy.receivedAt().isBefore(from) && copy.receivedAt().isBefore(to);
  }

  private static Map<String, List<CopyRow>> byBatch(List<CopyRow> rows) {
    Map<String, List<CopyRow>> batches = new LinkedHashMap<>();
    for (CopyRow row : rows) {
      batches.computeIfAbsent(row.batchId(), unknown -> new ArrayList<>()).add(row);
    }
    return batches;
  }

  /** Copies of one batch that count, in the order of their places. */
  private static List<CopyRow> counted(List<CopyRow> copies) {
    List<CopyRow> counted = new ArrayList<>();
    Instant last = null;
    for (CopyRow copy : copies) {
      boolean isResend =
          last != null && Duration.between(last, copy.receivedAt()).compareTo(HORIZON) <= 0;
      if (!copy.isRefused() && !isResend) {
        last = copy.receivedAt();
        counted.add(copy);
      }
    }
    return counted;
  }
}
