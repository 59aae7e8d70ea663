package io.tidemark.flink.model.completeness;

import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The rule of readers of the watermarks topic: what an answer says about its buckets, after the
 * records so far.
 */
public final class CompletenessRules {

  private record Row(String organizationId, RollupLevel level, String metric) {}

  private final TenantProgress progress = new TenantProgress();
  private final Map<Row, NavigableSet<Long>> revised = new HashMap<>();

  public void complete(CompletenessStatement statement) {
    progress.apply(statement);
  }

  public void revised(LateRows rows) {
    revised
        .computeIfAbsent(
            new Row(rows.organizationId(), rows.level(), rows.metric()), ignored -> new TreeSet<>())
        .add(rows.window());
  }

  /** Exclusive; {@link Long#MIN_VALUE} when nothing was stated yet. */
  public long completeUntil(String organizationId) {
    return progress.completeUntil(organizationId);
  }

  /**
   * @param metric that is asked for
   * @param level whose rows answer the query
   * @param from start of the bucket
   * @param to its end, exclusive
   */
  public BucketState stateOf(
      String organizationId, String metric, RollupLevel level, long from, long to) {
    if (to > completeUntil(organizationId)) {
      return BucketState.PROVISIONAL;
    }
    boolean isRevised =
        isRevised(new Row(organizationId, level, metric), from, to)
            || isRevised(new Row(organizationId, level, LateRows.ANY), from, to);
    return isRevised ? BucketState.REVISED : BucketState.FINAL;
  }

  private boolean isRevised(Row row, long from, long to) {
    NavigableSet<Long> windows = revised.get(row);
    return windows != null && !windows.subSet(from, true, to, false).isEmpty();
  }
}
