package io.tidemark.platform.alerting.backtest;

import com.google.re2j.Pattern;
import io.tidemark.platform.alerting.AlertCondition.Matcher;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Matchers of a rule as filters of the store. An absent label and an empty one are the same;
 * expressions are tried on the values that there are.
 */
final class MatcherFilters {

  private MatcherFilters() {}

  /**
   * @param values all values of a label in the stretch that is read
   */
  static Optional<LabelFilter> of(List<Matcher> matchers, Function<LabelKey, Set<String>> values) {
    List<LabelFilter> filters = new ArrayList<>();
    for (Matcher matcher : matchers) {
      LabelKey key = new LabelKey(Objects.requireNonNull(matcher.label()));
      String value = Objects.requireNonNull(matcher.value());
      filters.add(
          switch (matcher.operator()) {
            case "eq" -> equal(key, value);
            case "ne" -> new LabelFilter.Not(equal(key, value));
            case "regex" -> fitting(key, value, true, values.apply(key));
            default -> fitting(key, value, false, values.apply(key));
          });
    }
    return filters.isEmpty() ? Optional.empty() : Optional.of(new LabelFilter.Every(filters));
  }

  private static LabelFilter equal(LabelKey key, String value) {
    return value.isEmpty()
        ? new LabelFilter.Not(new LabelFilter.Present(key))
        : new LabelFilter.Equal(key, value);
  }

  private static LabelFilter fitting(
      LabelKey key, String expression, boolean isWanted, Set<String> values) {
    Pattern pattern = Pattern.compile(expression);
    Set<String> fitting = new TreeSet<>();
    for (String value : values) {
      if (!value.isEmpty() && pattern.matcher(value).matches() == isWanted) {
        fitting.add(value);
      }
    }
    LabelFilter among = new LabelFilter.In(key, fitting);
    return pattern.matcher("").matches() == isWanted
        ? new LabelFilter.Any(List.of(new LabelFilter.Not(new LabelFilter.Present(key)), among))
        : among;
  }
}
