package io.tidemark.platform.billing.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Charge;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceCalculator;
import io.tidemark.platform.billing.domain.PlanTimeline;
import io.tidemark.platform.billing.domain.PlanVersion;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.billing.domain.Tax;
import io.tidemark.platform.billing.domain.Tier;
import io.tidemark.platform.billing.domain.TierMode;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

class InvoicePdfTest {

  private static final BillingPeriod MARCH = BillingPeriod.of("2026-03").orElseThrow();
  private static final Parties PARTIES =
      new Parties(
          "Tidemark GmbH",
          List.of("Hafenstraße 1", "20457 Hamburg"),
          "DE 123",
          "org-a",
          "Łódź Φ 東京 \u0007Shop");

  private static PricePlan plan(String name, String price) {
    return new PricePlan(
        name,
        "EUR",
        new BigDecimal("99"),
        new BigDecimal("500"),
        new BigDecimal("5"),
        new Tax("VAT", new BigDecimal("19")),
        List.of(
            new Charge(
                "points",
                new BigDecimal("1000000"),
                new BigDecimal("10000000"),
                TierMode.GRADUATED,
                List.of(
                    new Tier(new BigDecimal("1000000000"), new BigDecimal(price), BigDecimal.ZERO),
                    new Tier(null, new BigDecimal("0.10"), new BigDecimal("25"))))));
  }

  private static Invoice invoice(int versions) {
    List<PlanVersion> later = new ArrayList<>();
    for (int i = 1; i < versions; i++) {
      later.add(
          new PlanVersion(i, MARCH.firstDay().plusDays(i), plan("plan " + i, "0.1" + (i % 10))));
    }
    return new InvoiceCalculator(new PlanTimeline(plan("committed", "0.15"), later))
        .draft(
            MARCH,
            (from, to) -> Map.of("points", new BigDecimal("5012345678")),
            List.of(),
            4_711,
            Instant.parse("2026-04-02T00:00:00Z"));
  }

  private static String text(byte[] pdf, int pages) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf)) {
      assertThat(document.getNumberOfPages()).isEqualTo(pages);
      return new PDFTextStripper().getText(document).replace('\u00A0', ' ');
    }
  }

  @Test
  void aClosedInvoiceShowsWhatItIsMadeOfAndIsTheSameEveryTime() throws IOException {
    Invoice closed = invoice(1).closed("org-a-2026-03", Instant.parse("2026-04-02T00:00:01Z"));
    byte[] pdf = InvoicePdf.of(closed, "ab".repeat(32), PARTIES, meter -> "point");

    assertThat(InvoicePdf.of(closed, "ab".repeat(32), PARTIES, meter -> "point")).isEqualTo(pdf);
    assertThat(text(pdf, 1))
        .contains(
            "Tidemark GmbH",
            "Hafenstraße 1",
            "Łódź Φ ?? ?Shop",
            "org-a-2026-03",
            "2026-03-01 to 2026-03-31 (UTC)",
            "5 012 345 678 points",
            "10 000 000 included",
            "0.15 per 1 000 000",
            "Discount of 5 %",
            "VAT 19 %",
            "ab".repeat(32),
            "Page 1 of 1")
        .doesNotContain("Draft");
  }

  @Test
  void aDraftSaysSoAndLongInvoicesHavePages() throws IOException {
    byte[] pdf = InvoicePdf.of(invoice(25), null, PARTIES, meter -> "point");

    String text = text(pdf, 6);
    assertThat(text).contains("Draft invoice", "It is no invoice", "Page 6 of 6", "plan 24");
    assertThat(text.lines().filter(line -> line.startsWith("Total"))).hasSize(1);
  }
}
