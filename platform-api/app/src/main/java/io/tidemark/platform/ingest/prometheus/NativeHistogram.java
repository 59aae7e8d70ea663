package io.tidemark.platform.ingest.prometheus;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.tidemark.contracts.prometheus.BucketSpan;
import io.tidemark.contracts.prometheus.Histogram;
import io.tidemark.platform.ingest.domain.PointRules;
import io.tidemark.platform.ingest.domain.RejectionReason;
import java.util.List;
import java.util.Optional;

/**
 * A native histogram as OTLP has it. Buckets of a schema of -4 to 8 are those of an exponential
 * histogram of that scale, one number lower; custom buckets are those of a histogram with bounds.
 */
final class NativeHistogram {

  private static final int CUSTOM_BUCKETS = -53;
  private static final int MIN_SCHEMA = -4;
  private static final int MAX_SCHEMA = 8;

  /** All finite numbers lie within 1,100 powers of two on either side of 1. */
  private static final int MAX_BUCKET = 1_100 << MAX_SCHEMA;

  private final Histogram histogram;
  private final RemoteWriteLimits limits;

  NativeHistogram(Histogram histogram, RemoteWriteLimits limits) {
    this.histogram = histogram;
    this.limits = limits;
  }

  boolean isStale() {
    return PointRules.isStaleMarker(histogram.getSum());
  }

  PointKind kind() {
    return histogram.getSchema() == CUSTOM_BUCKETS
        ? PointKind.HISTOGRAM
        : PointKind.EXPONENTIAL_HISTOGRAM;
  }

  /** Why it cannot be taken. OTLP has neither fractional counts nor histograms that go down. */
  Optional<RejectionReason> fault(PointRules rules) {
    if (isStale()) {
      return Optional.empty();
    }
    int schema = histogram.getSchema();
    if (histogram.getCountCase() == Histogram.CountCase.COUNT_FLOAT
        || histogram.getZeroCountCase() == Histogram.ZeroCountCase.ZERO_COUNT_FLOAT
        || histogram.getResetHint() == Histogram.ResetHint.RESET_HINT_GAUGE
        || (schema != CUSTOM_BUCKETS && (schema < MIN_SCHEMA || schema > MAX_SCHEMA))) {
      return Optional.of(RejectionReason.METRIC_TYPE_UNSUPPORTED);
    }
    Optional<RejectionReason> sum = rules.finite(histogram.getSum());
    if (sum.isPresent()) {
      return sum;
    }
    return isWhole() ? Optional.empty() : Optional.of(RejectionReason.HISTOGRAM_INVALID);
  }

  private boolean isWhole() {
    long positive = inBuckets(histogram.getPositiveSpansList(), histogram.getPositiveDeltasList());
    long negative = inBuckets(histogram.getNegativeSpansList(), histogram.getNegativeDeltasList());
    long zero = histogram.getZeroCountInt();
    long count = histogram.getCountInt();
    if (positive < 0 || negative < 0 || zero < 0 || count < 0) {
      return false;
    }
    // Each is below 2^62, so that three of them cannot come round to a right total.
    if (Math.max(positive, Math.max(negative, zero)) >> 61 != 0
        || positive + negative + zero != count) {
      return false;
    }
    return histogram.getSchema() == CUSTOM_BUCKETS
        ? zero == 0 && negative == 0 && boundsFit()
        : histogram.getZeroThreshold() >= 0 && Double.isFinite(histogram.getZeroThreshold());
  }

  /** The sum of all buckets; negative when spans and differences do not fit. */
  private long inBuckets(List<BucketSpan> spans, List<Long> deltas) {
    long width = 0;
    long buckets = 0;
    for (int i = 0; i < spans.size(); i++) {
      BucketSpan span = spans.get(i);
      if (span.getLength() < 0
          || (i > 0 && span.getOffset() < 0)
          || Math.abs((long) span.getOffset()) > MAX_BUCKET) {
        return -1;
      }
      buckets += span.getLength();
      width += span.getLength() + (i == 0 ? 0L : span.getOffset());
    }
    if (buckets != deltas.size() || width > limits.buckets()) {
      return -1;
    }
    long total = 0;
    long bucket = 0;
    for (long delta : deltas) {
      bucket += delta;
      total += bucket;
      if (bucket < 0 || bucket >> 61 != 0 || total >> 61 != 0) {
        return -1;
      }
    }
    return total;
  }

  private boolean boundsFit() {
    int bounds = histogram.getCustomValuesCount();
    if (bounds > limits.buckets()) {
      return false;
    }
    for (int i = 0; i < bounds; i++) {
      double bound = histogram.getCustomValues(i);
      if (!Double.isFinite(bound) || (i > 0 && !(bound > histogram.getCustomValues(i - 1)))) {
        return false;
      }
    }
    List<BucketSpan> spans = histogram.getPositiveSpansList();
    if (spans.isEmpty()) {
      return true;
    }
    long first = spans.get(0).getOffset();
    long last = first;
    for (int i = 0; i < spans.size(); i++) {
      last += spans.get(i).getLength() + (i == 0 ? 0L : spans.get(i).getOffset());
    }
    // One bucket more than bounds.
    return first >= 0 && last <= bounds + 1L;
  }

  /**
   * The point without attributes and exemplars, encoded; only when there is no fault.
   *
   * @param start nanoseconds since the Unix epoch, 0 for unknown
   */
  byte[] point(long start, long time) {
    return kind() == PointKind.HISTOGRAM ? withBounds(start, time) : exponential(start, time);
  }

  private byte[] withBounds(long start, long time) {
    HistogramDataPoint.Builder point =
        HistogramDataPoint.newBuilder().setStartTimeUnixNano(start).setTimeUnixNano(time);
    if (isStale()) {
      return point.setFlags(PointKind.NO_RECORDED_VALUE).build().toByteArray();
    }
    point.setCount(histogram.getCountInt()).setSum(histogram.getSum());
    long[] buckets = new long[histogram.getCustomValuesCount() + 1];
    int at = 0;
    int delta = 0;
    long bucket = 0;
    for (BucketSpan span : histogram.getPositiveSpansList()) {
      at += span.getOffset();
      for (int i = 0; i < span.getLength(); i++) {
        bucket += histogram.getPositiveDeltas(delta++);
        buckets[at++] = bucket;
      }
    }
    for (long count : buckets) {
      point.addBucketCounts(count);
    }
    return point.addAllExplicitBounds(histogram.getCustomValuesList()).build().toByteArray();
  }

  private byte[] exponential(long start, long time) {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(start)
            .setTimeUnixNano(time);
    if (isStale()) {
      return point.setFlags(PointKind.NO_RECORDED_VALUE).build().toByteArray();
    }
    point
        .setCount(histogram.getCountInt())
        .setSum(histogram.getSum())
        .setScale(histogram.getSchema())
        .setZeroCount(histogram.getZeroCountInt())
        .setZeroThreshold(histogram.getZeroThreshold());
    if (histogram.getPositiveSpansCount() > 0) {
      buckets(
          histogram.getPositiveSpansList(),
          histogram.getPositiveDeltasList(),
          point.getPositiveBuilder());
    }
    if (histogram.getNegativeSpansCount() > 0) {
      buckets(
          histogram.getNegativeSpansList(),
          histogram.getNegativeDeltasList(),
          point.getNegativeBuilder());
    }
    return point.build().toByteArray();
  }

  /** Prometheus numbers a bucket by its upper bound, OTLP by its lower one. */
  private static void buckets(
      List<BucketSpan> spans,
      List<Long> deltas,
      ExponentialHistogramDataPoint.Buckets.Builder buckets) {
    buckets.setOffset(spans.get(0).getOffset() - 1);
    int delta = 0;
    long bucket = 0;
    for (int i = 0; i < spans.size(); i++) {
      for (int gap = 0; i > 0 && gap < spans.get(i).getOffset(); gap++) {
        buckets.addBucketCounts(0);
      }
      for (int in = 0; in < spans.get(i).getLength(); in++) {
        bucket += deltas.get(delta++);
        buckets.addBucketCounts(bucket);
      }
    }
  }
}
