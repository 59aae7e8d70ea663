package io.tidemark.platform.metricstore;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One question to the store, of one part.
 *
 * @param metric empty for all metrics
 * @param figures what is to be told of each bucket; with a {@link Shape} that combines series, of
 *     the series' values
 * @param maxGroups answers may stop after as many whole groups
 * @param after only groups that come after these labels
 * @param maxFirst the groups in which this figure is greatest come first, those of the same figure
 *     in the order of labels; empty for the order of labels alone
 */
public record StoreQuery(
    Optional<String> metric,
    Optional<LabelFilter> filter,
    Granularity granularity,
    List<LabelKey> groupBy,
    ScanSpec part,
    Set<AggregateColumn> figures,
    Shape shape,
    int maxGroups,
    Optional<List<@Nullable String>> after,
    Lane lane,
    Optional<AggregateColumn> largestFirst) {

  /** How the values of a series and those of different series come together. */
  public sealed interface Shape {

    /** All values alike. */
    record Flat() implements Shape {}

    /** Those of a series first. */
    record SeriesFirst(TimeFunction function) implements Shape {}

    /** Not at all: a row for each series. */
    record BySeries() implements Shape {}
  }

  /** The same with another filter. */
  public StoreQuery with(Optional<LabelFilter> other) {
    return new StoreQuery(
        metric,
        other,
        granularity,
        groupBy,
        part,
        figures,
        shape,
        maxGroups,
        after,
        lane,
        largestFirst);
  }

  /** Groups in the order of labels. */
  public StoreQuery(
      Optional<String> metric,
      Optional<LabelFilter> filter,
      Granularity granularity,
      List<LabelKey> groupBy,
      ScanSpec part,
      Set<AggregateColumn> figures,
      Shape shape,
      int maxGroups,
      Optional<List<@Nullable String>> after,
      Lane lane) {
    this(
        metric,
        filter,
        granularity,
        groupBy,
        part,
        figures,
        shape,
        maxGroups,
        after,
        lane,
        Optional.empty());
  }

  public StoreQuery {
    groupBy = List.copyOf(groupBy);
    figures = Set.copyOf(figures);
  }
}
