package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDate;
import java.time.Period;
import java.time.format.DateTimeParseException;

/** Which days Druid keeps, by the load rules of a datasource. */
final class LoadPeriod {
  private LoadPeriod() {}

  /** The first day of which any rule loads something; the first of all days for a rule for ever. */
  static LocalDate firstDay(JsonNode rules, LocalDate today) {
    LocalDate first = today.plusDays(1);
    for (JsonNode rule : rules) {
      switch (rule.path("type").asText()) {
        case "loadForever" -> {
          return LocalDate.MIN;
        }
        case "loadByPeriod" -> {
          LocalDate from = since(rule.path("period").asText(), today);
          first = from.isBefore(first) ? from : first;
        }
        case "dropForever" -> {
          return first;
        }
        default ->
            throw ProvisionFailure.input(
                "The load rule "
                    + rule
                    + " is not known here. Use loadByPeriod, loadForever and"
                    + " dropForever.");
      }
    }
    return first;
  }

  private static LocalDate since(String period, LocalDate today) {
    try {
      // A period of hours begins today or yesterday.
      return period.startsWith("PT") ? today.minusDays(1) : today.minus(Period.parse(period));
    } catch (DateTimeParseException e) {
      throw ProvisionFailure.input("The load rules have the period " + period + ".");
    }
  }
}
