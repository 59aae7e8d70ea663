package io.tidemark.platform.billing.document;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of comma-separated values as RFC 4180 has them; null is an empty field. */
final class CsvText {

  private final StringBuilder text = new StringBuilder();

  CsvText row(List<?> fields) {
    text.append(fields.stream().map(CsvText::field).collect(Collectors.joining(",")))
        .append("\r\n");
    return this;
  }

  private static String field(Object value) {
    if (value == null) {
      return "";
    }
    String plain = value instanceof BigDecimal number ? decimal(number) : value.toString();
    boolean isQuoted = plain.chars().anyMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    return isQuoted ? "\"" + plain.replace("\"", "\"\"") + "\"" : plain;
  }

  /** Digits and a point, never an exponent. */
  static String decimal(BigDecimal number) {
    return number.toPlainString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
