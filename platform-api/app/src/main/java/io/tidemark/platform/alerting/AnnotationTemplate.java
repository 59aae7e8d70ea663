package io.tidemark.platform.alerting;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills an annotation with what decided. What is put in is never read as a template again, so no
 * label value can grow it, and the text has a maximum length.
 */
final class AnnotationTemplate {

  private static final Pattern PLACE =
      Pattern.compile("\\{\\{\\s*(value|threshold|labels\\.([^\\s{}]{1,255}))\\s*}}");
  private static final int LONGEST = 4_000;

  private AnnotationTemplate() {}

  static String fill(String text, AlertTransition transition) {
    Matcher place = PLACE.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (place.find()) {
      place.appendReplacement(filled, Matcher.quoteReplacement(value(place, transition)));
    }
    place.appendTail(filled);
    return filled.substring(0, Math.min(filled.length(), LONGEST));
  }

  private static String value(Matcher place, AlertTransition transition) {
    return switch (place.group(1)) {
      case "value" -> transition.value() == null ? "no value" : transition.value().toString();
      case "threshold" -> Double.toString(transition.threshold());
      default -> transition.group().getOrDefault(place.group(2), "");
    };
  }
}
