package io.tidemark.platform.retention;

import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.retention.RetentionPolicy.OfMetrics;
import io.tidemark.platform.shared.EnvironmentId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Filters of Druid's native queries as trees of maps and lists, ready to become JSON. */
final class RowFilters {

  private RowFilters() {}

  static Map<String, Object> equal(String column, String value) {
    return Map.of(
        "type", "equals", "column", column, "matchValueType", "STRING", "matchValue", value);
  }

  static Map<String, Object> and(List<Map<String, Object>> fields) {
    return Map.of("type", "and", "fields", fields);
  }

  static Map<String, Object> or(List<Map<String, Object>> fields) {
    return Map.of("type", "or", "fields", fields);
  }

  static Map<String, Object> not(Map<String, Object> field) {
    return Map.of("type", "not", "field", field);
  }

  /** Rows of an environment that are expired; there is at least one rule. */
  static Map<String, Object> expired(EnvironmentId environment, List<Expired> rules) {
    return and(
        List.of(
            equal("environment_id", environment.value()),
            or(rules.stream().map(RowFilters::expired).toList())));
  }

  private static Map<String, Object> expired(Expired rule) {
    List<Map<String, Object>> fields = new ArrayList<>();
    fields.add(
        Map.of(
            "type",
            "range",
            "column",
            "__time",
            "matchValueType",
            "LONG",
            "upper",
            rule.before().toEpochMilli(),
            "upperOpen",
            true));
    if (rule.pattern() != null) {
      fields.add(fits(rule.pattern()));
    }
    rule.others().forEach(other -> fields.add(not(fits(other))));
    return and(fields);
  }

  private static Map<String, Object> fits(OfMetrics exception) {
    return exception.isPrefix()
        ? Map.of(
            "type",
            "like",
            "dimension",
            "metric",
            "pattern",
            exception.text().replaceAll("([%_\\\\])", "\\\\$1") + "%",
            "escape",
            "\\")
        : equal("metric", exception.pattern());
  }
}
