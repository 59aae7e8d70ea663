package io.tidemark.platform.alerting;

import io.tidemark.platform.alerting.AlertCondition.Matcher;
import io.tidemark.platform.alerting.AlertPack.PackRule;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.Yaml;

/**
 * Packs of alert rules that can be enabled, as the files of {@code contracts/alert-packs} say. A
 * file with a fault stops the start: it came with the program.
 */
@Component
class AlertPackCatalog {

  private static final List<String> FILES = List.of("druid", "flink", "jvm", "kafka", "tidemark");
  private static final Set<String> RULE_FIELDS =
      Set.of("key", "name", "severity", "runbook", "summary", "condition");
  private static final Set<String> CONDITION_FIELDS =
      Set.of(
          "kind",
          "metric",
          "aggregation",
          "matchers",
          "group_by",
          "window_minutes",
          "offset_minutes",
          "denominator_metric",
          "operator",
          "threshold",
          "recovery_threshold",
          "for_minutes");
  private static final int NO_DATA_AFTER = 5;

  private final Map<String, AlertPack> packs = new TreeMap<>();

  AlertPackCatalog(AlertingProperties properties) throws IOException {
    for (String file : FILES) {
      try (InputStream text =
          new ClassPathResource("alert-packs/" + file + ".yaml").getInputStream()) {
        AlertPack pack = pack(new Yaml().load(text), properties.runbooks());
        packs.put(pack.name(), pack);
      }
    }
  }

  Collection<AlertPack> all() {
    return packs.values();
  }

  Optional<AlertPack> find(String name) {
    return Optional.ofNullable(packs.get(name));
  }

  private static AlertPack pack(Map<String, Object> file, String runbooks) {
    String name = text(file, "name");
    Map<String, PackRule> rules = new LinkedHashMap<>();
    for (Object one : Objects.requireNonNull((List<?>) file.get("rules"))) {
      PackRule rule = rule(fields(one, RULE_FIELDS, name), name, runbooks);
      List<String> faults = rule.definition().faults();
      if (rules.put(rule.key(), rule) != null || !faults.isEmpty()) {
        throw new IllegalStateException(
            "The rule %s of the pack %s is there twice or faulty: %s"
                .formatted(rule.key(), name, String.join(" ", faults)));
      }
    }
    return new AlertPack(
        name,
        Objects.requireNonNull(((Number) file.get("version"))).longValue(),
        text(file, "title"),
        text(file, "description"),
        List.copyOf(rules.values()));
  }

  private static PackRule rule(Map<?, ?> rule, String pack, String runbooks) {
    String key = text(rule, "key");
    String runbook = text(rule, "runbook");
    return new PackRule(
        key,
        runbook,
        new AlertRuleDefinition(
            text(rule, "name"),
            "Of the pack " + pack + ".",
            true,
            text(rule, "severity"),
            condition(fields(Objects.requireNonNull(rule.get("condition")), CONDITION_FIELDS, key)),
            Map.of("pack", pack),
            Map.of("summary", text(rule, "summary"), "runbook", "docs/runbooks/" + runbook),
            runbooks.isEmpty() ? null : runbooks + "/" + runbook));
  }

  /** A field that is always there. */
  private static String text(Map<?, ?> file, String field) {
    return Objects.requireNonNull((String) file.get(field), field);
  }

  private static AlertCondition condition(Map<?, ?> condition) {
    String aggregation = text(condition, "aggregation", "sum");
    String denominator = text(condition, "denominator_metric", null);
    return new AlertCondition(
        text(condition, "kind", "threshold"),
        text(condition, "metric", null),
        aggregation,
        matchers((List<?>) condition.get("matchers")),
        false,
        texts((List<?>) condition.get("group_by")),
        number(condition, "window_minutes", 1).intValue(),
        text(condition, "operator", null),
        number(condition, "threshold", Double.NaN).doubleValue(),
        condition.get("recovery_threshold") == null
            ? null
            : number(condition, "recovery_threshold", 0).doubleValue(),
        number(condition, "for_minutes", 0).intValue(),
        0,
        NO_DATA_AFTER,
        number(condition, "offset_minutes", 0).intValue(),
        false,
        denominator,
        denominator == null ? null : aggregation,
        0,
        0,
        null,
        null);
  }

  private static List<Matcher> matchers(@Nullable List<?> matchers) {
    List<Matcher> read = new ArrayList<>();
    if (matchers != null) {
      for (Object one : matchers) {
        Map<?, ?> matcher = (Map<?, ?>) one;
        read.add(
            new Matcher(
                (String) matcher.get("label"),
                (String) matcher.get("operator"),
                (String) matcher.get("value")));
      }
    }
    return read;
  }

  private static List<String> texts(@Nullable List<?> texts) {
    return texts == null ? List.of() : texts.stream().map(String.class::cast).toList();
  }

  private static @Nullable String text(Map<?, ?> fields, String name, @Nullable String absent) {
    Object value = fields.get(name);
    return value == null ? absent : (String) value;
  }

  private static Number number(Map<?, ?> fields, String name, Number absent) {
    Object value = fields.get(name);
    return value == null ? absent : (Number) value;
  }

  /** A field that nobody reads would be a threshold that nobody heeds. */
  private static Map<?, ?> fields(Object object, Set<String> known, @Nullable String where) {
    Map<?, ?> fields = (Map<?, ?>) object;
    fields
        .keySet()
        .forEach(
            field -> {
              if (!known.contains(field)) {
                throw new IllegalStateException(
                    "%s of the alert packs has the field %s, which is not known"
                        .formatted(where, field));
              }
            });
    return fields;
  }
}
