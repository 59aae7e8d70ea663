package io.tidemark.platform.metricstore.iceberg;

import io.tidemark.platform.metricstore.AggregateColumn;
import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.GroupOrder;
import io.tidemark.platform.metricstore.StoreQuery;
import io.tidemark.platform.metricstore.StoreQuery.Shape;
import io.tidemark.platform.metricstore.StoreRow;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds rows up by group, bucket and, where the question is about series, series. Groups that come
 * after as many as are wanted are let go at once. Mutable.
 */
final class LakeGroups {

  /** A distribution takes the memory of so many other figures. */
  private static final int WEIGHT_OF_DISTRIBUTION = 8;

  private final StoreQuery query;
  private final boolean bySeries;
  private final int maxEntries;
  private final TreeMap<List<@Nullable String>, TreeMap<Long, Map<String, AggregateState>>> groups =
      new TreeMap<>(GroupOrder.GROUPS);
  private @Nullable List<@Nullable String> end;
  private int entries;

  /**
   * Nothing yet.
   *
   * @param maxEntries most figures that are held at a time
   */
  LakeGroups(StoreQuery query, int maxEntries) {
    this.query = query;
    this.bySeries = !(query.shape() instanceof Shape.Flat);
    this.maxEntries =
        query.figures().contains(AggregateColumn.DISTRIBUTION)
            ? maxEntries / WEIGHT_OF_DISTRIBUTION
            : maxEntries;
  }

  /** Whether rows of a group can be part of the answer. */
  boolean wants(List<@Nullable String> labels) {
    return (end == null || GroupOrder.GROUPS.compare(labels, end) < 0)
        && query.after().map(after -> GroupOrder.GROUPS.compare(labels, after) > 0).orElse(true);
  }

  /**
   * Where figures of a row belong, to be added to.
   *
   * @param window its start, in milliseconds
   * @throws ProblemException {@code result_too_large}
   */
  AggregateState place(List<@Nullable String> labels, long window, String series) {
    AggregateState figures =
        groups
            .computeIfAbsent(labels, ignored -> new TreeMap<>())
            .computeIfAbsent(bucket(window), ignored -> new HashMap<>())
            .computeIfAbsent(
                bySeries ? series : "",
                ignored -> {
                  entries++;
                  return new AggregateState();
                });
    if (groups.size() > query.maxGroups()) {
      var last = groups.pollLastEntry();
      end = last.getKey();
      last.getValue().values().forEach(each -> entries -= each.size());
    }
    if (entries > maxEntries) {
      throw ProblemException.of(
          ErrorCode.RESULT_TOO_LARGE,
          "More than "
              + maxEntries
              + " figures of the lake would be added up at a time. Narrow the filter or the"
              + " intervals, use a coarser granularity or fewer group_by labels.");
    }
    return figures;
  }

  private long bucket(long window) {
    return query
        .granularity()
        .width()
        .map(width -> Math.floorDiv(window, width.toMillis()) * width.toMillis())
        .orElseGet(() -> query.part().spans().list().get(0).from());
  }

  /** The answer, in the order of groups. */
  List<StoreRow> rows() {
    List<StoreRow> rows = new ArrayList<>();
    groups.forEach(
        (List<@Nullable String> labels, TreeMap<Long, Map<String, AggregateState>> buckets) ->
            buckets.forEach(
                (bucket, series) -> answer(labels, Instant.ofEpochMilli(bucket), series, rows)));
    return rows;
  }

  private void answer(
      List<@Nullable String> labels,
      Instant bucket,
      Map<String, AggregateState> series,
      List<StoreRow> rows) {
    if (query.shape() instanceof Shape.SeriesFirst first) {
      AggregateState all = new AggregateState();
      for (AggregateState each : series.values()) {
        double value = each.value(first.function());
        if (Double.isFinite(value)) {
          all.add(AggregateState.of(value));
        }
      }
      rows.add(new StoreRow(bucket, labels, "", all));
    } else {
      series.forEach((id, figures) -> rows.add(new StoreRow(bucket, labels, id, figures)));
    }
  }
}
