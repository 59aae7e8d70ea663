package io.tidemark.platform.query.domain;

import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Turns a draft into a plan, or says everything that is wrong with it at once. One instance plans
 * one draft.
 */
public final class QueryPlanning {

  private static final int GREATEST_NUMBER_OF_LABELS = 20;
  private static final int GREATEST_NUMBER_OF_INTERVALS = 50;
  private static final int GREATEST_NUMBER_OF_FILTERS = 200;
  private static final int GREATEST_DEPTH_OF_FILTERS = 20;
  private static final int GREATEST_LIMIT = 1000;
  private static final int DEFAULT_LIMIT = 100;
  private static final int GREATEST_NAME = 255;

  private final List<String> faults = new ArrayList<>();
  private final List<String> unsupported = new ArrayList<>();
  private int filters;

  private QueryPlanning() {}

  /** What planning came to. */
  public sealed interface Plan {

    /** The draft is right. */
    record Ready(MetricQuery query) implements Plan {}

    /** The draft breaks rules of the language; one sentence each. */
    record Invalid(List<String> faults) implements Plan {}

    /** The draft is right but asks for what this version cannot do; one sentence each. */
    record Unsupported(List<String> reasons) implements Plan {}
  }

  /** Plans a draft; {@code now} in intervals means the given time. */
  public static Plan plan(QueryDraft draft, Instant now) {
    return new QueryPlanning().planned(draft, now);
  }

  private Plan planned(QueryDraft draft, Instant now) {
    Optional<AggregationDraft> aggregation = aggregation(draft.aggregations());
    Optional<LabelFilter> filter =
        draft.filter() == null ? Optional.empty() : filter(draft.filter(), "filter", 1);
    if (draft.granularity() == null) {
      faults.add("granularity is required, for example PT1M.");
    }
    List<LabelKey> groupBy = groupBy(draft.groupBy());
    List<TimeInterval> intervals = intervals(draft.intervals(), draft.granularity(), now);
    int limit = limit(draft);
    if ("GROUPED".equals(draft.format())) {
      unsupported.add("format GROUPED is not supported yet; use FLAT.");
    }
    if (!faults.isEmpty()) {
      return new Plan.Invalid(List.copyOf(faults));
    }
    if (!unsupported.isEmpty()) {
      return new Plan.Unsupported(List.copyOf(unsupported));
    }
    AggregationDraft chosen = aggregation.orElseThrow();
    return new Plan.Ready(
        new MetricQuery(
            chosen.metric(),
            chosen.function(),
            filter,
            draft.granularity(),
            groupBy,
            intervals,
            limit));
  }

  private Optional<AggregationDraft> aggregation(List<AggregationDraft> drafts) {
    if (drafts.size() != 1 || drafts.get(0) == null) {
      faults.add("aggregations must have exactly one item.");
      return Optional.empty();
    }
    AggregationDraft draft = drafts.get(0);
    if (draft.metric() == null || draft.metric().isBlank()) {
      faults.add("aggregations[0].metric is required.");
    } else if (draft.metric().length() > GREATEST_NAME) {
      faults.add("aggregations[0].metric has more than " + GREATEST_NAME + " characters.");
    }
    if (draft.function() == null) {
      faults.add("aggregations[0].agg is required: SUM, MIN, MAX, COUNT, AVG or LAST.");
    }
    return Optional.of(draft);
  }

  private Optional<LabelFilter> filter(FilterDraft draft, String path, int depth) {
    filters++;
    if (draft == null || draft.op() == null) {
      faults.add(path + ".op is required.");
      return Optional.empty();
    }
    if (depth > GREATEST_DEPTH_OF_FILTERS || filters > GREATEST_NUMBER_OF_FILTERS) {
      if (filters <= GREATEST_NUMBER_OF_FILTERS + 1) {
        faults.add(
            path
                + " goes too far: at most "
                + GREATEST_DEPTH_OF_FILTERS
                + " levels and "
                + GREATEST_NUMBER_OF_FILTERS
                + " filters.");
      }
      return Optional.empty();
    }
    return switch (draft.op()) {
      case "EQ" -> equal(draft, path);
      case "AND" -> every(draft, path, depth);
      default -> {
        unsupported.add(
            path + ".op " + draft.op() + " is not supported yet; use EQ, and AND of those.");
        yield Optional.empty();
      }
    };
  }

  private Optional<LabelFilter> equal(FilterDraft draft, String path) {
    boolean named = draft.field() != null && LabelKey.isWellFormed(draft.field());
    if (!named) {
      faults.add(path + ".field must be metric.<label> or resource.<type>.<label>.");
    }
    boolean valued =
        draft.value() instanceof String
            || draft.value() instanceof Integer
            || draft.value() instanceof Long
            || draft.value() instanceof java.math.BigInteger;
    if (!valued) {
      faults.add(path + ".value must be a text or a whole number.");
    }
    return named && valued
        ? Optional.of(
            new LabelFilter.Equal(new LabelKey(draft.field()), String.valueOf(draft.value())))
        : Optional.empty();
  }

  private Optional<LabelFilter> every(FilterDraft draft, String path, int depth) {
    if (draft.filters() == null || draft.filters().isEmpty()) {
      faults.add(path + ".filters needs at least one filter.");
      return Optional.empty();
    }
    List<LabelFilter> parts = new ArrayList<>();
    for (int i = 0; i < draft.filters().size(); i++) {
      filter(draft.filters().get(i), path + ".filters[" + i + "]", depth + 1).ifPresent(parts::add);
    }
    return Optional.of(new LabelFilter.Every(parts));
  }

  private List<LabelKey> groupBy(List<String> texts) {
    if (texts.size() > GREATEST_NUMBER_OF_LABELS) {
      faults.add("group_by has more than " + GREATEST_NUMBER_OF_LABELS + " labels.");
      return List.of();
    }
    List<LabelKey> keys = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      String text = Objects.requireNonNullElse(texts.get(i), "");
      if (!LabelKey.isWellFormed(text)) {
        faults.add("group_by[" + i + "] must be metric.<label> or resource.<type>.<label>.");
      } else if (!seen.add(text)) {
        faults.add("group_by[" + i + "] repeats " + text + ".");
      } else {
        keys.add(new LabelKey(text));
      }
    }
    return keys;
  }

  private List<TimeInterval> intervals(List<String> texts, Granularity granularity, Instant now) {
    if (texts.isEmpty() || texts.size() > GREATEST_NUMBER_OF_INTERVALS) {
      faults.add("intervals needs 1 to " + GREATEST_NUMBER_OF_INTERVALS + " intervals.");
      return List.of();
    }
    TimeIntervalParser parser = new TimeIntervalParser(now);
    List<TimeInterval> intervals = new ArrayList<>();
    for (String text : texts) {
      try {
        TimeInterval interval = parser.parse(Objects.requireNonNullElse(text, ""));
        intervals.add(interval);
        checkLength(text, interval, granularity);
      } catch (IllegalArgumentException fault) {
        faults.add(fault.getMessage());
      }
    }
    return intervals;
  }

  private void checkLength(String text, TimeInterval interval, Granularity granularity) {
    Optional<Duration> greatest =
        granularity == null ? Optional.empty() : granularity.greatestInterval();
    if (greatest.isPresent() && interval.length().compareTo(greatest.get()) > 0) {
      faults.add(
          "The interval '"
              + text
              + "' is longer than "
              + greatest.get()
              + ", the most for granularity "
              + granularity
              + "; shorten it or use a coarser granularity.");
    }
  }

  private int limit(QueryDraft draft) {
    if (draft.limit() == null) {
      return draft.granularity() == Granularity.ALL ? GREATEST_LIMIT : DEFAULT_LIMIT;
    }
    if (draft.limit() < 1 || draft.limit() > GREATEST_LIMIT) {
      faults.add("limit must be 1 to " + GREATEST_LIMIT + ".");
    }
    return draft.limit();
  }
}
