package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.MetricLabels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Matchers as filters of labels. Regular expressions are tried on the values that there are. */
final class MatcherTranslator {

  private final MetricLabels labels;
  private final Function<LabelKey, Set<String>> values;

  /**
   * Filters of one metric.
   *
   * @param values all values of a label
   */
  MatcherTranslator(MetricLabels labels, Function<LabelKey, Set<String>> values) {
    this.labels = labels;
    this.values = values;
  }

  /** What all matchers but those of the name ask for. */
  Optional<LabelFilter> filter(List<LabelMatcher> matchers) {
    List<LabelFilter> filters = new ArrayList<>();
    for (LabelMatcher matcher : matchers) {
      if (!matcher.label().equals(LabelMatcher.NAME)) {
        Optional<LabelKey> key = labels.key(matcher.label());
        if (key.isPresent()) {
          filter(matcher, key.get()).ifPresent(filters::add);
        } else if (!matcher.matchesAbsence()) {
          filters.add(new LabelFilter.In(LabelKey.ENVIRONMENT, Set.of()));
        }
      }
    }
    return filters.isEmpty()
        ? Optional.empty()
        : Optional.of(filters.size() == 1 ? filters.get(0) : new LabelFilter.Every(filters));
  }

  private Optional<LabelFilter> filter(LabelMatcher matcher, LabelKey key) {
    LabelFilter absent = new LabelFilter.Not(new LabelFilter.Present(key));
    return switch (matcher.operator()) {
      case EQUAL ->
          Optional.of(
              matcher.text().isEmpty() ? absent : new LabelFilter.Equal(key, matcher.text()));
      case NOT_EQUAL ->
          Optional.of(
              matcher.text().isEmpty()
                  ? new LabelFilter.Present(key)
                  : new LabelFilter.Not(new LabelFilter.Equal(key, matcher.text())));
      case MATCHES, MATCHES_NOT -> pattern(matcher, key);
    };
  }

  private Optional<LabelFilter> pattern(LabelMatcher matcher, LabelKey key) {
    boolean positive = matcher.operator() == LabelMatcher.Operator.MATCHES;
    if (matcher.text().equals(".*")) {
      return positive ? Optional.empty() : Optional.of(new LabelFilter.In(key, Set.of()));
    }
    if (matcher.text().equals(".+")) {
      LabelFilter present = new LabelFilter.Present(key);
      return Optional.of(positive ? present : new LabelFilter.Not(present));
    }
    Set<String> candidates = matcher.alternatives().orElseGet(() -> values.apply(key));
    Set<String> fitting = new TreeSet<>();
    Set<String> others = new TreeSet<>();
    for (String candidate : candidates) {
      if (!candidate.isEmpty()) {
        (matcher.matches(candidate) ? fitting : others).add(candidate);
      }
    }
    if (!matcher.matchesAbsence()) {
      // Of a list that is excluded, nothing but the list is known: all others fit.
      return Optional.of(
          positive || matcher.alternatives().isEmpty()
              ? new LabelFilter.In(key, fitting)
              : new LabelFilter.Every(
                  List.of(
                      new LabelFilter.Present(key),
                      new LabelFilter.Not(new LabelFilter.In(key, others)))));
    }
    LabelFilter absent = new LabelFilter.Not(new LabelFilter.Present(key));
    return Optional.of(
        positive && matcher.alternatives().isPresent()
            ? new LabelFilter.Any(List.of(absent, new LabelFilter.In(key, fitting)))
            : new LabelFilter.Not(new LabelFilter.In(key, others)));
  }
}
