package io.tidemark.platform.metricstore;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which series a query is about. A label that a series does not have equals nothing and is greater
 * than nothing; so NOT of that holds.
 */
public sealed interface LabelFilter {

  /** Whether a series with these labels is meant. */
  boolean matches(Map<String, String> labels);

  /** Adds the labels that decide. */
  void collect(Set<LabelKey> labels);

  /** The label has exactly this text. */
  record Equal(LabelKey label, String value) implements LabelFilter {
    @Override
    public boolean matches(Map<String, String> labels) {
      return value.equals(labels.get(label.value()));
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      labels.add(label);
    }
  }

  /** The label has one of these texts; none when there are none. */
  record In(LabelKey label, Set<String> values) implements LabelFilter {
    public In {
      values = Set.copyOf(values);
    }

    @Override
    public boolean matches(Map<String, String> labels) {
      String text = labels.get(label.value());
      return text != null && values.contains(text);
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      labels.add(label);
    }
  }

  /** The label's text comes after this one by Unicode code points, or also is this one. */
  record Greater(LabelKey label, String value, boolean orEqual) implements LabelFilter {
    @Override
    public boolean matches(Map<String, String> labels) {
      String text = labels.get(label.value());
      if (text == null) {
        return false;
      }
      int order = GroupOrder.compareTexts(text, value);
      return orEqual ? order >= 0 : order > 0;
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      labels.add(label);
    }
  }

  /** The series has the label. */
  record Present(LabelKey label) implements LabelFilter {
    @Override
    public boolean matches(Map<String, String> labels) {
      return labels.get(label.value()) != null;
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      labels.add(label);
    }
  }

  /** Every one holds; at least one. */
  record Every(List<LabelFilter> filters) implements LabelFilter {
    public Every {
      filters = List.copyOf(filters);
    }

    @Override
    public boolean matches(Map<String, String> labels) {
      return filters.stream().allMatch(filter -> filter.matches(labels));
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      filters.forEach(filter -> filter.collect(labels));
    }
  }

  /** One or more hold; at least one is there. */
  record Any(List<LabelFilter> filters) implements LabelFilter {
    public Any {
      filters = List.copyOf(filters);
    }

    @Override
    public boolean matches(Map<String, String> labels) {
      return filters.stream().anyMatch(filter -> filter.matches(labels));
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      filters.forEach(filter -> filter.collect(labels));
    }
  }

  /** It does not hold. */
  record Not(LabelFilter filter) implements LabelFilter {
    @Override
    public boolean matches(Map<String, String> labels) {
      return !filter.matches(labels);
    }

    @Override
    public void collect(Set<LabelKey> labels) {
      filter.collect(labels);
    }
  }
}
