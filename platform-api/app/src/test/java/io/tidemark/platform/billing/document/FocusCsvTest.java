package io.tidemark.platform.billing.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.billing.domain.BillingPeriod;
import io.tidemark.platform.billing.domain.Charge;
import io.tidemark.platform.billing.domain.Cost;
import io.tidemark.platform.billing.domain.CostCalculator;
import io.tidemark.platform.billing.domain.DailyUse;
import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.InvoiceCalculator;
import io.tidemark.platform.billing.domain.PlanTimeline;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows against the column rules of FOCUS 1.2, as its specification states them. */
class FocusCsvTest {

  private static final BillingPeriod MARCH = BillingPeriod.of("2026-03").orElseThrow();
  private static final Parties PARTIES =
      new Parties("Tidemark", List.of(), "", "org-a", "Shop, \"The\" One");

  /** A rule of a column: presence, nulls, type and allowed values. */
  private record Column(
      String name, String level, boolean mayBeNull, String type, List<String> allowed) {}

  private static List<Column> columns() throws IOException {
    try (InputStream file = FocusCsvTest.class.getResourceAsStream("/focus/columns-1.2.csv")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split(",", -1))
          .map(
              rule ->
                  new Column(
                      rule[0],
                      rule[1],
                      rule[2].equals("yes"),
                      rule[3],
                      rule[4].isEmpty() ? List.of() : List.of(rule[4].split("\\|"))))
          .toList();
    }
  }

  private static PricePlan plan() {
    return new PricePlan(
        "pro",
        "EUR",
        new BigDecimal("9.99"),
        new BigDecimal("40"),
        new BigDecimal("12.5"),
        new Tax("VAT", new BigDecimal("19")),
        List.of(
            new Charge(
                "points",
                new BigDecimal("1000"),
                new BigDecimal("500"),
                TierMode.GRADUATED,
                List.of(
                    new Tier(new BigDecimal("1500"), new BigDecimal("0.333"), BigDecimal.ZERO),
                    new Tier(null, new BigDecimal("0.1"), new BigDecimal("2")))),
            new Charge(
                "bytes",
                BigDecimal.ONE,
                BigDecimal.ZERO,
                TierMode.VOLUME,
                List.of(new Tier(null, new BigDecimal("0.0001"), BigDecimal.ZERO)))));
  }

  private static List<DailyUse> use() {
    LocalDate day = MARCH.firstDay();
    DailyUse.Subject one = new DailyUse.Subject("env-a", "kafka", "lkc,\"1\"\nx");
    DailyUse.Subject none = new DailyUse.Subject("env-b", "", "");
    return List.of(
        new DailyUse("points", day, one, new BigDecimal("1200")),
        new DailyUse("points", day.plusDays(1), none, new BigDecimal("2301")),
        new DailyUse("bytes", day.plusDays(1), one, new BigDecimal("777")));
  }

  private static Invoice invoice() {
    Map<String, BigDecimal> sums =
        Map.of("points", new BigDecimal("3501"), "bytes", new BigDecimal("777"));
    Map<String, BigDecimal> fewer = Map.of("points", new BigDecimal("3000"));
    return new InvoiceCalculator(new PlanTimeline(plan(), List.of()))
        .draft(
            MARCH,
            (from, to) -> sums,
            List.of(
                new InvoiceCalculator.Late(
                    MARCH.previous(), "PERIOD_CLOSED", (from, to) -> fewer, (from, to) -> sums)),
            9,
            Instant.parse("2026-04-02T00:00:00Z"))
        .closed("org-a-2026-03", Instant.parse("2026-04-02T00:00:01Z"));
  }

  private static String csv() {
    Invoice invoice = invoice();
    List<Cost> costs =
        new CostCalculator(new PlanTimeline(plan(), List.of())).divide(MARCH, invoice, use());
    return FocusCsv.of(invoice, costs, PARTIES, meter -> meter.equals("bytes") ? "byte" : "point");
  }

  private static List<Map<String, String>> rows() {
    List<List<String>> table = parsed(csv());
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> fields : table.subList(1, table.size())) {
      assertThat(fields).hasSameSizeAs(table.get(0));
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < fields.size(); i++) {
        row.put(table.get(0).get(i), fields.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  /** RFC 4180, written from the standard. */
  private static List<List<String>> parsed(String csv) {
    List<List<String>> table = new ArrayList<>();
    List<String> row = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < csv.length(); i++) {
      char c = csv.charAt(i);
      if (isQuoted && c == '"' && i + 1 < csv.length() && csv.charAt(i + 1) == '"') {
        field.append('"');
        i++;
      } else if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == ',' && !isQuoted) {
        row.add(field.toString());
        field.setLength(0);
      } else if (c == '\r' && !isQuoted) {
        row.add(field.toString());
        field.setLength(0);
        table.add(row);
        row = new ArrayList<>();
        i++;
      } else {
        field.append(c);
      }
    }
    return table;
  }

  private static BigDecimal sum(List<Map<String, String>> rows, String column) {
    return rows.stream()
        .map(row -> new BigDecimal(row.get(column)))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Test
  void everyColumnIsThereAndOfItsType() throws IOException {
    List<Map<String, String>> rows = rows();
    for (Column column : columns()) {
      for (Map<String, String> row : rows) {
        assertThat(row).containsKey(column.name());
        String value = row.get(column.name());
        if (value.isEmpty()) {
          assertThat(column.mayBeNull()).as("%s of %s", column.name(), row).isTrue();
          continue;
        }
        switch (column.type()) {
          case "Decimal" -> assertThat(value).as(column.name()).matches("-?[0-9]+(\\.[0-9]+)?");
          case "DateTime" ->
              assertThat(value).matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");
          case "Currency" -> assertThat(value).matches("[A-Z]{3}");
          default -> assertThat(value).as(column.name()).isNotBlank();
        }
        if (!column.allowed().isEmpty()) {
          assertThat(column.allowed()).as(column.name()).contains(value);
        }
      }
    }
    List<String> ours =
        rows.get(0).keySet().stream().filter(name -> name.startsWith("x_")).toList();
    assertThat(rows.get(0).keySet()).hasSize(columns().size() + ours.size());
  }

  @Test
  void whatDependsOnTheCategoryIsAsTheSpecificationSays() {
    List<Map<String, String>> rows = rows();
    assertThat(rows.stream().map(row -> row.get("ChargeCategory")))
        .contains("Usage", "Purchase", "Tax", "Adjustment");
    for (Map<String, String> row : rows) {
      String category = row.get("ChargeCategory");
      boolean isCorrection = row.get("ChargeClass").equals("Correction");
      boolean isPriced = category.equals("Usage") || category.equals("Purchase");
      for (String column :
          List.of(
              "PricingQuantity",
              "PricingUnit",
              "PricingCategory",
              "ListUnitPrice",
              "ContractedUnitPrice",
              "SkuId",
              "SkuMeter",
              "SkuPriceId")) {
        assertThat(row.get(column).isEmpty())
            .as("%s of %s", column, category)
            .isEqualTo(!isPriced || isCorrection);
      }
      assertThat(row.get("ConsumedQuantity").isEmpty()).isEqualTo(!category.equals("Usage"));
      assertThat(row.get("ConsumedUnit").isEmpty()).isEqualTo(!category.equals("Usage"));
      assertThat(row.get("ResourceType").isEmpty()).isEqualTo(row.get("ResourceId").isEmpty());
      assertThat(row.get("SubAccountType").isEmpty()).isEqualTo(row.get("SubAccountId").isEmpty());
      if (category.equals("Purchase")) {
        assertThat(row.get("ChargeFrequency")).isNotEqualTo("Usage-Based");
      }
      if (isPriced) {
        BigDecimal quantity = new BigDecimal(row.get("PricingQuantity"));
        assertThat(quantity.multiply(new BigDecimal(row.get("ListUnitPrice"))))
            .isEqualByComparingTo(row.get("ListCost"));
        assertThat(quantity.multiply(new BigDecimal(row.get("ContractedUnitPrice"))))
            .isEqualByComparingTo(row.get("ContractedCost"));
        assertThat(new BigDecimal(row.get("ListUnitPrice"))).isNotNegative();
      } else {
        assertThat(new BigDecimal(row.get("ListCost"))).isEqualByComparingTo(row.get("BilledCost"));
      }
      assertThat(Instant.parse(row.get("ChargePeriodStart")))
          .isBefore(Instant.parse(row.get("ChargePeriodEnd")));
    }
  }

  /** The validator of the FinOps Foundation reads the file that this leaves: make test-focus. */
  @Test
  void theExportIsWholeAsAFile() throws IOException {
    Path file = Path.of("target", "focus", "invoice-1.2.csv");
    Files.createDirectories(file.getParent());
    Files.writeString(file, csv());

    assertThat(parsed(Files.readString(file))).hasSize(rows().size() + 1);
  }

  @Test
  void theBilledCostIsTheTotalOfTheInvoice() {
    List<Map<String, String>> rows = rows();
    assertThat(sum(rows, "BilledCost")).isEqualByComparingTo(invoice().total());
    assertThat(rows).allSatisfy(row -> assertThat(row.get("InvoiceId")).isEqualTo("org-a-2026-03"));
    assertThat(rows)
        .anySatisfy(row -> assertThat(row.get("ResourceName")).isEqualTo("lkc,\"1\"\nx"));
  }

  @Test
  void unitsAreWrittenAsTheSpecificationDoes() {
    assertThat(
            List.of("byte", "byte-hour", "point", "query", "series", "series-hour", "cost unit")
                .stream()
                .map(FocusCsv::plural))
        .containsExactly(
            "B", "B-Hours", "Points", "Queries", "Series", "Series-Hours", "Cost Units");
  }
}
