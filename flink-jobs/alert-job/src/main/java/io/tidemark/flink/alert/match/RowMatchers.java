package io.tidemark.flink.alert.match;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.tidemark.flink.model.alert.LabelMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The matchers of one rule, ready to be asked. */
final class RowMatchers {

  private record Ready(String label, Predicate<String> fits) {}

  private final List<Ready> matchers = new ArrayList<>();

  /**
   * @throws IllegalArgumentException when an expression is none of RE2
   */
  RowMatchers(List<LabelMatcher> rules) {
    for (LabelMatcher rule : rules) {
      matchers.add(new Ready(rule.label(), predicate(rule)));
    }
  }

  private static Predicate<String> predicate(LabelMatcher rule) {
    String value = rule.value();
    return switch (rule.operator()) {
      case EQ -> value::equals;
      case NE -> label -> !value.equals(label);
      case REGEX -> expression(value);
      case NOT_REGEX -> expression(value).negate();
    };
  }

  private static Predicate<String> expression(String text) {
    try {
      Pattern pattern = Pattern.compile(text);
      return label -> pattern.matcher(label).matches();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("'" + text + "' is not an expression of RE2", e);
    }
  }

  boolean fit(Map<String, String> labels) {
    for (Ready matcher : matchers) {
      if (!matcher.fits().test(labels.getOrDefault(matcher.label(), ""))) {
        return false;
      }
    }
    return true;
  }
}
