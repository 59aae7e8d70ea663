package io.tidemark.platform.testing;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.MetricStore;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.SplitInterval;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A store in memory that rolls raw points up as the pipeline does and answers as Druid does. */
public final class TestingStore implements MetricStore {

  /** A raw point; {@code bucket} of the grid of distributions, where it has one. */
  public record RawPoint(
      String organization,
      String environment,
      String metric,
      Map<String, String> labels,
      Instant time,
      double value,
      Integer bucket) {}

  /** A stored row; {@code bucket} of the grid of distributions, where it has one. */
  public record Row(
      String organization,
      String environment,
      String metric,
      Map<String, String> labels,
      String series,
      long window,
      AggregateState figures,
      Integer bucket) {}

  /** Of one organisation; for questions about all metrics under an empty name, too. */
  private record StoredSource(Source source, String organization, String metric) {}

  private final Map<StoredSource, List<Row>> rows = new HashMap<>();
  private final Map<Source, IntervalSet.Span> kept = new HashMap<>();
  private int asked;

  /** A store of these points, of which some minutes are split. */
  public TestingStore(List<RawPoint> points, List<SplitInterval> splits) {
    for (RawPoint point : points) {
      long minute = Math.floorDiv(point.time().toEpochMilli(), 60_000L) * 60_000L;
      Map<String, String> reduced = new TreeMap<>(point.labels());
      boolean isSplit = false;
      for (SplitInterval split : splits) {
        if (split.environment().equals(point.environment())
            && split.metric().equals(point.metric())
            && split.from() <= minute
            && minute < split.to()) {
          split.labels().forEach(label -> reduced.remove("metric." + label));
          isSplit = true;
        }
      }
      if (isSplit) {
        add(Source.MINUTES_IN_DETAIL, point, point.labels());
      }
      for (Source source : List.of(Source.MINUTES, Source.HOURS, Source.DAYS)) {
        add(source, point, reduced);
      }
    }
  }

  /** What is stored. */
  public List<Row> rows(Source source) {
    return rows.entrySet().stream()
        .filter(each -> each.getKey().source() == source && each.getKey().metric().isEmpty())
        .flatMap(each -> each.getValue().stream())
        .toList();
  }

  /** From now on the store has only rows of windows that begin in this time. */
  public void keep(Source source, long from, long to) {
    kept.put(source, new IntervalSet.Span(from, to));
  }

  private boolean isKept(Source source, long window) {
    IntervalSet.Span span = kept.get(source);
    return span == null || (span.from() <= window && window < span.to());
  }

  private void add(Source source, RawPoint point, Map<String, String> labels) {
    long width = source.level().width();
    AggregateState figures = AggregateState.of(point.value());
    figures.last = point.value();
    figures.lastAt = point.time().toEpochMilli();
    if (point.bucket() != null) {
      figures.distribution = new Distribution();
      figures.distribution.add("3|" + point.bucket() + ":1", 1);
    }
    Map<String, String> columns = new TreeMap<>(labels);
    columns.put(LabelKey.ENVIRONMENT.value(), point.environment());
    Row row =
        new Row(
            point.organization(),
            point.environment(),
            point.metric(),
            columns,
            point.environment() + new TreeMap<>(labels),
            Math.floorDiv(point.time().toEpochMilli(), width) * width,
            figures,
            point.bucket());
    for (String metric : List.of("", point.metric())) {
      rows.computeIfAbsent(
              new StoredSource(source, point.organization(), metric), ignored -> new ArrayList<>())
          .add(row);
    }
  }

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    TreeMap<List<String>, TreeMap<Instant, TreeMap<String, AggregateState>>> groups =
        new TreeMap<>(GroupOrder.GROUPS);
    asked++;
    for (Row row : candidates(organization, query)) {
      if (isMeant(query, row)) {
        groups
            .computeIfAbsent(labels(query, row), ignored -> new TreeMap<>())
            .computeIfAbsent(bucket(query, row.window()), ignored -> new TreeMap<>())
            .computeIfAbsent(row.series(), ignored -> new AggregateState())
            .add(row.figures());
      }
    }
    List<StoreRow> answer = new ArrayList<>();
    inOrder(query, groups)
        .limit(query.maxGroups())
        .forEach(
            group ->
                group
                    .getValue()
                    .forEach(
                        (bucket, series) -> answer(query, group.getKey(), bucket, series, answer)));
    return answer;
  }

  private static Stream<Map.Entry<List<String>, TreeMap<Instant, TreeMap<String, AggregateState>>>>
      inOrder(
          StoreQuery query,
          TreeMap<List<String>, TreeMap<Instant, TreeMap<String, AggregateState>>> groups) {
    return query.largestFirst().isEmpty()
        ? groups.entrySet().stream()
        : groups.entrySet().stream()
            .sorted(Comparator.comparingDouble(group -> -value(query, group.getValue())));
  }

  /** Of the only bucket. */
  private static double value(
      StoreQuery query, TreeMap<Instant, TreeMap<String, AggregateState>> buckets) {
    List<StoreRow> rows = new ArrayList<>();
    answer(query, List.of(), Instant.EPOCH, buckets.firstEntry().getValue(), rows);
    AggregateState figures = rows.get(0).figures();
    return switch (query.largestFirst().orElseThrow()) {
      case SUM -> figures.sum;
      case COUNT -> figures.count;
      case MIN -> figures.min;
      case MAX -> figures.max;
      case LAST, DISTRIBUTION -> throw new IllegalArgumentException("No order of groups");
    };
  }

  private static void answer(
      StoreQuery query,
      List<String> labels,
      Instant bucket,
      Map<String, AggregateState> series,
      List<StoreRow> answer) {
    if (query.shape() instanceof Shape.BySeries) {
      series.forEach((id, each) -> answer.add(new StoreRow(bucket, labels, id, only(query, each))));
      return;
    }
    AggregateState all = new AggregateState();
    for (AggregateState each : series.values()) {
      all.add(
          query.shape() instanceof Shape.SeriesFirst first
              ? AggregateState.of(each.value(first.function()))
              : each);
    }
    answer.add(new StoreRow(bucket, labels, "", only(query, all)));
  }

  /** What was not asked for is not answered. */
  private static AggregateState only(StoreQuery query, AggregateState all) {
    AggregateState figures = new AggregateState();
    for (AggregateColumn figure : query.figures()) {
      switch (figure) {
        case SUM -> figures.sum = all.sum;
        case COUNT -> figures.count = all.count;
        case MIN -> figures.min = all.min;
        case MAX -> figures.max = all.max;
        case LAST -> {
          figures.last = all.last;
          figures.lastAt = all.lastAt;
        }
        case DISTRIBUTION -> figures.distribution = all.distribution;
      }
    }
    return figures;
  }

  private List<Row> candidates(TenantId organization, StoreQuery query) {
    return rows.getOrDefault(
        new StoredSource(query.part().source(), organization.value(), query.metric().orElse("")),
        List.of());
  }

  /** How many questions were answered. */
  public int asked() {
    return asked;
  }

  private boolean isMeant(StoreQuery query, Row row) {
    ScanSpec part = query.part();
    boolean isIn = part.environments().contains(row.environment()) != part.except();
    return isKept(part.source(), row.window())
        && (part.environments().isEmpty() || isIn)
        && isIn(part.spans(), row.window())
        && query.filter().map(filter -> filter.matches(row.labels())).orElse(true)
        && query
            .after()
            .map(after -> GroupOrder.GROUPS.compare(labels(query, row), after) > 0)
            .orElse(true);
  }

  private static boolean isIn(IntervalSet spans, long window) {
    for (IntervalSet.Span span : spans.list()) {
      if (span.from() <= window && window < span.to()) {
        return true;
      }
    }
    return false;
  }

  private static List<String> labels(StoreQuery query, Row row) {
    List<String> labels = new ArrayList<>();
    for (LabelKey key : query.groupBy()) {
      labels.add(row.labels().get(key.value()));
    }
    return Collections.unmodifiableList(labels);
  }

  private static Instant bucket(StoreQuery query, long window) {
    return query
        .granularity()
        .width()
        .map(
            width ->
                Instant.ofEpochMilli(Math.floorDiv(window, width.toMillis()) * width.toMillis()))
        .orElseGet(() -> query.part().spans().intervals().get(0).start());
  }

  @Override
  public long estimate(TenantId organization, StoreQuery query) {
    return candidates(organization, query).stream().filter(row -> isMeant(query, row)).count();
  }

  @Override
  public int pieces(TenantId organization, StoreQuery query) {
    return 1;
  }
}
