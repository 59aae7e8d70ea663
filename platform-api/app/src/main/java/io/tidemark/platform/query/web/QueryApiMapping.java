package io.tidemark.platform.query.web;

import io.tidemark.contracts.metrics.model.Aggregation;
import io.tidemark.contracts.metrics.model.Filter;
import io.tidemark.contracts.metrics.model.QueryRequest;
import io.tidemark.contracts.metrics.model.QueryResponse;
import io.tidemark.platform.query.domain.AggregationFunction;
import io.tidemark.platform.query.domain.Granularity;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import io.tidemark.platform.query.domain.QueryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Between the types of the contract and those of the domain. Checks nothing. */
final class QueryApiMapping {

  private QueryApiMapping() {}

  static QueryDraft draft(QueryRequest request) {
    return new QueryDraft(
        each(request.getAggregations(), QueryApiMapping::draft),
        draft(request.getFilter()),
        request.getGranularity() == null
            ? null
            : Granularity.valueOf(request.getGranularity().getValue()),
        Objects.requireNonNullElse(request.getGroupBy(), List.of()),
        Objects.requireNonNullElse(request.getIntervals(), List.of()),
        request.getLimit(),
        request.getFormat() == null ? null : request.getFormat().getValue());
  }

  static QueryResponse response(QueryDraft draft, List<QueryRow> rows) {
    List<Map<String, Object>> data = new ArrayList<>(rows.size());
    for (QueryRow row : rows) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("timestamp", row.bucket().toString());
      for (int i = 0; i < row.labels().size(); i++) {
        item.put(draft.groupBy().get(i), row.labels().get(i));
      }
      item.put("value", row.value());
      data.add(item);
    }
    return new QueryResponse(data);
  }

  private static AggregationDraft draft(Aggregation aggregation) {
    return aggregation == null
        ? null
        : new AggregationDraft(
            aggregation.getMetric(),
            aggregation.getAgg() == null
                ? null
                : AggregationFunction.valueOf(aggregation.getAgg().getValue()));
  }

  private static FilterDraft draft(Filter filter) {
    return filter == null
        ? null
        : new FilterDraft(
            filter.getOp() == null ? null : filter.getOp().getValue(),
            filter.getField(),
            filter.getValue(),
            each(filter.getFilters(), QueryApiMapping::draft));
  }

  private static <T, R> List<R> each(List<T> items, Function<T, R> mapping) {
    List<R> mapped = new ArrayList<>();
    if (items != null) {
      items.forEach(item -> mapped.add(mapping.apply(item)));
    }
    return mapped;
  }
}
