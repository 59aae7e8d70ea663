package io.tidemark.platform.billing.document;

import io.tidemark.platform.billing.domain.ChargePricer;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.function.Function;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentInformation;
import org.jspecify.annotations.Nullable;

/**
 * An invoice on paper. Amounts are rounded, as the invoice has them; the parts of a line show how
 * its tiers were priced. The same invoice gives the same bytes.
 */
public final class InvoicePdf {

  private static final float LEFT = 50;
  private static final float RIGHT = 545;
  private static final float TOP = 790;
  private static final float BOTTOM = 80;
  private static final float SMALL = 8;
  private static final float NORMAL = 9.5f;
  private static final float LARGE = 20;
  private static final float QUANTITY = 375;
  private static final float PRICE = 490;
  private static final float DESCRIPTION_WIDTH = 215;
  private static final float SUMS = 50;
  private static final int SHOWN_DIGITS = 3;

  private final Invoice invoice;
  private final Parties parties;
  private final Function<String, String> units;
  private final PdfPages pages;

  private InvoicePdf(
      Invoice invoice, Parties parties, Function<String, String> units, PdfPages pages) {
    this.invoice = invoice;
    this.parties = parties;
    this.units = units;
    this.pages = pages;
  }

  /**
   * The document.
   *
   * @param hash of a closed invoice as stored; null for a draft
   * @param units unit of each meter
   */
  public static byte[] of(
      Invoice invoice, @Nullable String hash, Parties parties, Function<String, String> units) {
    try (PDDocument document = new PDDocument();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream()) {
      describe(document, invoice, parties);
      PdfPages pages = new PdfPages(document);
      InvoicePdf pdf = new InvoicePdf(invoice, parties, units, pages);
      pdf.heading();
      pdf.table();
      pdf.sums();
      pages.finish(pdf.footer(hash), LEFT, RIGHT, 50);
      document.save(bytes);
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void describe(PDDocument document, Invoice invoice, Parties parties) {
    // Otherwise made of the clock.
    document.setDocumentId(invoice.throughSequence());
    PDDocumentInformation about = document.getDocumentInformation();
    about.setTitle(
        (invoice.isClosed() ? "Invoice " + invoice.number() : "Draft of " + invoice.period()));
    about.setAuthor(parties.issuer());
    about.setProducer("Tidemark");
    GregorianCalendar at = new GregorianCalendar(TimeZone.getTimeZone(ZoneOffset.UTC));
    Instant made = invoice.isClosed() ? invoice.closedAt() : invoice.from();
    at.setTimeInMillis(Objects.requireNonNull(made).toEpochMilli());
    about.setCreationDate(at);
    about.setModificationDate(at);
  }

  private void heading() throws IOException {
    pages.begin(TOP);
    pages.text(LEFT, LARGE, true, parties.issuer());
    pages.textRight(RIGHT, LARGE, false, invoice.isClosed() ? "Invoice" : "Draft invoice");
    pages.down(22);
    for (String line : parties.address()) {
      pages.text(LEFT, SMALL, false, line);
      pages.down(11);
    }
    if (!parties.taxId().isEmpty()) {
      pages.text(LEFT, SMALL, false, "Tax number " + parties.taxId());
      pages.down(11);
    }
    pages.down(20);
    float start = pages.place();
    pages.text(LEFT, SMALL, false, "For");
    pages.down(14);
    pages.text(LEFT, 11, true, parties.organizationName());
    pages.down(13);
    pages.text(LEFT, NORMAL, false, parties.organizationId());
    float end = pages.place();
    pages.moveTo(start);
    for (List<String> fact : facts()) {
      pages.text(330, SMALL, false, fact.get(0));
      pages.textRight(RIGHT, NORMAL, false, fact.get(1));
      pages.down(14);
    }
    pages.moveTo(Math.min(end, pages.place()) - 26);
  }

  private List<List<String>> facts() {
    List<List<String>> facts = new ArrayList<>();
    facts.add(List.of("Number", invoice.isClosed() ? invoice.number() : "none yet"));
    facts.add(List.of("Period", day(invoice.from()) + " to " + lastDay(invoice.to()) + " (UTC)"));
    facts.add(
        invoice.isClosed()
            ? List.of("Issued", day(invoice.closedAt()))
            : List.of("Changes until", invoice.closesAt().toString()));
    facts.add(List.of("Currency", invoice.currency()));
    return facts;
  }

  private void columns() throws IOException {
    pages.text(LEFT, SMALL, true, "Description");
    pages.textRight(QUANTITY, SMALL, true, "Quantity");
    pages.textRight(PRICE, SMALL, true, "Price");
    pages.textRight(RIGHT, SMALL, true, "Amount");
    pages.down(6);
    pages.rule(LEFT, RIGHT, 0.8f);
    pages.down(14);
  }

  private void table() throws IOException {
    columns();
    for (int i = 0; i < invoice.lines().size(); i++) {
      InvoiceLine line = invoice.lines().get(i);
      List<String> description = pages.wrapped(line.description(), NORMAL, DESCRIPTION_WIDTH);
      float height = 13f * description.size() + 11f * (2 + parts(line).size()) + 18;
      // The sums are never alone on a page.
      boolean isLast = i == invoice.lines().size() - 1;
      if (pages.place() - height - (isLast ? SUMS : 0) < BOTTOM) {
        pages.begin(TOP);
        columns();
      }
      line(line, description);
    }
  }

  private static List<ChargePricer.TierPart> parts(InvoiceLine line) {
    return line.parts() == null ? List.of() : line.parts();
  }

  private void line(InvoiceLine line, List<String> description) throws IOException {
    if (line.quantity() != null) {
      pages.textRight(QUANTITY, NORMAL, false, grouped(line.quantity()) + " " + unit(line));
    }
    pages.textRight(RIGHT, NORMAL, false, amount(line.amount()));
    for (String text : description) {
      pages.text(LEFT, NORMAL, false, text);
      pages.down(13);
    }
    pages.grey(
        LEFT,
        SMALL,
        "Plan "
            + line.plan()
            + ", "
            + day(line.from())
            + " to "
            + lastDay(line.to())
            + reason(line));
    pages.down(11);
    if (line.included() != null && line.included().signum() > 0) {
      pages.greyRight(QUANTITY, SMALL, shown(line.included()) + " included");
      pages.down(11);
    }
    for (ChargePricer.TierPart part : parts(line)) {
      pages.greyRight(QUANTITY, SMALL, shown(part.quantity()));
      pages.greyRight(
          PRICE,
          SMALL,
          grouped(part.price())
              + " per "
              + grouped(Objects.requireNonNull(line.per()))
              + (part.flat().signum() > 0 ? " + " + shown(part.flat()) : ""));
      pages.down(11);
    }
    pages.rule(LEFT, RIGHT, 0.2f);
    pages.down(14);
  }

  private static String reason(InvoiceLine line) {
    return line.reason() == null ? "" : ", " + line.reason();
  }

  private String unit(InvoiceLine line) {
    return line.meter() == null ? "" : units.apply(line.meter()) + "s";
  }

  private void sums() throws IOException {
    sum("Subtotal", invoice.subtotal(), false);
    sum(
        invoice.tax().name() + " " + grouped(invoice.tax().ratePercent()) + " %",
        invoice.taxAmount(),
        false);
    pages.down(2);
    sum("Total " + invoice.currency(), invoice.total(), true);
  }

  private void sum(String name, BigDecimal amount, boolean isBold) throws IOException {
    pages.textRight(PRICE, NORMAL, isBold, name);
    pages.textRight(RIGHT, NORMAL, isBold, amount(amount));
    pages.down(15);
  }

  private List<String> footer(@Nullable String hash) {
    List<String> footer = new ArrayList<>();
    footer.add(
        "Each line and the tax are rounded half up to "
            + invoice.scale()
            + " digits. Days are those of receipt, in UTC.");
    footer.add(
        "Quantities are shown with at most "
            + SHOWN_DIGITS
            + " digits after the point; CSV and JSON have all.");
    footer.add(
        hash == null
            ? "This is a draft. It is no invoice."
            : "Made of the usage ledger through entry "
                + invoice.throughSequence()
                + ". SHA-256 "
                + hash);
    return footer;
  }

  private String amount(BigDecimal amount) {
    return grouped(amount.setScale(invoice.scale()));
  }

  /** Parts of a month can have twelve digits after the point; paper shows some of them. */
  private static String shown(BigDecimal number) {
    BigDecimal rounded =
        number.scale() > SHOWN_DIGITS
            ? number.setScale(SHOWN_DIGITS, RoundingMode.HALF_UP).stripTrailingZeros()
            : number;
    return grouped(rounded);
  }

  /** Groups of three with spaces, which no country reads as a decimal point. */
  static String grouped(BigDecimal number) {
    String plain = number.toPlainString();
    int point = plain.indexOf('.');
    String whole = point < 0 ? plain : plain.substring(0, point);
    String sign = whole.startsWith("-") ? "-" : "";
    String digits = whole.substring(sign.length());
    StringBuilder text = new StringBuilder(sign);
    for (int i = 0; i < digits.length(); i++) {
      if (i > 0 && (digits.length() - i) % 3 == 0) {
        text.append('\u00A0');
      }
      text.append(digits.charAt(i));
    }
    return text + (point < 0 ? "" : plain.substring(point));
  }

  private static String day(@Nullable Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC).toString();
  }

  private static String lastDay(Instant end) {
    return day(end.minusNanos(1));
  }
}
