package io.tidemark.platform.billing.document;

import io.tidemark.platform.billing.domain.Cost;
import io.tidemark.platform.billing.domain.Invoice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Costs of an invoice in FOCUS 1.2, the open specification of cost and usage. The sum of BilledCost
 * is the total of the invoice. Two columns of our own say where in the invoice a row is.
 */
public final class FocusCsv {

  public static final String VERSION = "1.2";

  private static final List<String> COLUMNS =
      List.of(
          "BilledCost",
          "BillingAccountId",
          "BillingAccountName",
          "BillingAccountType",
          "BillingCurrency",
          "BillingPeriodEnd",
          "BillingPeriodStart",
          "ChargeCategory",
          "ChargeClass",
          "ChargeDescription",
          "ChargeFrequency",
          "ChargePeriodEnd",
          "ChargePeriodStart",
          "ConsumedQuantity",
          "ConsumedUnit",
          "ContractedCost",
          "ContractedUnitPrice",
          "EffectiveCost",
          "InvoiceId",
          "InvoiceIssuerName",
          "ListCost",
          "ListUnitPrice",
          "PricingCategory",
          "PricingQuantity",
          "PricingUnit",
          "ProviderName",
          "PublisherName",
          "ResourceId",
          "ResourceName",
          "ResourceType",
          "ServiceCategory",
          "ServiceName",
          "ServiceSubcategory",
          "SkuId",
          "SkuMeter",
          "SkuPriceId",
          "SubAccountId",
          "SubAccountName",
          "SubAccountType",
          "x_InvoiceLine",
          "x_Plan");

  private final Invoice invoice;
  private final Parties parties;
  private final Function<String, String> units;

  private FocusCsv(Invoice invoice, Parties parties, Function<String, String> units) {
    this.invoice = invoice;
    this.parties = parties;
    this.units = units;
  }

  /**
   * The table of an invoice.
   *
   * @param costs that the invoice is divided into
   * @param units unit of each meter
   */
  public static String of(
      Invoice invoice, List<Cost> costs, Parties parties, Function<String, String> units) {
    FocusCsv focus = new FocusCsv(invoice, parties, units);
    CsvText csv = new CsvText().row(COLUMNS);
    costs.forEach(cost -> csv.row(focus.row(focus.fields(cost))));
    if (invoice.taxAmount().signum() != 0) {
      csv.row(focus.row(focus.tax()));
    }
    return csv.toString();
  }

  private List<Object> row(Map<String, Object> fields) {
    List<Object> row = new ArrayList<>();
    COLUMNS.forEach(column -> row.add(fields.get(column)));
    return row;
  }

  private Map<String, Object> common(BigDecimal listed, BigDecimal billed) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("BilledCost", billed);
    fields.put("ContractedCost", billed);
    fields.put("EffectiveCost", billed);
    fields.put("ListCost", listed);
    fields.put("BillingAccountId", parties.organizationId());
    fields.put("BillingAccountName", parties.organizationName());
    fields.put("BillingAccountType", "Organization");
    fields.put("BillingCurrency", invoice.currency());
    fields.put("BillingPeriodStart", invoice.from());
    fields.put("BillingPeriodEnd", invoice.to());
    // A draft is not issued.
    fields.put("InvoiceId", invoice.number());
    fields.put("InvoiceIssuerName", parties.issuer());
    fields.put("ProviderName", parties.issuer());
    fields.put("PublisherName", parties.issuer());
    fields.put("ServiceCategory", "Management and Governance");
    fields.put("ServiceSubcategory", "Observability");
    fields.put("ServiceName", "Tidemark");
    return fields;
  }

  private Map<String, Object> tax() {
    Map<String, Object> fields = common(invoice.taxAmount(), invoice.taxAmount());
    fields.put("ChargeCategory", "Tax");
    fields.put(
        "ChargeDescription",
        invoice.tax().name() + " " + CsvText.decimal(invoice.tax().ratePercent()) + " %");
    fields.put("ChargeFrequency", "One-Time");
    fields.put("ChargePeriodStart", invoice.from());
    fields.put("ChargePeriodEnd", invoice.to());
    fields.put("x_InvoiceLine", "tax");
    return fields;
  }

  private Map<String, Object> fields(Cost cost) {
    Map<String, Object> fields = common(cost.original(), cost.amount());
    fields.put("ChargeDescription", cost.description());
    fields.put("ChargePeriodStart", cost.from());
    fields.put("ChargePeriodEnd", cost.to());
    fields.put("x_InvoiceLine", cost.line());
    fields.put("x_Plan", cost.plan());
    switch (cost.kind()) {
      case USAGE -> {
        fields.put("ChargeCategory", "Usage");
        fields.put("ChargeFrequency", "Usage-Based");
        fields.put("ConsumedQuantity", cost.quantity());
        fields.put("ConsumedUnit", plural(units.apply(Objects.requireNonNull(cost.meter()))));
        priced(fields, cost);
        subject(fields, cost);
      }
      case TIER_FEE, BASE_FEE, MINIMUM -> {
        fields.put("ChargeCategory", "Purchase");
        fields.put("ChargeFrequency", cost.kind() == Cost.Kind.TIER_FEE ? "One-Time" : "Recurring");
        priced(fields, cost);
      }
      case ADJUSTMENT -> {
        fields.put("ChargeCategory", "Adjustment");
        fields.put("ChargeClass", "Correction");
        fields.put("ChargeFrequency", "One-Time");
      }
      case CREDIT -> {
        fields.put("ChargeCategory", "Credit");
        fields.put("ChargeFrequency", "One-Time");
      }
      case ROUNDING -> {
        fields.put("ChargeCategory", "Adjustment");
        fields.put("ChargeFrequency", "One-Time");
      }
      default -> throw new IllegalStateException("A kind that FOCUS is not told of");
    }
    return fields;
  }

  /** Quantity times each price is the cost: both divide by a power of ten. */
  private void priced(Map<String, Object> fields, Cost cost) {
    String unit =
        cost.meter() == null || cost.kind() != Cost.Kind.USAGE
            ? "Unit"
            : units.apply(Objects.requireNonNull(cost.meter()));
    fields.put("PricingCategory", "Standard");
    fields.put("PricingQuantity", Objects.requireNonNull(cost.quantity()).divide(cost.per()));
    fields.put(
        "PricingUnit",
        Objects.requireNonNull(cost.per()).compareTo(BigDecimal.ONE) == 0
            ? plural(unit)
            : cost.per().toPlainString() + " " + plural(unit));
    fields.put("ListUnitPrice", cost.price());
    fields.put("ContractedUnitPrice", cost.contractedPrice());
    String sku = cost.meter() == null ? cost.tier() : cost.meter();
    fields.put("SkuId", "tidemark-" + sku);
    fields.put("SkuMeter", sku);
    fields.put("SkuPriceId", "tidemark-" + cost.plan() + "-" + cost.tier());
  }

  private void subject(Map<String, Object> fields, Cost cost) {
    var subject = cost.subject();
    if (!Objects.requireNonNull(subject).environment().isEmpty()) {
      fields.put("SubAccountId", subject.environment());
      fields.put("SubAccountName", subject.environment());
      fields.put("SubAccountType", "Environment");
    }
    if (!subject.resourceId().isEmpty() && !subject.resourceType().isEmpty()) {
      fields.put(
          "ResourceId",
          parties.organizationId()
              + "/"
              + subject.environment()
              + "/"
              + subject.resourceType()
              + "/"
              + subject.resourceId());
      fields.put("ResourceName", subject.resourceId());
      fields.put("ResourceType", subject.resourceType());
    }
  }

  /** As the specification writes units: B, B-Hours, Points, Queries. */
  static String plural(String unit) {
    if (unit.equals("byte")) {
      return "B";
    }
    String[] words = unit.split("[- ]");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words.length; i++) {
      String word = words[i].equals("byte") ? "B" : capitalized(words[i]);
      text.append(i == 0 ? "" : unit.contains("-") ? "-" : " ");
      text.append(i == words.length - 1 ? many(word) : word);
    }
    return text.toString();
  }

  private static String many(String word) {
    if (word.endsWith("ies")) {
      return word;
    }
    return word.endsWith("y") ? word.substring(0, word.length() - 1) + "ies" : word + "s";
  }

  private static String capitalized(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
