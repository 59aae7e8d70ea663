package io.tidemark.platform.alerting;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An alert rule as people write it.
 *
 * @param severity critical, warning or info
 * @param runbookUrl null without one
 */
public record AlertRuleDefinition(
    String name,
    String description,
    boolean enabled,
    @Nullable String severity,
    @Nullable AlertCondition condition,
    Map<String, String> labels,
    Map<String, String> annotations,
    @Nullable String runbookUrl) {

  private static final int LONGEST_NAME = 120;
  private static final int LONGEST_TEXT = 1_000;
  private static final int LONGEST_LABEL = 255;
  private static final int MAX_LABELS = 32;
  private static final int MAX_ANNOTATIONS = 16;
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_.-]{1,63}");

  public AlertRuleDefinition {
    labels = new TreeMap<>(labels);
    annotations = new TreeMap<>(annotations);
  }

  /** One sentence a fault, naming the field. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (name == null || name.isBlank() || name.length() > LONGEST_NAME || isControl(name)) {
      faults.add("name must be 1 to " + LONGEST_NAME + " characters.");
    }
    if (description.length() > LONGEST_TEXT || description.indexOf('\0') >= 0) {
      faults.add("description must be at most " + LONGEST_TEXT + " characters.");
    }
    if (severity == null) {
      faults.add("severity must be critical, warning or info.");
    }
    pairs("labels", labels, MAX_LABELS, LONGEST_LABEL, faults);
    pairs("annotations", annotations, MAX_ANNOTATIONS, LONGEST_TEXT, faults);
    if (runbookUrl != null && !isLink(runbookUrl)) {
      faults.add("runbook_url must be an http or https URL of at most 1000 characters.");
    }
    if (condition == null) {
      faults.add("condition must be there.");
    } else {
      faults.addAll(condition.faults());
    }
    return faults;
  }

  private static void pairs(
      String field, Map<String, String> pairs, int most, int longest, List<String> faults) {
    if (pairs.size() > most) {
      faults.add(field + " must be at most " + most + ".");
    }
    pairs.forEach(
        (key, value) -> {
          if (!LABEL.matcher(key).matches()) {
            faults.add(field + " must have names of 1 to 63 letters, digits, _, . and -.");
          }
          if (value == null || value.length() > longest || value.indexOf('\0') >= 0) {
            faults.add(field + " must have values of at most " + longest + " characters.");
          }
        });
  }

  private static boolean isControl(String text) {
    return text.codePoints().anyMatch(Character::isISOControl);
  }

  private static boolean isLink(String text) {
    try {
      URI uri = URI.create(text);
      return text.length() <= LONGEST_TEXT
          && uri.getHost() != null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
    } catch (IllegalArgumentException notAnUri) {
      return false;
    }
  }
}
