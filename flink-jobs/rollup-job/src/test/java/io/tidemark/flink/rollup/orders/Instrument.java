package io.tidemark.flink.rollup.orders;

import io.tidemark.flink.rollup.orders.SentHistogram.Buckets;
import io.tidemark.flink.rollup.orders.SentHistogram.Explicit;
import io.tidemark.flink.rollup.orders.SentHistogram.Exponential;
import io.tidemark.flink.rollup.orders.SentHistogram.Side;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sender's histogram or summary: what was observed since it began. Senders differ in what they
 * tell of it, and may change their buckets on the way.
 */
final class Instrument {

  private static final int FINEST_SCALE = 20;

  /** As the SDKs: with more buckets of one sign the scale is lowered. */
  private static final int MAX_BUCKETS = 160;

  private static final List<List<Double>> BOUNDS =
      List.of(
          List.of(0., 5., 10., 25., 50., 75., 100., 250., 500., 750., 1e3, 2.5e3, 5e3, 7.5e3, 1e4),
          List.of(.005, .01, .025, .05, .1, .25, .5, 1., 2.5, 5., 10.),
          List.of(1., 2., 4., 8., 16., 1024., 65536., 131072., 524288.),
          List.of(-1e5, -100., -10., 0., 10., 100., 1e5),
          List.of(-1e6, -1024., -8., -3.),
          List.of(-3., 7., 1e300),
          List.of(10.),
          List.of());

  private final Random random;
  private final boolean isExponential;
  private final boolean hasBuckets;
  private final boolean hasSum;
  private final boolean hasExtremes;
  private final List<Double> values = new ArrayList<>();
  private List<Double> bounds;
  private int firstScale;
  private int scale;

  Instrument(Random random, SentPoint.Kind kind) {
    this.random = random;
    this.isExponential = kind.isExponential();
    // Summaries have no buckets, and always a sum.
    boolean isSummary = kind == SentPoint.Kind.SUMMARY;
    this.hasBuckets = random.nextInt(8) > 0 && !isSummary;
    this.hasSum = random.nextInt(5) > 0 || isSummary;
    this.hasExtremes = random.nextInt(5) > 0;
    this.bounds = anyBounds();
    this.firstScale = anyScale();
    this.scale = firstScale;
  }

  void observe(double value) {
    values.add(value);
  }

  /** What was observed so far is told, or the process began anew. */
  void clear() {
    values.clear();
    scale = firstScale;
  }

  /** From now on with other buckets; what was observed is put into them. */
  void changeBuckets() {
    bounds = anyBounds();
    firstScale = anyScale();
    scale = Math.min(scale, firstScale);
  }

  /**
   * @param isDamaged whether the count is to contradict the buckets
   */
  SentHistogram sent(boolean isDamaged) {
    boolean isEmpty = values.isEmpty();
    return new SentHistogram(
        values.size() + (isDamaged ? 1 : 0),
        hasSum ? values.stream().mapToDouble(Double::doubleValue).sum() : null,
        hasExtremes && !isEmpty ? Collections.min(values) : null,
        hasExtremes && !isEmpty ? Collections.max(values) : null,
        hasBuckets ? buckets() : null);
  }

  private Buckets buckets() {
    return isExponential ? exponential() : explicit();
  }

  private Explicit explicit() {
    long[] counts = new long[bounds.size() + 1];
    for (double value : values) {
      int place = 0;
      while (place < bounds.size() && value > bounds.get(place)) {
        place++;
      }
      counts[place]++;
    }
    List<Long> listed = new ArrayList<>();
    for (long count : counts) {
      listed.add(count);
    }
    return new Explicit(bounds, listed);
  }

  private Exponential exponential() {
    @Nullable Side positive = null;
    @Nullable Side negative = null;
    while (positive == null || negative == null) {
      positive = side(1);
      negative = side(-1);
      if (positive == null || negative == null) {
        scale--;
      }
    }
    long zeros = values.stream().filter(value -> value == 0).count();
    return new Exponential(scale, zeros, positive, negative);
  }

  /** Null when the scale is too fine for what was observed. */
  private @Nullable Side side(int sign) {
    NavigableMap<Integer, Long> counts = new TreeMap<>();
    for (double value : values) {
      if (value * sign > 0) {
        counts.merge(index(value * sign) >> (FINEST_SCALE - scale), 1L, Long::sum);
      }
    }
    if (counts.isEmpty()) {
      return new Side(0, List.of());
    }
    if (counts.lastKey() - counts.firstKey() >= MAX_BUCKETS) {
      return null;
    }
    List<Long> listed = new ArrayList<>();
    for (int index = counts.firstKey(); index <= counts.lastKey(); index++) {
      listed.add(counts.getOrDefault(index, 0L));
    }
    return new Side(counts.firstKey(), listed);
  }

  private static int index(double value) {
    return (int) Math.ceil(Math.log(value) / Math.log(2) * (1 << FINEST_SCALE)) - 1;
  }

  private List<Double> anyBounds() {
    return BOUNDS.get(random.nextInt(BOUNDS.size()));
  }

  private int anyScale() {
    return random.nextInt(3) == 0 ? FINEST_SCALE : random.nextInt(9) - 2;
  }
}
