package io.tidemark.platform.billing.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An invoice of a period: a draft, or closed with a number.
 *
 * @param number null for a draft
 * @param scale digits after the point of every amount
 * @param subtotal sum of the lines
 * @param taxAmount of the subtotal, rounded once
 * @param throughSequence the last ledger entry that it is made of
 * @param closesAt when the period closes
 * @param closedAt null for a draft
 */
public record Invoice(
    String period,
    @Nullable String number,
    Instant from,
    Instant to,
    String currency,
    int scale,
    List<InvoiceLine> lines,
    BigDecimal subtotal,
    Tax tax,
    BigDecimal taxAmount,
    BigDecimal total,
    long throughSequence,
    Instant closesAt,
    @Nullable Instant closedAt) {

  public Invoice {
    lines = List.copyOf(lines);
  }

  public boolean isClosed() {
    return number != null;
  }

  /** What the period costs, before credits and tax. */
  public BigDecimal charged() {
    return lines.stream()
        .filter(line -> line.kind() != InvoiceLine.Kind.CREDIT)
        .map(InvoiceLine::amount)
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .setScale(scale);
  }

  /** The same, closed. */
  public Invoice closed(String withNumber, Instant at) {
    return new Invoice(
        period,
        withNumber,
        from,
        to,
        currency,
        scale,
        lines,
        subtotal,
        tax,
        taxAmount,
        total,
        throughSequence,
        closesAt,
        at);
  }
}
