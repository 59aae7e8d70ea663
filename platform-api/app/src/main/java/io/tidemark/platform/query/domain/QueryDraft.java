package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.TimeFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query as the caller sent it, nothing checked. Lists may be empty, other components null.
 *
 * @param limit maximum number of groups
 * @param format FLAT or GROUPED
 */
public record QueryDraft(
    List<@Nullable AggregationDraft> aggregations,
    @Nullable FilterDraft filter,
    @Nullable Granularity granularity,
    List<String> groupBy,
    List<String> intervals,
    @Nullable Integer limit,
    List<@Nullable OrderDraft> orderBy,
    @Nullable String format,
    boolean bucketStates,
    boolean explain,
    boolean distributions) {

  /** A draft that asks for values alone. */
  public QueryDraft(
      List<@Nullable AggregationDraft> aggregations,
      @Nullable FilterDraft filter,
      Granularity granularity,
      List<String> groupBy,
      List<String> intervals,
      Integer limit,
      List<@Nullable OrderDraft> orderBy,
      @Nullable String format,
      boolean bucketStates,
      boolean explain) {
    this(
        aggregations,
        filter,
        granularity,
        groupBy,
        intervals,
        limit,
        orderBy,
        format,
        bucketStates,
        explain,
        false);
  }

  /** A metric and what to do with it. */
  public record AggregationDraft(
      String metric, @Nullable AggregationFunction function, @Nullable TimeFunction timeFunction) {}

  /** The aggregation that groups are ordered by. */
  public record OrderDraft(
      String metric, @Nullable AggregationFunction function, boolean descending) {}

  /**
   * One node of a filter.
   *
   * @param op EQ, GT, GTE, AND, OR or NOT
   * @param value a text or a whole number in EQ, GT and GTE
   * @param filters of AND and OR
   * @param filter of NOT
   */
  public record FilterDraft(
      @Nullable String op,
      @Nullable String field,
      @Nullable Object value,
      List<@Nullable FilterDraft> filters,
      @Nullable FilterDraft filter) {}
}
