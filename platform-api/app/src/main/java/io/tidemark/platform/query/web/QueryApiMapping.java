package io.tidemark.platform.query.web;

import io.tidemark.contracts.metrics.model.Aggregation;
import io.tidemark.contracts.metrics.model.Completeness;
import io.tidemark.contracts.metrics.model.CompletenessState;
import io.tidemark.contracts.metrics.model.ExplainedPart;
import io.tidemark.contracts.metrics.model.Explanation;
import io.tidemark.contracts.metrics.model.Filter;
import io.tidemark.contracts.metrics.model.OpenMinutesState;
import io.tidemark.contracts.metrics.model.OrderBy;
import io.tidemark.contracts.metrics.model.Pagination;
import io.tidemark.contracts.metrics.model.QueryEstimate;
import io.tidemark.contracts.metrics.model.QueryMeta;
import io.tidemark.contracts.metrics.model.QueryRequest;
import io.tidemark.contracts.metrics.model.QueryResponse;
import io.tidemark.contracts.metrics.model.SortOrder;
import io.tidemark.contracts.metrics.model.Truncation;
import io.tidemark.contracts.metrics.model.UnknownName;
import io.tidemark.platform.metricstore.AggregationFunction;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.Store;
import io.tidemark.platform.metricstore.TimeFunction;
import io.tidemark.platform.query.application.MetricsQueryService;
import io.tidemark.platform.query.domain.Answer;
import io.tidemark.platform.query.domain.BucketState;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryDraft.AggregationDraft;
import io.tidemark.platform.query.domain.QueryDraft.FilterDraft;
import io.tidemark.platform.query.domain.QueryDraft.OrderDraft;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/** Between the types of the contract and those of the domain. Checks nothing. */
final class QueryApiMapping {

  private QueryApiMapping() {}

  static QueryDraft draft(QueryRequest request) {
    return new QueryDraft(
        aggregations(request.getAggregations()),
        draft(request.getFilter()),
        request.getGranularity() == null
            ? null
            : Granularity.valueOf(request.getGranularity().getValue()),
        Objects.requireNonNullElse(request.getGroupBy(), List.of()),
        Objects.requireNonNullElse(request.getIntervals(), List.of()),
        request.getLimit(),
        orders(request.getOrderBy()),
        request.getFormat() == null ? null : request.getFormat().getValue(),
        Boolean.TRUE.equals(request.getBucketStates()),
        Boolean.TRUE.equals(request.getExplain()),
        Boolean.TRUE.equals(request.getDistributions()));
  }

  static QueryResponse response(Answer answer) {
    List<Map<String, Object>> data = new ArrayList<>();
    // Groups have the same buckets, mostly.
    Map<Instant, SerializableString> times = new HashMap<>();
    SerializableString[] keys = AnswerRow.Labels.keys(answer.query().groupBy());
    for (Answer.Group group : answer.groups()) {
      boolean isApart = answer.query().grouped();
      List<Map<String, Object>> points = isApart ? new ArrayList<>() : data;
      AnswerRow.Labels own =
          isApart ? AnswerRow.Labels.NONE : AnswerRow.Labels.of(keys, group.labels());
      for (Answer.Point point : group.points()) {
        points.add(
            new AnswerRow(
                times.computeIfAbsent(
                    point.bucket(), time -> new SerializedString(time.toString())),
                own,
                point));
      }
      if (isApart) {
        Map<String, Object> labels = labels(answer.query().groupBy(), group.labels());
        labels.put("points", points);
        data.add(labels);
      }
    }
    return new QueryResponse(data).meta(meta(answer));
  }

  static Map<String, Object> labels(List<LabelKey> keys, List<@Nullable String> values) {
    Map<String, Object> labels = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      labels.put(keys.get(i).value(), values.get(i));
    }
    return labels;
  }

  private static QueryMeta meta(Answer answer) {
    return new QueryMeta()
        .pagination(
            new Pagination(answer.query().maxGroups())
                .nextPageToken(answer.nextPage().orElse(null)))
        .completeness(completeness(answer.completeness()))
        .truncated(truncated(answer.truncated()))
        .unknownMetrics(unknown(answer.unknownMetrics()))
        .unknownLabels(unknown(answer.unknownLabels()))
        .explain(answer.explanation().map(QueryApiMapping::explanation).orElse(null));
  }

  static QueryEstimate estimate(MetricsQueryService.Estimate estimate) {
    return new QueryEstimate(estimate.lane().isPresent(), estimate.rows())
        .lane(estimate.lane().map(Lane::wireName).orElse(null))
        .refusal(estimate.refusal().orElse(null));
  }

  static Completeness completeness(Answer.Completeness completeness) {
    return new Completeness(state(completeness.state()))
        .watermark(completeness.watermark().map(QueryApiMapping::time).orElse(null))
        .completeUntil(completeness.completeUntil().map(QueryApiMapping::time).orElse(null))
        .lateRevisions(completeness.lateRevisions())
        .readUntil(completeness.readUntil().map(QueryApiMapping::time).orElse(null))
        .isBehind(completeness.isBehind())
        .openMinutes(
            completeness
                .openMinutes()
                .map(state -> OpenMinutesState.fromValue(state.name().toLowerCase(Locale.ROOT)))
                .orElse(null));
  }

  static @Nullable List<Truncation> truncated(List<Answer.Truncation> truncated) {
    return truncated.isEmpty()
        ? null
        : truncated.stream().map(cut -> new Truncation(cut.what(), cut.detail())).toList();
  }

  private static @Nullable List<UnknownName> unknown(List<Answer.UnknownName> names) {
    return names.isEmpty()
        ? null
        : names.stream().map(each -> new UnknownName(each.name(), each.nearest())).toList();
  }

  private static Explanation explanation(Answer.Explanation explanation) {
    return new Explanation()
        .lane(explanation.lane().wireName())
        .estimatedRows(explanation.estimatedRows())
        .parts(
            explanation.parts().stream()
                .map(
                    part ->
                        new ExplainedPart(
                                part.metric(),
                                part.part().source().datasource(),
                                part.part().spans().intervals().stream()
                                    .map(interval -> interval.start() + "/" + interval.end())
                                    .toList())
                            .store(
                                ExplainedPart.StoreEnum.fromValue(part.part().store().wireName()))
                            .segments(part.part().store() == Store.DRUID ? part.pieces() : null)
                            .files(part.part().store() == Store.LAKE ? part.pieces() : null)
                            .estimatedRows(part.estimatedRows()))
                .toList());
  }

  private static CompletenessState state(BucketState state) {
    return CompletenessState.fromValue(state.name().toLowerCase(Locale.ROOT));
  }

  private static OffsetDateTime time(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  private static @Nullable AggregationDraft draft(Aggregation aggregation) {
    return aggregation == null
        ? null
        : new AggregationDraft(
            aggregation.getMetric(),
            aggregation.getAgg() == null
                ? null
                : AggregationFunction.valueOf(aggregation.getAgg().getValue()),
            aggregation.getTimeAgg() == null
                ? null
                : timeFunction(aggregation.getTimeAgg().getValue()));
  }

  private static TimeFunction timeFunction(String name) {
    return name.equals("AVG") ? TimeFunction.MEAN : TimeFunction.valueOf(name);
  }

  private static @Nullable OrderDraft draft(OrderBy order) {
    return order == null
        ? null
        : new OrderDraft(
            order.getMetric(),
            order.getAgg() == null ? null : AggregationFunction.valueOf(order.getAgg().getValue()),
            order.getOrder() != SortOrder.ASCENDING);
  }

  static @Nullable FilterDraft draft(@Nullable Filter filter) {
    return filter == null
        ? null
        : new FilterDraft(
            filter.getOp() == null ? null : filter.getOp().getValue(),
            filter.getField(),
            filter.getValue(),
            filters(filter.getFilters()),
            draft(filter.getFilter()));
  }

  private static List<@Nullable AggregationDraft> aggregations(@Nullable List<Aggregation> sent) {
    List<@Nullable AggregationDraft> drafts = new ArrayList<>();
    if (sent != null) {
      sent.forEach(aggregation -> drafts.add(draft(aggregation)));
    }
    return drafts;
  }

  private static List<@Nullable OrderDraft> orders(@Nullable List<OrderBy> sent) {
    List<@Nullable OrderDraft> drafts = new ArrayList<>();
    if (sent != null) {
      sent.forEach(order -> drafts.add(draft(order)));
    }
    return drafts;
  }

  private static List<@Nullable FilterDraft> filters(@Nullable List<Filter> sent) {
    List<@Nullable FilterDraft> drafts = new ArrayList<>();
    if (sent != null) {
      sent.forEach(filter -> drafts.add(draft(filter)));
    }
    return drafts;
  }
}
