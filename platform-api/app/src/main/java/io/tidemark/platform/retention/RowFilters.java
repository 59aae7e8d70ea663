package io.tidemark.platform.retention;

import io.tidemark.platform.retention.RetentionPolicy.Expired;
import io.tidemark.platform.shared.EnvironmentId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Filters of Druid's native queries as trees of maps and lists, ready to become JSON. */
public final class RowFilters {

  private RowFilters() {}

  /** Rows with that value. */
  public static Map<String, Object> equal(String column, String value) {
    return Map.of(
        "type", "equals", "column", column, "matchValueType", "STRING", "matchValue", value);
  }

  /** Rows that all of them let through. */
  public static Map<String, Object> and(List<Map<String, Object>> fields) {
    return Map.of("type", "and", "fields", fields);
  }

  /** Rows that one of them lets through. */
  public static Map<String, Object> or(List<Map<String, Object>> fields) {
    return Map.of("type", "or", "fields", fields);
  }

  /** Rows that it does not let through. */
  public static Map<String, Object> not(Map<String, Object> field) {
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
    fields.add(before(rule.before()));
    if (rule.pattern() != null) {
      fields.add(fits(rule.pattern().pattern()));
    }
    rule.others().forEach(other -> fields.add(not(fits(other.pattern()))));
    return and(fields);
  }

  /** Rows whose window begins before. */
  public static Map<String, Object> before(Instant time) {
    return Map.of(
        "type",
        "range",
        "column",
        "__time",
        "matchValueType",
        "LONG",
        "upper",
        time.toEpochMilli(),
        "upperOpen",
        true);
  }

  /** Rows of a metric, or of those whose names begin with what stands before a '*'. */
  public static Map<String, Object> fits(String pattern) {
    return pattern.endsWith("*")
        ? Map.of(
            "type",
            "like",
            "dimension",
            "metric",
            "pattern",
            pattern.substring(0, pattern.length() - 1).replaceAll("([%_\\\\])", "\\\\$1") + "%",
            "escape",
            "\\")
        : equal("metric", pattern);
  }
}
