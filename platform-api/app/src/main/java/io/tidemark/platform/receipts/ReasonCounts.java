package io.tidemark.platform.receipts;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Points by reason as text: {@code LABEL_INVALID=2,VALUE_NOT_FINITE=1}. */
public final class ReasonCounts {

  private static final Pattern FORM = Pattern.compile("[A-Z_]+=[0-9]{1,18}(,[A-Z_]+=[0-9]{1,18})*");

  private ReasonCounts() {}

  /**
   * Reads the text.
   *
   * @throws IllegalArgumentException when it is not of the form
   */
  public static Map<String, Long> of(String text) {
    Map<String, Long> counts = new TreeMap<>();
    if (text.isEmpty()) {
      return counts;
    }
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("Not points by reason: " + text);
    }
    for (String reason : text.split(",", -1)) {
      int equals = reason.indexOf('=');
      counts.merge(
          reason.substring(0, equals), Long.parseLong(reason.substring(equals + 1)), Long::sum);
    }
    return counts;
  }

  static String text(Map<String, Long> counts) {
    return new TreeMap<>(counts)
        .entrySet().stream()
            .map(reason -> reason.getKey() + "=" + reason.getValue())
            .collect(Collectors.joining(","));
  }
}
