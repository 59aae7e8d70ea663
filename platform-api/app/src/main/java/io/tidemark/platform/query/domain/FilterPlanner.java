package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the draft of a filter into one, or tells its faults. For one draft. */
final class FilterPlanner {

  private static final int MAX_NUMBER = 200;
  private static final int MAX_DEPTH = 20;
  private static final int MAX_VALUE = 4_096;

  private final List<String> faults;
  private int filters;

  FilterPlanner(List<String> faults) {
    this.faults = faults;
  }

  Optional<LabelFilter> filter(@Nullable FilterDraft draft) {
    return draft == null ? Optional.empty() : filter(draft, "filter", 1);
  }

  private Optional<LabelFilter> filter(@Nullable FilterDraft draft, String path, int depth) {
    filters++;
    if (draft == null || draft.op() == null) {
      faults.add(path + ".op is required: EQ, GT, GTE, AND, OR or NOT.");
      return Optional.empty();
    }
    if (depth > MAX_DEPTH || filters > MAX_NUMBER) {
      if (filters <= MAX_NUMBER + 1) {
        faults.add(
            path
                + " goes too far: at most "
                + MAX_DEPTH
                + " levels and "
                + MAX_NUMBER
                + " filters.");
      }
      return Optional.empty();
    }
    return switch (draft.op()) {
      case "EQ", "GT", "GTE" -> comparison(draft, path);
      case "AND" -> several(draft, path, depth).map(LabelFilter.Every::new);
      case "OR" -> several(draft, path, depth).map(LabelFilter.Any::new);
      case "NOT" -> {
        if (draft.filter() == null) {
          faults.add(path + ".filter is required with NOT.");
          yield Optional.empty();
        }
        yield filter(draft.filter(), path + ".filter", depth + 1).map(LabelFilter.Not::new);
      }
      default -> {
        faults.add(path + ".op must be EQ, GT, GTE, AND, OR or NOT.");
        yield Optional.empty();
      }
    };
  }

  private Optional<LabelFilter> comparison(FilterDraft draft, String path) {
    boolean named =
        draft.field() != null
            && (LabelKey.isWellFormed(draft.field())
                || draft.field().equals(LabelKey.ENVIRONMENT.value()));
    if (!named) {
      faults.add(
          path + ".field must be metric.<label>, resource.<type>.<label> or environment.id.");
    }
    boolean valued =
        draft.value() instanceof String
            || draft.value() instanceof Integer
            || draft.value() instanceof Long
            || draft.value() instanceof BigInteger;
    if (!valued) {
      faults.add(path + ".value must be a text or a whole number.");
      return Optional.empty();
    }
    String value = String.valueOf(draft.value());
    if (value.length() > MAX_VALUE) {
      faults.add(path + ".value has more than " + MAX_VALUE + " characters.");
      return Optional.empty();
    }
    if (!named) {
      return Optional.empty();
    }
    LabelKey label = new LabelKey(Objects.requireNonNull(draft.field()));
    return Optional.of(
        switch (draft.op()) {
          case "GT" -> new LabelFilter.Greater(label, value, false);
          case "GTE" -> new LabelFilter.Greater(label, value, true);
          default -> new LabelFilter.Equal(label, value);
        });
  }

  private Optional<List<LabelFilter>> several(FilterDraft draft, String path, int depth) {
    if (draft.filters() == null || draft.filters().isEmpty()) {
      faults.add(path + ".filters needs at least one filter.");
      return Optional.empty();
    }
    List<LabelFilter> parts = new ArrayList<>();
    for (int i = 0; i < draft.filters().size(); i++) {
      filter(draft.filters().get(i), path + ".filters[" + i + "]", depth + 1).ifPresent(parts::add);
    }
    // Parts with faults are missing; the query is refused because of them.
    return Optional.of(parts);
  }
}
