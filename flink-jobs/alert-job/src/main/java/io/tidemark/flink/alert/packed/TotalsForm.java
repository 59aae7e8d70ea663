package io.tidemark.flink.alert.packed;

import io.tidemark.flink.model.alert.MinuteTotals;

/** Totals in bytes: a gauge with one value takes about six. Whole numbers are written as such. */
public final class TotalsForm {

  private static final int WHOLE_SUM = 1;
  private static final int WHOLE_MIN = 1 << 1;
  private static final int WHOLE_MAX = 1 << 2;
  private static final int WHOLE_LAST = 1 << 3;

  /** Least, greatest and last value are the sum. */
  private static final int ONE_VALUE = 1 << 4;

  /** There is no least, greatest and last value. */
  private static final int NO_VALUES = 1 << 5;

  private static final int BUCKETS = 1 << 6;

  private static final double MAX_WHOLE = 1L << 53;
  private static final int[] NO_BUCKETS = {};
  private static final long[] NO_COUNTS = {};

  private TotalsForm() {}

  /**
   * @param start of the minute; the reader has to know it
   */
  public static void write(PackedOutput out, MinuteTotals totals, long start) {
    double sum = totals.sum();
    double min = totals.min();
    double max = totals.max();
    double last = totals.last();
    int flags = isWhole(sum) ? WHOLE_SUM : 0;
    boolean isOne = isSame(sum, min) && isSame(sum, max) && isSame(sum, last);
    boolean isNone = !isOne && Double.isNaN(min) && Double.isNaN(max) && Double.isNaN(last);
    flags |= isOne ? ONE_VALUE : 0;
    flags |= isNone ? NO_VALUES : 0;
    if (!isOne && !isNone) {
      flags |= isWhole(min) ? WHOLE_MIN : 0;
      flags |= isWhole(max) ? WHOLE_MAX : 0;
      flags |= isWhole(last) ? WHOLE_LAST : 0;
    }
    int[] buckets = totals.buckets();
    flags |= buckets.length > 0 ? BUCKETS : 0;
    out.writeByte(flags);
    number(out, sum, flags & WHOLE_SUM);
    out.writeSigned(totals.count());
    out.writeSigned(totals.lastTime() - start);
    if (!isOne && !isNone) {
      number(out, min, flags & WHOLE_MIN);
      number(out, max, flags & WHOLE_MAX);
      number(out, last, flags & WHOLE_LAST);
    }
    if (buckets.length > 0) {
      out.writeUnsigned(buckets.length);
      int before = 0;
      for (int i = 0; i < buckets.length; i++) {
        out.writeSigned((long) buckets[i] - before);
        out.writeSigned(totals.counts()[i]);
        before = buckets[i];
      }
    }
  }

  public static MinuteTotals read(PackedInput in, long start) {
    int flags = in.readByte();
    double sum = number(in, flags & WHOLE_SUM);
    long count = in.readSigned();
    long lastTime = in.readSigned() + start;
    double min = sum;
    double max = sum;
    double last = sum;
    if ((flags & NO_VALUES) != 0) {
      min = Double.NaN;
      max = Double.NaN;
      last = Double.NaN;
    } else if ((flags & ONE_VALUE) == 0) {
      min = number(in, flags & WHOLE_MIN);
      max = number(in, flags & WHOLE_MAX);
      last = number(in, flags & WHOLE_LAST);
    }
    int[] buckets = NO_BUCKETS;
    long[] counts = NO_COUNTS;
    if ((flags & BUCKETS) != 0) {
      int size = in.readCount();
      buckets = new int[size];
      counts = new long[size];
      int before = 0;
      for (int i = 0; i < size; i++) {
        before += (int) in.readSigned();
        buckets[i] = before;
        counts[i] = in.readSigned();
      }
    }
    return new MinuteTotals(sum, count, min, max, last, lastTime, buckets, counts);
  }

  private static boolean isSame(double one, double other) {
    return Double.doubleToRawLongBits(one) == Double.doubleToRawLongBits(other);
  }

  /** Minus zero is none: it would lose its sign. */
  static boolean isWhole(double value) {
    return Math.abs(value) < MAX_WHOLE && isSame(value, (double) (long) value);
  }

  private static void number(PackedOutput out, double value, int isWhole) {
    if (isWhole != 0) {
      out.writeSigned((long) value);
    } else {
      out.writeDouble(value);
    }
  }

  private static double number(PackedInput in, int isWhole) {
    return isWhole != 0 ? in.readSigned() : in.readDouble();
  }
}
