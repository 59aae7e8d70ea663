package io.tidemark.platform.billing.web;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;

/** Reads decimals that come as texts. */
final class DecimalFields {

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,24}(\\.[0-9]{1,12})?");

  private DecimalFields() {}

  /** The number; 1 with a fault when the text is none. */
  static BigDecimal read(String field, String text, List<String> faults) {
    if (text == null || !DECIMAL.matcher(text).matches()) {
      faults.add(
          field + " must be a decimal text such as \"0.15\", at most 12 digits after the point.");
      return BigDecimal.ONE;
    }
    return new BigDecimal(text);
  }
}
