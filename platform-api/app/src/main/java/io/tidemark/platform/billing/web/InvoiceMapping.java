package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.model.InvoiceRounding;
import io.tidemark.contracts.controlapi.model.InvoiceState;
import io.tidemark.contracts.controlapi.model.InvoiceSummary;
import io.tidemark.contracts.controlapi.model.InvoiceTax;
import io.tidemark.contracts.controlapi.model.InvoiceTierPart;
import io.tidemark.contracts.controlapi.model.UsageCosts;
import io.tidemark.platform.billing.Meters;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceLine;
import io.tidemark.platform.billing.domain.MeterCost;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Invoices in the words of the contract. */
final class InvoiceMapping {

  private final Meters meters;

  InvoiceMapping(Meters meters) {
    this.meters = meters;
  }

  io.tidemark.contracts.controlapi.model.Invoice invoice(Invoice invoice, @Nullable String hash) {
    return new io.tidemark.contracts.controlapi.model.Invoice(
            invoice.period(),
            utc(invoice.from()),
            utc(invoice.to()),
            state(invoice),
            utc(invoice.closesAt()),
            invoice.currency(),
            new InvoiceRounding(invoice.scale(), "HALF_UP", "each line and the tax"),
            invoice.lines().stream().map(this::line).toList(),
            invoice.subtotal().toPlainString(),
            new InvoiceTax(
                invoice.tax().name(),
                invoice.tax().ratePercent().toPlainString(),
                invoice.taxAmount().toPlainString()),
            invoice.total().toPlainString(),
            invoice.throughSequence())
        .number(invoice.number())
        .closedAt(utc(invoice.closedAt()))
        .hash(hash);
  }

  InvoiceSummary summary(Invoice invoice) {
    return new InvoiceSummary(
            invoice.period(),
            state(invoice),
            invoice.currency(),
            invoice.subtotal().toPlainString(),
            invoice.total().toPlainString(),
            utc(invoice.closesAt()))
        .number(invoice.number())
        .closedAt(utc(invoice.closedAt()));
  }

  UsageCosts costs(Invoice invoice, List<MeterCost> found) {
    return new UsageCosts(
        invoice.period(),
        state(invoice),
        invoice.currency(),
        shortest(found.stream().map(MeterCost::amount).reduce(BigDecimal.ZERO, BigDecimal::add)),
        found.stream()
            .map(
                cost ->
                    new io.tidemark.contracts.controlapi.model.MeterCost(
                        cost.meter(),
                        Objects.requireNonNull(meters.find(cost.meter())).unit(),
                        shortest(Objects.requireNonNull(cost.quantity())),
                        shortest(cost.amount())))
            .toList());
  }

  /** Exact amounts have as many digits as their price and share had, zeros at the end too. */
  private static String shortest(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return (stripped.scale() < 0 ? stripped.setScale(0) : stripped).toPlainString();
  }

  private static InvoiceState state(Invoice invoice) {
    return invoice.isClosed() ? InvoiceState.CLOSED : InvoiceState.DRAFT;
  }

  private io.tidemark.contracts.controlapi.model.InvoiceLine line(InvoiceLine line) {
    Meters.Meter meter = line.meter() == null ? null : meters.find(line.meter());
    return new io.tidemark.contracts.controlapi.model.InvoiceLine(
            line.id(),
            io.tidemark.contracts.controlapi.model.InvoiceLine.KindEnum.fromValue(
                line.kind().name().toLowerCase(Locale.ROOT)),
            line.description(),
            line.amount().toPlainString())
        .meter(line.meter())
        .unit(meter == null ? null : meter.unit())
        .plan(line.plan())
        .from(utc(line.from()))
        .to(utc(line.to()))
        .reason(line.reason())
        .quantity(plain(line.quantity()))
        .included(plain(line.included()))
        .billedQuantity(plain(line.billedQuantity()))
        .per(plain(line.per()))
        .parts(
            line.parts() == null
                ? null
                : line.parts().stream()
                    .map(
                        part ->
                            new InvoiceTierPart(
                                part.quantity().toPlainString(),
                                part.price().toPlainString(),
                                part.flat().toPlainString(),
                                part.amount().toPlainString()))
                    .toList())
        .exactAmount(plain(line.exactAmount()));
  }

  private static @Nullable String plain(@Nullable BigDecimal number) {
    return number == null ? null : number.toPlainString();
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
