package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether an engine has the settings that are declared; engines answer with defaults filled in. */
final class ConfigDiff {
  private ConfigDiff() {}

  /** The first place where {@code present} does not say what {@code wanted} says. */
  static Optional<String> firstDifference(JsonNode present, JsonNode wanted) {
    return firstDifference("", present, wanted);
  }

  private static Optional<String> firstDifference(String at, JsonNode present, JsonNode wanted) {
    if (wanted.isObject() && present.isObject()) {
      for (Map.Entry<String, JsonNode> member : wanted.properties()) {
        Optional<String> difference =
            firstDifference(
                at + "/" + member.getKey(), present.path(member.getKey()), member.getValue());
        if (difference.isPresent()) {
          return difference;
        }
      }
      return Optional.empty();
    }
    if (at.endsWith("Exclusions") && holdsAll(present, wanted)) {
      // Druid excludes its metrics and the time too, in an order of its own.
      return Optional.empty();
    }
    if (wanted.isArray() && present.isArray() && present.size() == wanted.size()) {
      for (int i = 0; i < wanted.size(); i++) {
        Optional<String> difference = firstDifference(at + "/" + i, present.get(i), wanted.get(i));
        if (difference.isPresent()) {
          return difference;
        }
      }
      return Optional.empty();
    }
    return isSame(present, wanted)
        ? Optional.empty()
        : Optional.of(
            (at.isEmpty() ? "/" : at) + " is " + shown(present) + " instead of " + wanted);
  }

  private static boolean holdsAll(JsonNode present, JsonNode wanted) {
    Set<JsonNode> all = new HashSet<>();
    present.forEach(all::add);
    for (JsonNode one : wanted) {
      if (!all.contains(one)) {
        return false;
      }
    }
    return true;
  }

  private static String shown(JsonNode present) {
    return present.isMissingNode() ? "absent" : present.toString();
  }

  private static boolean isSame(JsonNode present, JsonNode wanted) {
    if (present.isNumber() && wanted.isNumber()) {
      return present.decimalValue().compareTo(wanted.decimalValue()) == 0;
    }
    if (present.isTextual() && wanted.isTextual() && wanted.asText().startsWith("P")) {
      // An hour may come back as 3,600 seconds.
      return present.equals(wanted) || isSameDuration(present.asText(), wanted.asText());
    }
    return present.equals(wanted);
  }

  private static boolean isSameDuration(String present, String wanted) {
    try {
      return Duration.parse(present).equals(Duration.parse(wanted));
    } catch (DateTimeException notDurations) {
      return false;
    }
  }
}
