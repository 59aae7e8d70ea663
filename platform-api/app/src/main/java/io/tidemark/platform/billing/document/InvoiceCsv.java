package io.tidemark.platform.billing.document;

import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceLine;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An invoice as a table: its lines, then tax and total. */
public final class InvoiceCsv {

  private static final List<String> COLUMNS =
      List.of(
          "organization_id",
          "invoice",
          "period",
          "state",
          "line",
          "kind",
          "description",
          "meter",
          "plan",
          "from",
          "to",
          "reason",
          "quantity",
          "included",
          "billed_quantity",
          "per",
          "exact_amount",
          "amount",
          "currency");

  private InvoiceCsv() {}

  public static String of(Invoice invoice, Parties parties) {
    CsvText csv = new CsvText().row(COLUMNS);
    for (InvoiceLine line : invoice.lines()) {
      csv.row(
          row(
              invoice,
              parties,
              line.id(),
              line.kind().name().toLowerCase(Locale.ROOT),
              line.description(),
              line.meter(),
              line.plan(),
              line.from(),
              line.to(),
              line.reason(),
              line.quantity(),
              line.included(),
              line.billedQuantity(),
              line.per(),
              line.exactAmount(),
              line.amount()));
    }
    csv.row(sum(invoice, parties, "tax", invoice.tax().name(), invoice.taxAmount()));
    return csv.row(sum(invoice, parties, "total", "Total", invoice.total())).toString();
  }

  private static List<@Nullable Object> sum(
      Invoice invoice, Parties parties, String kind, String description, Object amount) {
    return row(
        invoice,
        parties,
        kind,
        kind,
        description,
        null,
        null,
        invoice.from(),
        invoice.to(),
        null,
        null,
        null,
        null,
        null,
        null,
        amount);
  }

  private static List<@Nullable Object> row(
      Invoice invoice, Parties parties, @Nullable Object... ofLine) {
    @Nullable Object[] row = new Object[COLUMNS.size()];
    row[0] = parties.organizationId();
    row[1] = invoice.number();
    row[2] = invoice.period();
    row[3] = invoice.isClosed() ? "closed" : "draft";
    System.arraycopy(ofLine, 0, row, 4, ofLine.length);
    row[row.length - 1] = invoice.currency();
    return Arrays.asList(row);
  }
}
