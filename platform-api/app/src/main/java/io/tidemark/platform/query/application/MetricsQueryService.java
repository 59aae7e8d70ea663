package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Granularity;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricKind;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.MetricTypeResolver;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.RetentionBoundaries;
import io.tidemark.platform.metricstore.StoreTiers;
import io.tidemark.platform.query.domain.Aggregation.Computation;
import io.tidemark.platform.query.domain.Answer;
import io.tidemark.platform.query.domain.Answer.Completeness;
import io.tidemark.platform.query.domain.Answer.Explanation;
import io.tidemark.platform.query.domain.Answer.Group;
import io.tidemark.platform.query.domain.Answer.Point;
import io.tidemark.platform.query.domain.Answer.Truncation;
import io.tidemark.platform.query.domain.BucketState;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.QueryDraft;
import io.tidemark.platform.query.domain.QueryPlanner;
import io.tidemark.platform.query.domain.QueryPlanner.Plan;
import io.tidemark.platform.query.domain.ResultMatrix;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers one query of one caller. */
public final class MetricsQueryService {

  private final MetricStore store;
  private final PipelineProgress progress;
  private final OpenMinutes openMinutes;
  private final MetricTypeResolver kinds;
  private final RetentionBoundaries hidden;
  private final StoreTiers ages;
  private final PageTokens tokens;
  private final CostGuard guard;
  private final UnknownNameFinder unknown;
  private final int maxRows;
  private final QueryMeter meter;
  private final Clock clock;

  /**
   * The use case.
   *
   * @param maxRows maximum number of rows that one answer is made of
   */
  public MetricsQueryService(
      MetricStore store,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      MetricTypeResolver kinds,
      RetentionBoundaries hidden,
      StoreTiers ages,
      PageTokens tokens,
      CostGuard guard,
      UnknownNameFinder unknown,
      int maxRows,
      QueryMeter meter,
      Clock clock) {
    this.store = store;
    this.progress = progress;
    this.openMinutes = openMinutes;
    this.kinds = kinds;
    this.hidden = hidden;
    this.ages = ages;
    this.tokens = tokens;
    this.guard = guard;
    this.unknown = unknown;
    this.maxRows = maxRows;
    this.meter = meter;
    this.clock = clock;
  }

  /**
   * What the caller asked for.
   *
   * @param pageToken null for the first page
   * @throws ProblemException {@code not_found}, {@code forbidden}, {@code invalid_query}, {@code
   *     query_too_expensive}, {@code rate_limited}, or what {@link MetricStore} throws
   */
  public Answer answer(
      Caller caller, String dataset, QueryDraft draft, @Nullable String pageToken) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    TenantId organization = readable.organization();
    PageTokens.Request request = new PageTokens.Request(readable, dataset, "query " + draft);
    Instant now = clock.instant();
    Optional<List<@Nullable String>> after = Optional.empty();
    Instant meant = now;
    if (pageToken != null) {
      PageTokens.PagePosition place = tokens.place(request, pageToken, now);
      after = Optional.of(place.after());
      meant = place.now();
    }
    MetricQuery query = planned(draft, meant).within(readable);
    if (pageToken != null && !isPaged(query)) {
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY,
          "page_token needs group_by and a granularity other than ALL; leave it out.");
    }
    CompletenessEvaluator completeness = new CompletenessEvaluator(organization, progress);
    Instant firstOpenMinute = completeness.firstOpenMinute(now);
    QueryExecutor collecting;
    CostGuard.Verdict verdict;
    Optional<ResultMatrix> collected = Optional.empty();
    // Kinds and estimates are asked of the store too.
    try (var turn = guard.enter(organization, Lane.INTERACTIVE)) {
      collecting = collecting(organization, query, firstOpenMinute);
      verdict =
          guard.judge(
              query,
              collecting.estimate(),
              cheaper -> collecting(organization, cheaper, firstOpenMinute).estimate());
      if (verdict.lane() == Lane.INTERACTIVE) {
        collected = Optional.of(collecting.collect(after, verdict.lane()));
      }
    }
    if (collected.isEmpty()) {
      try (var turn = guard.enter(organization, verdict.lane())) {
        collected = Optional.of(collecting.collect(after, verdict.lane()));
      }
    }
    completeness.read(collecting.parts(), collecting.metrics());
    Answer answer =
        answer(request, query, meant, collected.get(), completeness, collecting, verdict);
    meter.ran(readable, collecting.metrics(), verdict.lane(), verdict.estimatedRows());
    return answer;
  }

  /**
   * What a query would cost.
   *
   * @param lane empty when it would not run
   * @param refusal why it would not run
   */
  public record Estimate(long rows, Optional<Lane> lane, Optional<String> refusal) {}

  /**
   * Estimates a query without reading rows.
   *
   * @throws ProblemException as {@link #answer}, but for {@code query_too_expensive}
   */
  public Estimate estimate(Caller caller, String dataset, QueryDraft draft) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    TenantId organization = readable.organization();
    Instant now = clock.instant();
    MetricQuery query = planned(draft, now).within(readable);
    Instant firstOpenMinute =
        new CompletenessEvaluator(organization, progress).firstOpenMinute(now);
    try (var turn = guard.enter(organization, Lane.INTERACTIVE)) {
      CostGuard.Cost cost = collecting(organization, query, firstOpenMinute).estimate();
      try {
        CostGuard.Verdict verdict =
            guard.judge(
                query,
                cost,
                cheaper -> collecting(organization, cheaper, firstOpenMinute).estimate());
        return new Estimate(cost.rows(), Optional.of(verdict.lane()), Optional.empty());
      } catch (ProblemException refused) {
        if (refused.code() != ErrorCode.QUERY_TOO_EXPENSIVE) {
          throw refused;
        }
        return new Estimate(cost.rows(), Optional.empty(), Optional.of(refused.details().get(0)));
      }
    }
  }

  /** Figures of one computation by group and bucket, for whoever makes values of them. */
  public record Read(
      Map<List<@Nullable String>, Map<Instant, AggregateState>> groups,
      Completeness completeness) {}

  /** Reads a checked query for an organisation that the caller may read, guarded as any other. */
  public Read read(TenantId organization, MetricQuery query, Computation computation) {
    CompletenessEvaluator completeness = new CompletenessEvaluator(organization, progress);
    Instant firstOpenMinute = completeness.firstOpenMinute(clock.instant());
    QueryExecutor collecting =
        collecting(organization, query, List.of(computation), firstOpenMinute);
    CostGuard.Verdict verdict =
        guard.judge(
            query,
            collecting.estimate(),
            cheaper ->
                collecting(organization, cheaper, List.of(computation), firstOpenMinute)
                    .estimate());
    Map<List<@Nullable String>, Map<Instant, AggregateState>> groups;
    try (var turn = guard.enter(organization, verdict.lane())) {
      groups = collecting.figures(verdict.lane());
    }
    completeness.read(collecting.parts(), collecting.metrics());
    meter.ran(
        QueryScope.all(organization),
        collecting.metrics(),
        verdict.lane(),
        verdict.estimatedRows());
    return new Read(groups, completeness.of(query.minutes(), query.latest(), collecting.open()));
  }

  private QueryExecutor collecting(
      TenantId organization, MetricQuery query, Instant firstOpenMinute) {
    List<Computation> computations =
        query.aggregations().stream()
            .map(
                aggregation ->
                    aggregation.of(
                        aggregation.dependsOnKind()
                            ? kinds.kindOf(organization, aggregation.metric())
                            : MetricKind.COUNTER))
            .toList();
    return collecting(organization, query, computations, firstOpenMinute);
  }

  private QueryExecutor collecting(
      TenantId organization,
      MetricQuery query,
      List<Computation> computations,
      Instant firstOpenMinute) {
    return new QueryExecutor(
            store, organization, query, computations, maxRows, ages.of(organization))
        .plan(progress, openMinutes, firstOpenMinute);
  }

  private Answer answer(
      PageTokens.Request request,
      MetricQuery query,
      Instant meant,
      ResultMatrix collected,
      CompletenessEvaluator completeness,
      QueryExecutor collecting,
      CostGuard.Verdict verdict) {
    List<List<@Nullable String>> order =
        query.order().map(collected::orderedBy).orElseGet(collected::groups);
    boolean isCut = order.size() > query.maxGroups();
    List<List<@Nullable String>> kept = order.subList(0, Math.min(order.size(), query.maxGroups()));
    Optional<String> next =
        isCut && isPaged(query)
            ? Optional.of(
                tokens.token(
                    request, new PageTokens.PagePosition(meant, kept.get(kept.size() - 1))))
            : Optional.empty();
    List<Truncation> truncated = new ArrayList<>();
    if (isCut && next.isEmpty()) {
      truncated.add(
          new Truncation(
              "groups",
              "There are more groups than the limit of "
                  + query.maxGroups()
                  + "; raise limit or narrow the filter."));
    }
    hiddenBefore(request.readable(), collecting)
        .ifPresent(
            time ->
                truncated.add(
                    new Truncation(
                        "time",
                        "Rows of before "
                            + time
                            + " are not kept any more, of one environment or all; its retention"
                            + " says so.")));
    IntervalSet minutes = query.minutes();
    List<Group> groups = new ArrayList<>();
    for (List<@Nullable String> labels : kept) {
      List<Point> points = new ArrayList<>();
      collected
          .of(labels)
          .forEach(
              (bucket, values) ->
                  points.add(
                      new Point(
                          bucket,
                          boxed(values),
                          query.bucketStates() ? state(query, completeness, minutes, bucket) : null,
                          collected.distribution(bucket))));
      if (!points.isEmpty()) {
        groups.add(new Group(labels, points));
      }
    }
    return new Answer(
        query,
        groups,
        next,
        completeness.of(minutes, query.latest(), collecting.open()),
        truncated,
        unknown.metrics(request.readable(), query, groups),
        unknown.labels(request.readable(), query, groups),
        query.explain()
            ? Optional.of(
                new Explanation(verdict.lane(), verdict.estimatedRows(), collecting.explained()))
            : Optional.empty());
  }

  private static List<Double> boxed(double[] values) {
    List<Double> boxed = new ArrayList<>(values.length);
    for (double value : values) {
      boxed.add(value);
    }
    return boxed;
  }

  /** The latest time before which something is hidden of what was asked for. */
  private Optional<Instant> hiddenBefore(QueryScope readable, QueryExecutor collecting) {
    return collecting.parts().stream()
        .flatMap(
            part ->
                collecting.metrics().stream()
                    .flatMap(
                        metric -> hidden.before(readable, part.source().level(), metric).stream())
                    .filter(time -> !part.spans().before(time.toEpochMilli()).isEmpty()))
        .max(Instant::compareTo);
  }

  private static BucketState state(
      MetricQuery query, CompletenessEvaluator completeness, IntervalSet minutes, Instant bucket) {
    return completeness.ofBucket(
        query.granularity() == Granularity.ALL
            ? minutes
            : minutes.from(bucket.toEpochMilli()).before(query.endOf(bucket).toEpochMilli()));
  }

  private static boolean isPaged(MetricQuery query) {
    return !query.groupBy().isEmpty() && query.granularity() != Granularity.ALL;
  }

  static MetricQuery planned(QueryDraft draft, Instant now) {
    Plan plan = QueryPlanner.plan(draft, now);
    if (plan instanceof Plan.Ready ready) {
      return ready.query();
    } else if (plan instanceof Plan.Invalid invalid) {
      throw ProblemException.of(ErrorCode.INVALID_QUERY, invalid.faults());
    }
    throw new IllegalStateException("Unknown plan " + plan);
  }
}
