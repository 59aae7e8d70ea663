package io.tidemark.platform.query.application;

import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.completeness.ReadProgress;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.query.domain.Answer.Completeness;
import io.tidemark.platform.query.domain.BucketState;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/**
 * How complete the answer to one query is: the rule of readers in {@code
 * pipeline/v1/progress.proto}. The watermark is taken before the rows are read, so that it never
 * says more than they hold, and again afterwards: rows of a store that lost some in between are not
 * taken for whole.
 */
final class CompletenessEvaluator {

  /** How old rows have to be to be taken for whole while the pipeline's progress is not known. */
  private static final Duration SURELY_WRITTEN = Duration.ofHours(1);

  private final TenantId organization;
  private final PipelineProgress progress;
  private final ReadProgress read;
  private Optional<Instant> watermark;
  private final Map<Level, NavigableMap<Long, Map<String, Long>>> late = new EnumMap<>(Level.class);
  private List<ScanSpec> parts = List.of();
  private Set<String> metrics = Set.of();

  CompletenessEvaluator(TenantId organization, PipelineProgress progress) {
    this.organization = organization;
    this.progress = progress;
    this.watermark = progress.completeUntil(organization);
    this.read = progress.read();
  }

  /**
   * Start of the first minute that may still lack rows. A watermark stands anywhere in a minute,
   * and its minute is not complete before it has passed the end.
   */
  Instant firstOpenMinute(Instant now) {
    return watermark.orElse(now.minus(SURELY_WRITTEN)).truncatedTo(ChronoUnit.MINUTES);
  }

  /**
   * To be told when the rows of these parts were read.
   *
   * @param metrics whose rows; empty for all
   */
  void read(List<ScanSpec> parts, Set<String> metrics) {
    this.parts = parts;
    this.metrics = metrics;
    Optional<Instant> afterwards = progress.completeUntil(organization);
    watermark =
        watermark.flatMap(
            before -> afterwards.map(after -> after.isBefore(before) ? after : before));
    for (Level level : Level.values()) {
      late.put(level, progress.lateRows(organization, level));
    }
  }

  /**
   * Of the whole answer.
   *
   * @param minutes all minutes asked for
   * @param end of the intervals
   * @param open how minutes that are not complete are answered
   */
  Completeness of(IntervalSet minutes, Instant end, OpenMinutesState open) {
    long revisions = 0;
    for (Level level : Level.values()) {
      revisions += lateRows(level, minutes).values().stream().mapToLong(Long::longValue).sum();
    }
    BucketState state =
        isOpen(minutes)
            ? BucketState.PROVISIONAL
            : revisions > 0 ? BucketState.REVISED : BucketState.FINAL;
    return new Completeness(
        watermark,
        watermark.map(time -> time.isBefore(end) ? time : end),
        state,
        revisions,
        state == BucketState.PROVISIONAL ? Optional.of(open) : Optional.empty(),
        read.until(),
        read.isBehind());
  }

  /** Of one bucket. */
  BucketState ofBucket(IntervalSet minutes) {
    if (isOpen(minutes)) {
      return BucketState.PROVISIONAL;
    }
    for (Level level : Level.values()) {
      if (!lateRows(level, minutes).isEmpty()) {
        return BucketState.REVISED;
      }
    }
    return BucketState.FINAL;
  }

  private boolean isOpen(IntervalSet minutes) {
    return !minutes.isEmpty()
        && (watermark.isEmpty() || !minutes.from(watermark.get().toEpochMilli()).isEmpty());
  }

  /** Late rows of windows at the level that answered for their time. */
  private NavigableMap<Long, Long> lateRows(Level level, IntervalSet minutes) {
    NavigableMap<Long, Long> found = new java.util.TreeMap<>();
    IntervalSet read =
        parts.stream()
            .filter(part -> part.source().level() == level)
            .map(ScanSpec::spans)
            .reduce(IntervalSet.NONE, IntervalSet::plus)
            .and(minutes);
    for (IntervalSet.Span span : read.list()) {
      late.getOrDefault(level, java.util.Collections.emptyNavigableMap())
          .subMap(span.from(), true, span.to(), false)
          .forEach(
              (window, byMetric) -> {
                long rows = rowsOfMetrics(byMetric);
                if (rows > 0) {
                  found.put(window, rows);
                }
              });
    }
    return found;
  }

  /** Rows of any metrics may be of these. */
  private long rowsOfMetrics(Map<String, Long> byMetric) {
    long rows = 0;
    for (Map.Entry<String, Long> each : byMetric.entrySet()) {
      if (metrics.isEmpty() || each.getKey().isEmpty() || metrics.contains(each.getKey())) {
        rows += each.getValue();
      }
    }
    return rows;
  }
}
