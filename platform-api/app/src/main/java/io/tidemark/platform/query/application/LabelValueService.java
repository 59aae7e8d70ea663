package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.OpenMinuteCell;
import io.tidemark.platform.metricstore.OpenMinutes;
import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.metricstore.ScanAvailability;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.metricstore.StoreTierRanges;
import io.tidemark.platform.metricstore.StoreTiers;
import io.tidemark.platform.query.domain.Answer.Completeness;
import io.tidemark.platform.query.domain.AttributesDraft;
import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.RollupLevelPlanner;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Lists values of labels. */
public final class LabelValueService {

  private final MetricStore store;
  private final PipelineProgress progress;
  private final OpenMinutes openMinutes;
  private final StoreTiers ages;
  private final PageTokens tokens;
  private final CostGuard guard;
  private final Clock clock;

  /** The use case. */
  public LabelValueService(
      MetricStore store,
      PipelineProgress progress,
      OpenMinutes openMinutes,
      StoreTiers ages,
      PageTokens tokens,
      CostGuard guard,
      Clock clock) {
    this.store = store;
    this.progress = progress;
    this.openMinutes = openMinutes;
    this.ages = ages;
    this.tokens = tokens;
    this.guard = guard;
    this.clock = clock;
  }

  /** One page of combinations. */
  public record Attributes(
      List<LabelKey> keys,
      List<List<@Nullable String>> combinations,
      int pageSize,
      Optional<String> nextPage,
      Completeness completeness) {}

  /**
   * Combinations of labels that were seen.
   *
   * @param pageToken null for the first page
   * @throws io.tidemark.platform.shared.ProblemException as {@link MetricsQueryService#answer}
   */
  public Attributes list(
      Caller caller, String dataset, AttributesDraft draft, @Nullable String pageToken) {
    QueryScope readable = Datasets.readableBy(caller, dataset);
    TenantId organization = readable.organization();
    PageTokens.Request request = new PageTokens.Request(readable, dataset, "attributes " + draft);
    Instant now = clock.instant();
    Optional<PageTokens.PagePosition> place =
        Optional.ofNullable(pageToken).map(token -> tokens.place(request, token, now));
    Instant meant = place.map(PageTokens.PagePosition::now).orElse(now);
    MetricQuery query = MetricsQueryService.planned(draft.asQuery(), meant).within(readable);
    CompletenessEvaluator completeness = new CompletenessEvaluator(organization, progress);
    List<SplitInterval> splits =
        progress.splits(organization, Optional.ofNullable(draft.metric())).stream()
            .filter(split -> split.lacks(query.labels()))
            .toList();
    Instant firstOpenMinute = completeness.firstOpenMinute(now);
    StoreTierRanges agesNow = ages.of(organization);
    List<ScanSpec> parts = parts(query, splits, firstOpenMinute, draft, agesNow);
    ScanAvailability.check(agesNow, parts);
    LabelFilter filter = filter(draft, query, splits);
    Optional<List<@Nullable String>> after = place.map(PageTokens.PagePosition::after);
    List<StoreQuery> questions =
        parts.stream().map(part -> question(draft, query, filter, part, after)).toList();
    CostGuard.Verdict verdict =
        guard.judge(
            query,
            questions.stream()
                .map(
                    each ->
                        CostGuard.Cost.of(each.part().store(), store.estimate(organization, each)))
                .reduce(CostGuard.Cost.NOTHING, CostGuard.Cost::plus),
            cheaper -> new CostGuard.Cost(Long.MAX_VALUE, 0, false));
    Set<List<@Nullable String>> found = new TreeSet<>(GroupOrder.GROUPS);
    OpenMinutes.OpenMinutesView shown =
        openMinutes.shown(
            organization,
            Optional.ofNullable(draft.metric()),
            query.minutes().from(firstOpenMinute.toEpochMilli()),
            filter::matches);
    for (OpenMinuteCell cell : shown.cells()) {
      List<@Nullable String> labels = new ArrayList<>();
      query.groupBy().forEach(key -> labels.add(cell.labels().get(key.value())));
      if (after.isEmpty() || GroupOrder.GROUPS.compare(labels, after.get()) > 0) {
        found.add(labels);
      }
    }
    try (var turn = guard.enter(organization, verdict.lane())) {
      for (StoreQuery question : questions) {
        for (StoreRow row : store.run(organization, question)) {
          found.add(row.labels());
        }
      }
    }
    List<List<@Nullable String>> all = new ArrayList<>(found);
    List<List<@Nullable String>> kept = all.subList(0, Math.min(all.size(), query.maxGroups()));
    completeness.read(parts, draft.metric() == null ? Set.of() : Set.of(draft.metric()));
    return new Attributes(
        query.groupBy(),
        kept,
        query.maxGroups(),
        all.size() > kept.size()
            ? Optional.of(
                tokens.token(
                    request, new PageTokens.PagePosition(meant, kept.get(kept.size() - 1))))
            : Optional.empty(),
        completeness.of(query.minutes(), query.latest(), shown.state()));
  }

  /** Without a metric, ordinary rows of other metrics count beside the detail of those split. */
  private static List<ScanSpec> parts(
      MetricQuery query,
      List<SplitInterval> splits,
      Instant firstOpenMinute,
      AttributesDraft draft,
      StoreTierRanges ages) {
    RollupLevelPlanner planning =
        new RollupLevelPlanner(query.granularity(), firstOpenMinute, false, ages);
    if (draft.metric() != null) {
      return planning.parts(query.minutes(), splits, query.labels());
    }
    List<ScanSpec> parts =
        new ArrayList<>(planning.parts(query.minutes(), List.of(), query.labels()));
    IntervalSet detail =
        splits.stream()
            .map(split -> query.minutes().from(split.from()).before(split.to()))
            .reduce(IntervalSet.NONE, IntervalSet::plus);
    if (!detail.isEmpty()) {
      parts.addAll(ages.among(List.of(ScanSpec.of(Source.MINUTES_IN_DETAIL, detail))));
    }
    return parts;
  }

  /**
   * Some label is there; without a metric, also each that ordinary rows of split metrics lack,
   * since those rows would make combinations that no series has.
   */
  private static LabelFilter filter(
      AttributesDraft draft, MetricQuery query, List<SplitInterval> splits) {
    List<LabelFilter> all = new ArrayList<>();
    query.filter().ifPresent(all::add);
    all.add(
        new LabelFilter.Any(
            query.groupBy().stream()
                .map(LabelFilter.Present::new)
                .map(LabelFilter.class::cast)
                .toList()));
    for (LabelKey key : query.groupBy()) {
      if (draft.metric() == null && splits.stream().anyMatch(split -> split.lacks(Set.of(key)))) {
        all.add(new LabelFilter.Present(key));
      }
    }
    return new LabelFilter.Every(all);
  }

  private static StoreQuery question(
      AttributesDraft draft,
      MetricQuery query,
      LabelFilter filter,
      ScanSpec part,
      Optional<List<@Nullable String>> after) {
    return new StoreQuery(
        Optional.ofNullable(draft.metric()),
        Optional.of(filter),
        query.granularity(),
        query.groupBy(),
        part,
        Set.of(),
        new Shape.Flat(),
        query.maxGroups() + 1,
        after,
        Lane.INTERACTIVE);
  }
}
