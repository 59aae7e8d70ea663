package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the tables invoice and ledger_posting. */
@Repository
class JdbcInvoices {

  /**
   * A closed invoice.
   *
   * @param document as stored
   * @param hash of the document as stored, 64 hexadecimal digits
   */
  record StoredInvoice(BillingPeriod period, String document, String hash) {

    Invoice invoice() {
      return BillingJson.invoice(document);
    }
  }

  /** One side of a posting of a line. */
  record Posting(String account, BigDecimal debit, BigDecimal credit, String lineId) {}

  private final JdbcClient jdbc;

  JdbcInvoices(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Set<BillingPeriod> closedPeriods(TenantId organization) {
    return new HashSet<>(
        jdbc.sql("SELECT month FROM invoice WHERE organization_id = :organization")
            .param("organization", organization.value())
            .query((row, number) -> period(row.getObject(1, LocalDate.class)))
            .list());
  }

  /** The earliest first. */
  List<StoredInvoice> all(TenantId organization) {
    return jdbc.sql(
            """
            SELECT month, document, encode(hash, 'hex') FROM invoice
            WHERE organization_id = :organization ORDER BY month
            """)
        .param("organization", organization.value())
        .query(
            (row, number) ->
                new StoredInvoice(
                    period(row.getObject(1, LocalDate.class)), row.getString(2), row.getString(3)))
        .list();
  }

  Optional<StoredInvoice> find(TenantId organization, BillingPeriod period) {
    return all(organization).stream().filter(one -> one.period().equals(period)).findFirst();
  }

  void add(
      TenantId organization,
      BillingPeriod period,
      Invoice invoice,
      String document,
      String hash,
      List<Posting> postings) {
    jdbc.sql(
            """
            INSERT INTO invoice
              (organization_id, month, number, document, hash, through_sequence, closed_at)
            VALUES (:organization, :month, :number, :document, :hash, :through, :closed)
            """)
        .param("organization", organization.value())
        .param("month", period.firstDay())
        .param("number", invoice.number())
        .param("document", document)
        .param("hash", HexFormat.of().parseHex(hash))
        .param("through", invoice.throughSequence())
        .param("closed", Objects.requireNonNull(invoice.closedAt()).atOffset(ZoneOffset.UTC))
        .update();
    int line = 0;
    for (Posting posting : postings) {
      jdbc.sql(
              """
              INSERT INTO ledger_posting
                (organization_id, month, line, account, currency, debit, credit, line_id)
              VALUES (:organization, :month, :line, :account, :currency, :debit, :credit, :id)
              """)
          .param("organization", organization.value())
          .param("month", period.firstDay())
          .param("line", ++line)
          .param("account", posting.account())
          .param("currency", invoice.currency())
          .param("debit", posting.debit())
          .param("credit", posting.credit())
          .param("id", posting.lineId())
          .update();
    }
  }

  /** Debits less credits of a period; zero for one that is balanced. */
  BigDecimal balance(TenantId organization, BillingPeriod period) {
    return jdbc.sql(
            """
            SELECT coalesce(sum(debit) - sum(credit), 0) FROM ledger_posting
            WHERE organization_id = :organization AND month = :month
            """)
        .param("organization", organization.value())
        .param("month", period.firstDay())
        .query(BigDecimal.class)
        .single();
  }

  private static BillingPeriod period(LocalDate firstDay) {
    return BillingPeriod.at(firstDay.atStartOfDay(ZoneOffset.UTC).toInstant());
  }
}
