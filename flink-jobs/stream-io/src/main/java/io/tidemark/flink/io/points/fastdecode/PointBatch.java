package io.tidemark.flink.io.points.fastdecode;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.cumulative.CumulativeReading;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.point.MetricPoint;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.rollup.Contribution;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The usable points of one batch as columns; row {@code i} is one point. Filled again for every
 * batch.
 */
public final class PointBatch {

  /** What a row holds. */
  public enum Form {
    /** One value, in {@code sum}. */
    VALUE,
    /** Many observations: count, sum, min, max and buckets; NaN means absent. */
    OBSERVATIONS,
    /** A running total: start, sum, count and buckets. */
    READING
  }

  /** Nobody compares the buckets of deltas, so what they were does not matter. */
  static final long OF_DELTA = BucketLayout.ofScale(BucketGrid.SCALE);

  private static final Form[] FORMS = Form.values();

  private byte[] forms = new byte[512];
  private int[] slots = new int[512];
  private int[] indexes = new int[512];
  private long[] times = new long[512];
  private long[] starts = new long[512];
  private double[] sums = new double[512];
  private long[] counts = new long[512];
  private double[] minima = new double[512];
  private double[] maxima = new double[512];
  private long[] layouts = new long[512];

  /** Used again; those of rows with layout {@link BucketLayout#NONE} mean nothing. */
  private @Nullable Distribution[] distributions = new Distribution[0];

  private int size;
  private int withoutValue;
  private final @Nullable SentPoints sent;

  PointBatch(boolean keepsSent) {
    sent = keepsSent ? new SentPoints() : null;
  }

  /** The same rows as they were sent; null unless the decoder was told to keep them. */
  public @Nullable SentPoints sent() {
    return sent;
  }

  public int size() {
    return size;
  }

  /** Points whose sender says that no value was recorded; they have no row. */
  public int withoutValue() {
    return withoutValue;
  }

  public Form form(int i) {
    return FORMS[forms[i]];
  }

  public boolean isValue(int i) {
    return forms[i] == 0;
  }

  /** Slot of the series in the {@link SeriesIndex} of the decoder. */
  public int slot(int i) {
    return slots[i];
  }

  /** Place of the point in its batch, from 0. */
  public int index(int i) {
    return indexes[i];
  }

  public long timeUnixNano(int i) {
    return times[i];
  }

  public long startUnixNano(int i) {
    return starts[i];
  }

  public double sum(int i) {
    return sums[i];
  }

  public long count(int i) {
    return counts[i];
  }

  public double min(int i) {
    return minima[i];
  }

  public double max(int i) {
    return maxima[i];
  }

  /** The observations by bucket, valid as long as the batch; null when the point has none. */
  public @Nullable Distribution distribution(int i) {
    return layouts[i] == BucketLayout.NONE ? null : distributions[i];
  }

  /** Of a row with a distribution, what the sender's buckets were. */
  public long layout(int i) {
    return layouts[i];
  }

  /** Row {@code i} as the model's point. */
  public MetricPoint point(int i, PointsRecord record, long receivedAtUnixMs, SeriesIndex series) {
    Form form = form(i);
    return new MetricPoint(
        series.key(slots[i]),
        series.descriptor(slots[i]),
        times[i],
        new SourcePosition(record.partition(), record.offset(), indexes[i]),
        switch (form) {
          case VALUE -> Contribution.ofValue(sums[i]);
          case OBSERVATIONS ->
              Contribution.ofObservations(counts[i], sums[i], minima[i], maxima[i])
                  .with(copyOf(distribution(i)));
          case READING -> null;
        },
        form == Form.READING
            ? new CumulativeReading(
                starts[i],
                sums[i],
                counts[i],
                copyOf(distribution(i)),
                layouts[i],
                record.batchId(),
                receivedAtUnixMs)
            : null);
  }

  private static @Nullable Distribution copyOf(@Nullable Distribution distribution) {
    return distribution == null ? null : distribution.copy();
  }

  void clear() {
    size = 0;
    withoutValue = 0;
    if (sent != null) {
      sent.clear();
    }
  }

  void addWithoutValue() {
    withoutValue++;
  }

  void addValue(int slot, int index, long time, double value) {
    int i = row(Form.VALUE, slot, index, time);
    sums[i] = value;
  }

  void addReading(int slot, int index, long time, long start, double sum, long count) {
    int i = row(Form.READING, slot, index, time);
    starts[i] = start;
    sums[i] = sum;
    counts[i] = count;
  }

  void addObservations(
      int slot, int index, long time, double sum, long count, double min, double max) {
    int i = row(Form.OBSERVATIONS, slot, index, time);
    sums[i] = sum;
    counts[i] = count;
    minima[i] = min;
    maxima[i] = max;
  }

  /** The last row gets a distribution: an empty one, to be filled. */
  Distribution startDistribution(long layout) {
    int i = size - 1;
    layouts[i] = layout;
    if (i >= distributions.length) {
      distributions = Arrays.copyOf(distributions, slots.length);
    }
    Distribution distribution = distributions[i];
    if (distribution == null) {
      distribution = new Distribution();
      distributions[i] = distribution;
    }
    distribution.clear();
    return distribution;
  }

  void add(int slot, MetricPoint point) {
    int index = point.position().index();
    CumulativeReading reading = point.cumulative();
    Contribution contribution = point.contribution();
    if (reading != null) {
      addReading(
          slot,
          index,
          point.timeUnixNano(),
          reading.startUnixNano(),
          reading.sum(),
          reading.count());
      addDistribution(reading.distribution(), reading.layout());
    } else if (contribution != null && Contribution.isPresent(contribution.last())) {
      addValue(slot, index, point.timeUnixNano(), contribution.last());
    } else if (contribution != null) {
      addObservations(
          slot,
          index,
          point.timeUnixNano(),
          contribution.sum(),
          contribution.count(),
          contribution.min(),
          contribution.max());
      addDistribution(contribution.distribution(), OF_DELTA);
    }
  }

  private void addDistribution(@Nullable Distribution distribution, long layout) {
    if (distribution != null) {
      startDistribution(layout).add(distribution);
    }
  }

  private int row(Form form, int slot, int index, long time) {
    if (size == slots.length) {
      grow();
    }
    int i = size++;
    forms[i] = (byte) form.ordinal();
    slots[i] = slot;
    layouts[i] = BucketLayout.NONE;
    indexes[i] = index;
    times[i] = time;
    return i;
  }

  private void grow() {
    int capacity = size * 2;
    forms = Arrays.copyOf(forms, capacity);
    slots = Arrays.copyOf(slots, capacity);
    indexes = Arrays.copyOf(indexes, capacity);
    times = Arrays.copyOf(times, capacity);
    starts = Arrays.copyOf(starts, capacity);
    sums = Arrays.copyOf(sums, capacity);
    counts = Arrays.copyOf(counts, capacity);
    minima = Arrays.copyOf(minima, capacity);
    maxima = Arrays.copyOf(maxima, capacity);
    layouts = Arrays.copyOf(layouts, capacity);
  }
}
