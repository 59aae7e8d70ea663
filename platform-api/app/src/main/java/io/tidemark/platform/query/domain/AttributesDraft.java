package io.tidemark.platform.query.domain;

import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question for values of labels as the caller sent it, nothing checked. Lists may be empty, other
 * components null.
 */
public record AttributesDraft(
    @Nullable String metric,
    List<String> groupBy,
    @Nullable FilterDraft filter,
    List<String> intervals,
    @Nullable Integer limit) {

  private static final int USUAL_LIMIT = 100;

  /** The same as a query that counts. */
  public QueryDraft asQuery() {
    List<String> labels = new ArrayList<>(groupBy);
    if (labels.isEmpty()) {
      // Nothing to list: planning names what is missing.
      labels.add(null);
    }
    return new QueryDraft(
        List.of(
            new AggregationDraft(metric == null ? "any" : metric, AggregationFunction.COUNT, null)),
        filter,
        Granularity.ALL,
        labels,
        intervals.isEmpty() ? List.of("PT1H/now") : intervals,
        limit == null ? Integer.valueOf(USUAL_LIMIT) : limit,
        List.of(),
        null,
        false,
        false);
  }
}
