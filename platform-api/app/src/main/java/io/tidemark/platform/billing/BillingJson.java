package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.Invoice;
import io.tidemark.platform.billing.domain.PricePlan;
import java.math.BigDecimal;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Plans and invoices as they are stored: JSON with amounts as plain decimal texts. */
final class BillingJson {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              inclusion ->
                  inclusion.withValueInclusion(
                      com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL))
          .addModule(new SimpleModule().addSerializer(BigDecimal.class, new PlainDecimals()))
          .build();

  private BillingJson() {}

  static String of(Object document) {
    return JSON.writeValueAsString(document);
  }

  static Invoice invoice(String document) {
    return JSON.readValue(document, Invoice.class);
  }

  static PricePlan plan(String document) {
    return JSON.readValue(document, PricePlan.class);
  }

  private static final class PlainDecimals extends StdSerializer<BigDecimal> {
    PlainDecimals() {
      super(BigDecimal.class);
    }

    @Override
    public void serialize(BigDecimal value, JsonGenerator json, SerializationContext context) {
      json.writeString(value.toPlainString());
    }
  }
}
