package io.tidemark.platform.billing.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Charge;
import io.tidemark.platform.billing.domain.Credit;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceCalculator;
import io.tidemark.platform.billing.domain.InvoiceCalculator.Late;
import io.tidemark.platform.billing.domain.InvoiceCalculator.Quantities;
import io.tidemark.platform.billing.domain.PlanTimeline;
import io.tidemark.platform.billing.domain.PlanVersion;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.billing.domain.Tax;
import io.tidemark.platform.billing.domain.Tier;
import io.tidemark.platform.billing.domain.TierMode;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invoices that were read and computed by hand once, to the last digit. One that differs is left in
 * {@code target/golden} as a table and as PDF, for somebody to read before it is taken.
 */
class GoldenInvoicesTest {

  /** Clocks of Europe and of America change in it; it has 744 hours all the same. */
  private static final BillingPeriod MARCH = BillingPeriod.of("2026-03").orElseThrow();

  private static final Instant CLOSES = Instant.parse("2026-04-02T00:00:00Z");
  private static final Parties PARTIES =
      new Parties(
          "Tidemark GmbH",
          List.of("Hafenstraße 1", "20457 Hamburg"),
          "DE 123",
          "org-golden",
          "Golden Shop");

  private static BigDecimal number(String text) {
    return new BigDecimal(text);
  }

  private static Tier tier(String upTo, String price, String flat) {
    return new Tier(upTo == null ? null : number(upTo), number(price), number(flat));
  }

  private static final Charge POINTS =
      new Charge(
          "points",
          number("1000000"),
          number("10000000"),
          TierMode.GRADUATED,
          List.of(
              tier("1000000000", "0.15", "0"),
              tier("10000000000", "0.10", "0"),
              tier(null, "0.06", "0")));

  private static final Charge BYTES =
      new Charge(
          "bytes",
          number("1000000000"),
          BigDecimal.ZERO,
          TierMode.VOLUME,
          List.of(tier("500000000000", "0.05", "0"), tier(null, "0.03", "7.5")));

  private static PricePlan plan(
      String name, String fee, String minimum, String discount, String tax, Charge... charges) {
    return new PricePlan(
        name,
        "EUR",
        number(fee),
        number(minimum),
        number(discount),
        new Tax("VAT", number(tax)),
        List.of(charges));
  }

  private static Quantities all(String points, String bytes) {
    return (from, to) -> Map.of("points", number(points), "bytes", number(bytes));
  }

  private static Quantities hourly(long points) {
    return (from, to) ->
        Map.of("points", BigDecimal.valueOf(ChronoUnit.HOURS.between(from, to) * points));
  }

  private static Invoice invoice(String name) {
    PlanTimeline standard =
        new PlanTimeline(plan("standard", "0", "0", "0", "0", POINTS, BYTES), List.of());
    PricePlan committed = plan("committed", "99", "500", "5", "19", POINTS, BYTES);
    return switch (name) {
      case "three-tiers" ->
          draft(new InvoiceCalculator(standard), all("12345678901", "499999999999"), List.of());
      case "minimum-discount-and-tax" ->
          draft(
              new InvoiceCalculator(new PlanTimeline(committed, List.of())),
              all("1234567890", "500000000001"),
              List.of());
      case "plan-changes-as-clocks-do" ->
          draft(
              new InvoiceCalculator(
                  new PlanTimeline(
                      plan("standard", "31", "0", "0", "19", POINTS),
                      List.of(
                          new PlanVersion(
                              1,
                              LocalDate.parse("2026-03-29"),
                              plan("pro", "62", "0", "10", "19", POINTS))))),
              hourly(1_000_000),
              List.of());
      case "adjustment-and-credits" ->
          draft(
              new InvoiceCalculator(
                  standard,
                  List.of(
                      credit("credit-1", Credit.Kind.PROMOTIONAL, "10"),
                      credit("credit-2", Credit.Kind.PREPAID, "1000"))),
              all("1010000000", "0"),
              List.of(
                  new Late(
                      MARCH.previous(),
                      "PERIOD_CLOSED",
                      all("1010000000", "0"),
                      all("1510000000", "0"))));
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Credit credit(String id, Credit.Kind kind, String amount) {
    return new Credit(id, kind, number(amount), "EUR", "Credit", MARCH.firstDay(), null);
  }

  private static Invoice draft(InvoiceCalculator calculator, Quantities used, List<Late> late) {
    return calculator
        .draft(MARCH, used, late, 4_711, CLOSES)
        .closed("org-golden-2026-03", CLOSES.plusSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "three-tiers",
        "minimum-discount-and-tax",
        "plan-changes-as-clocks-do",
        "adjustment-and-credits"
      })
  void anInvoiceIsAsItWasRead(String name) throws IOException {
    Invoice invoice = invoice(name);
    String table = InvoiceCsv.of(invoice, PARTIES);
    Path left = Files.createDirectories(Path.of("target", "golden"));
    Files.writeString(left.resolve(name + ".csv"), table);
    Files.write(
        left.resolve(name + ".pdf"),
        InvoicePdf.of(
            invoice, "ab".repeat(32), PARTIES, meter -> meter.equals("bytes") ? "byte" : "point"));
    try (InputStream golden =
        GoldenInvoicesTest.class.getResourceAsStream("/golden/" + name + ".csv")) {
      assertThat(golden).as(name).isNotNull();
      assertThat(table.lines())
          .containsExactlyElementsOf(
              new String(golden.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }
}
