package io.tidemark.flink.rollup.orders;

import io.tidemark.flink.rollup.orders.SentPoint.Kind;
import io.tidemark.flink.rollup.orders.SentPoint.Labels;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One series of one sender: what it measures, and what its points say of it. */
final class Series {

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long LONGEST_LIFE_MS = 20 * 60_000L;

  private final Random random;
  private final Kind kind;
  private final String metric;
  private final Labels labels;
  private final double scale;
  private final boolean isWhole;
  private final boolean isSigned;
  private final boolean tellsStart;
  private final Instrument instrument;
  private final Set<Long> times = new HashSet<>();
  private long startMs;
  private double total;
  private long lastMs;

  Series(Random random, Kind kind, String metric, Labels labels, long beginMs) {
    this.random = random;
    this.kind = kind;
    this.metric = metric;
    this.labels = labels;
    this.scale = Math.pow(10, random.nextInt(12) - 3);
    this.isWhole = random.nextBoolean();
    this.isSigned = random.nextInt(4) == 0;
    this.tellsStart = random.nextInt(4) > 0;
    this.instrument = new Instrument(random, kind);
    this.startMs = beginMs - random.nextInt((int) LONGEST_LIFE_MS);
    this.total = isWhole ? random.nextInt(1_000) : random.nextDouble() * scale;
  }

  boolean isOf(String otherMetric, Labels otherLabels) {
    return metric.equals(otherMetric) && labels.equals(otherLabels);
  }

  /** The process begins anew. */
  void restart() {
    startMs = Math.max(startMs, lastMs + 1);
    total = 0;
    instrument.clear();
  }

  /** Null when the clock says a time that the series had before. */
  @Nullable SentPoint measure(long clockMs) {
    long timeMs = clockMs + random.nextInt(900);
    if (!times.add(timeMs)) {
      return null;
    }
    lastMs = Math.max(lastMs, timeMs);
    long timeNanos = timeMs * NANOS_PER_MILLI + random.nextInt((int) NANOS_PER_MILLI);
    long startNanos = kind.isRunning() && !tellsStart ? 0 : startMs * NANOS_PER_MILLI;
    boolean isRecorded = random.nextInt(50) > 0;
    boolean hasObservations = kind.hasObservations();
    return new SentPoint(
        kind,
        metric,
        labels,
        startNanos,
        timeNanos,
        isRecorded,
        hasObservations ? 0 : number(),
        hasObservations ? observations() : null);
  }

  private double number() {
    return switch (kind) {
      case GAUGE ->
          switch (random.nextInt(40)) {
            case 0 -> Double.NaN;
            case 1 -> Double.POSITIVE_INFINITY;
            case 2 -> -0.0;
            default -> signed();
          };
      case LEVEL -> signed();
      case DELTA_COUNTER -> drawn();
      case TOTAL -> total += random.nextInt(5) == 0 ? 0 : drawn();
      case DELTA_HISTOGRAM, TOTAL_HISTOGRAM, DELTA_EXPONENTIAL, TOTAL_EXPONENTIAL, SUMMARY ->
          throw new IllegalStateException("has observations");
    };
  }

  private SentHistogram observations() {
    if (!kind.isRunning()) {
      instrument.clear();
    }
    if (random.nextInt(60) == 0) {
      instrument.changeBuckets();
    }
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      instrument.observe(random.nextInt(20) == 0 ? 0 : isSigned ? signed() : drawn());
    }
    return instrument.sent(random.nextInt(60) == 0);
  }

  private double signed() {
    return random.nextBoolean() ? drawn() : -drawn();
  }

  private double drawn() {
    return isWhole ? random.nextInt(1_000_000) : random.nextDouble() * scale;
  }
}
