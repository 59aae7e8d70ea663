package io.tidemark.platform.alerting;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which incidents are meant: those whose label is, or is not, a text or of a form. Pure.
 *
 * @param label rule_id, rule_name, severity, labels.&lt;label of the rule&gt;, or one of the group
 * @param operator eq, ne, regex or not_regex; expressions are RE2 and fit the whole value
 */
public record IncidentMatcher(
    @Nullable String label, @Nullable String operator, @Nullable String value) {

  static final int MAX = 16;
  private static final int LONGEST_LABEL = 255;
  private static final int LONGEST_VALUE = 1_000;
  private static final String OF_RULE = "labels.";
  private static final List<String> OF_INCIDENT = List.of("rule_id", "rule_name", "severity");

  /** One sentence a fault, naming the field. */
  static void check(String field, List<IncidentMatcher> matchers, List<String> faults) {
    if (matchers.isEmpty() || matchers.size() > MAX) {
      faults.add(field + " must be 1 to " + MAX + ".");
    }
    matchers.forEach(matcher -> matcher.check(field, faults));
  }

  private void check(String field, List<String> faults) {
    checkLabel(field + ".label", label, faults);
    if (operator == null) {
      faults.add(field + ".operator must be eq, ne, regex or not_regex.");
    } else if (value == null || value.length() > LONGEST_VALUE || value.indexOf('\0') >= 0) {
      faults.add(field + ".value must be at most " + LONGEST_VALUE + " characters.");
    } else if (operator.endsWith("regex")) {
      try {
        var unused = Pattern.compile(value);
      } catch (PatternSyntaxException notRe2) {
        faults.add(
            field + ".value is not a regular expression of RE2: " + notRe2.getDescription() + ".");
      }
    }
  }

  static void checkLabel(String field, @Nullable String label, List<String> faults) {
    boolean isKnown =
        label != null
            && (OF_INCIDENT.contains(label)
                || label.startsWith(OF_RULE)
                || label.startsWith("metric.")
                || label.startsWith("resource."));
    if (!isKnown
        || Objects.requireNonNull(label).length() > LONGEST_LABEL
        || label.codePoints().anyMatch(Character::isISOControl)) {
      faults.add(
          field
              + " must be rule_id, rule_name, severity, labels.<label>, metric.<attribute> or"
              + " resource.<attribute>, at most "
              + LONGEST_LABEL
              + " characters.");
    }
  }

  boolean fits(Incident incident) {
    String actual = value(Objects.requireNonNull(label), incident);
    return switch (operator) {
      case "eq" -> actual.equals(value);
      case "ne" -> !actual.equals(value);
      case "regex" -> Pattern.matches(value, actual);
      default -> !Pattern.matches(value, actual);
    };
  }

  static boolean allFit(List<IncidentMatcher> matchers, Incident incident) {
    return matchers.stream().allMatch(matcher -> matcher.fits(incident));
  }

  /** Empty when the incident has no such label. */
  static String value(String label, Incident incident) {
    return switch (label) {
      case "rule_id" -> incident.ruleId();
      case "rule_name" -> incident.ruleName();
      case "severity" -> incident.severity();
      default ->
          label.startsWith(OF_RULE)
              ? incident.labels().getOrDefault(label.substring(OF_RULE.length()), "")
              : incident.group().getOrDefault(label, "");
    };
  }
}
