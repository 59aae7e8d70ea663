package io.tidemark.flink.model.cumulative;

import io.tidemark.flink.model.cumulative.CumulativeToDelta.Baseline;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Counted;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.OutOfOrder;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Outcome;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Overflow;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.distribution.VarLongs;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last readings of one cumulative series that were used, at most {@value #MAX}, in event order.
 * What they add is a function of the readings alone, not of the order in which they come: a reading
 * that comes late splits the delta that bridged it, by a correction at the time of the reading
 * after it. Readings older than the oldest remembered have no place any more; the deltas that
 * bridged them stay as they are, so totals do. State of the rollup job.
 */
public final class ReadingHistory {

  /**
   * Remembered readings. At a step of 10 s late by two and a half minutes, at 60 s by a quarter of
   * an hour.
   */
  public static final int MAX = 16;

  private static final int LARGEST_FIXED = 1 + 5 * VarLongs.LARGEST;
  private static final double EXACT_WHOLE = 1L << 53;

  private static final CumulativeReference NOTHING = new CumulativeReference(0, 0, 0, 0);
  private static final int HAS_WHOLE_SUM = 1;
  private static final int HAS_BUCKETS = 2;
  private static final int HAS_DIFFERENT_LAYOUT = 4;

  /** What became of a reading. */
  public enum Placing {
    /** It was used, and what it changed was given to the deltas. */
    COUNTED,
    /** It was used as the reference of the next, and adds nothing. */
    BASELINE,
    /** It was used before. */
    REPEATED,
    /** It is older than the memory, or contradicts what was used. */
    OUT_OF_ORDER,
    /** A difference to it is not a finite number. */
    OVERFLOW
  }

  /** Receives what a reading changes: its own delta, and corrections of the one after it. */
  public interface Deltas {
    void add(long timeUnixNano, Contribution delta);
  }

  // By place in event order. In columns, because a series may have many readings and there may be
  // many series; those that most kinds do not need are left out.
  private long[] times = new long[2];
  private long[] starts = new long[2];
  private double[] sums = new double[2];
  private long @Nullable [] counts;
  private long @Nullable [] layouts;
  private @Nullable Distribution @Nullable [] distributions;
  private int size;

  /** Whether there were readings before the first that is remembered. */
  private boolean hasForgotten;

  public int size() {
    return size;
  }

  /** For a trial: what is done to it changes nothing here. */
  public ReadingHistory copy() {
    ReadingHistory copy = new ReadingHistory();
    copy.times = times.clone();
    copy.starts = starts.clone();
    copy.sums = sums.clone();
    copy.counts = counts == null ? null : counts.clone();
    copy.layouts = layouts == null ? null : layouts.clone();
    copy.distributions = distributions == null ? null : distributions.clone();
    copy.size = size;
    copy.hasForgotten = hasForgotten;
    return copy;
  }

  /** Puts a reading in its place. Unless it is used, nothing changes. */
  public Placing place(
      MetricKind kind, long timeUnixNano, CumulativeReading reading, Deltas deltas) {
    int place = size;
    while (place > 0 && times[place - 1] >= timeUnixNano) {
      place--;
    }
    @Nullable CumulativeReference after = place < size ? at(place) : null;
    if (after != null && after.timeUnixNano() == timeUnixNano) {
      boolean isRepeated =
          CumulativeToDelta.next(after, kind, timeUnixNano, reading)
              instanceof CumulativeToDelta.Repeated;
      return isRepeated ? Placing.REPEATED : Placing.OUT_OF_ORDER;
    }
    if (place == 0 && hasForgotten) {
      return Placing.OUT_OF_ORDER;
    }
    @Nullable CumulativeReference before = place == 0 ? null : at(place - 1);
    Outcome outcome = CumulativeToDelta.next(before, kind, timeUnixNano, reading);
    if (outcome instanceof Overflow) {
      return Placing.OVERFLOW;
    }
    if (outcome instanceof Counted counted) {
      return use(kind, place, before, counted.reference(), after, counted.contribution(), deltas);
    }
    if (outcome instanceof Baseline baseline) {
      return use(kind, place, before, baseline.reference(), after, null, deltas);
    }
    return Placing.OUT_OF_ORDER;
  }

  private Placing use(
      MetricKind kind,
      int place,
      @Nullable CumulativeReference before,
      CumulativeReference used,
      @Nullable CumulativeReference after,
      @Nullable Contribution delta,
      Deltas deltas) {
    if (after != null) {
      Outcome now = CumulativeToDelta.next(used, kind, after);
      if (now instanceof OutOfOrder) {
        return Placing.OUT_OF_ORDER;
      }
      @Nullable Contribution grown = contribution(now);
      @Nullable Contribution bridged = contribution(CumulativeToDelta.next(before, kind, after));
      Contribution correction = difference(grown, bridged);
      if (now instanceof Overflow || Double.isInfinite(correction.sum())) {
        return Placing.OVERFLOW;
      }
      // Growth by nothing counts too: the minute says 0, whichever of the two readings came first.
      boolean isCountedNow = bridged == null && grown != null;
      if (isCountedNow || !isNothing(correction)) {
        deltas.add(after.timeUnixNano(), correction);
      }
    }
    if (delta != null) {
      deltas.add(used.timeUnixNano(), delta);
    }
    remember(place, used);
    return delta == null ? Placing.BASELINE : Placing.COUNTED;
  }

  /** The bytes of {@link #decode}. */
  public byte[] encode() {
    int largest = 1 + VarLongs.LARGEST;
    for (int i = 0; i < size; i++) {
      Distribution distribution = at(i).distribution();
      largest += LARGEST_FIXED + (distribution == null ? 0 : distribution.encodedSize());
    }
    ByteBuffer out = ByteBuffer.allocate(largest);
    out.put((byte) (hasForgotten ? 1 : 0));
    VarLongs.put(out, size);
    CumulativeReference previous = NOTHING;
    for (int i = 0; i < size; i++) {
      CumulativeReference reading = at(i);
      encode(previous, reading, out);
      previous = reading;
    }
    byte[] bytes = new byte[out.position()];
    out.flip();
    out.get(bytes);
    return bytes;
  }

  public static ReadingHistory decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    ReadingHistory used = new ReadingHistory();
    used.hasForgotten = in.get() == 1;
    int size = (int) VarLongs.get(in);
    CumulativeReference previous = NOTHING;
    for (int i = 0; i < size; i++) {
      previous = decode(previous, in);
      used.insert(i, previous);
    }
    return used;
  }

  private void remember(int place, CumulativeReference used) {
    if (size < MAX) {
      insert(place, used);
      return;
    }
    hasForgotten = true;
    if (place > 0) {
      move(1, 0, size - 1);
      size--;
      insert(place - 1, used);
    }
  }

  private CumulativeReference at(int i) {
    return new CumulativeReference(
        starts[i],
        times[i],
        sums[i],
        counts == null ? 0 : counts[i],
        distributions == null ? null : distributions[i],
        layouts == null ? BucketLayout.NONE : layouts[i]);
  }

  private void insert(int place, CumulativeReference reading) {
    if (size == times.length) {
      grow(Math.min(size * 2, MAX));
    }
    move(place, place + 1, size - place);
    size++;
    times[place] = reading.timeUnixNano();
    starts[place] = reading.startUnixNano();
    sums[place] = reading.sum();
    if (counts == null && reading.count() != 0) {
      counts = new long[times.length];
    }
    if (counts != null) {
      counts[place] = reading.count();
    }
    if (layouts == null && reading.distribution() != null) {
      distributions = new Distribution[times.length];
      layouts = new long[times.length];
    }
    if (distributions != null && layouts != null) {
      distributions[place] = reading.distribution();
      layouts[place] = reading.layout();
    }
  }

  private void move(int from, int to, int length) {
    System.arraycopy(times, from, times, to, length);
    System.arraycopy(starts, from, starts, to, length);
    System.arraycopy(sums, from, sums, to, length);
    if (counts != null) {
      System.arraycopy(counts, from, counts, to, length);
    }
    if (distributions != null) {
      System.arraycopy(distributions, from, distributions, to, length);
      System.arraycopy(layouts, from, layouts, to, length);
    }
  }

  private void grow(int capacity) {
    times = Arrays.copyOf(times, capacity);
    starts = Arrays.copyOf(starts, capacity);
    sums = Arrays.copyOf(sums, capacity);
    counts = counts == null ? null : Arrays.copyOf(counts, capacity);
    layouts = layouts == null ? null : Arrays.copyOf(layouts, capacity);
    distributions = distributions == null ? null : Arrays.copyOf(distributions, capacity);
  }

  /** Neighbours differ by little: most readings take about ten bytes. */
  private static void encode(
      CumulativeReference previous, CumulativeReference reading, ByteBuffer out) {
    Distribution distribution = reading.distribution();
    boolean isWhole = isWhole(reading.sum()) && isWhole(previous.sum());
    boolean hasDifferentLayout = reading.layout() != previous.layout();
    out.put(
        (byte)
            ((isWhole ? HAS_WHOLE_SUM : 0)
                | (distribution == null ? 0 : HAS_BUCKETS)
                | (hasDifferentLayout ? HAS_DIFFERENT_LAYOUT : 0)));
    VarLongs.put(out, reading.timeUnixNano() - previous.timeUnixNano());
    VarLongs.put(out, reading.startUnixNano() - previous.startUnixNano());
    if (isWhole) {
      VarLongs.put(out, (long) reading.sum() - (long) previous.sum());
    } else {
      out.putDouble(reading.sum());
    }
    VarLongs.put(out, reading.count() - previous.count());
    if (hasDifferentLayout) {
      out.putLong(reading.layout());
    }
    if (distribution != null) {
      Distribution growth = distribution.copy();
      if (previous.distribution() != null) {
        growth.subtract(previous.distribution());
      }
      growth.encode(out);
    }
  }

  private static CumulativeReference decode(CumulativeReference previous, ByteBuffer in) {
    int form = in.get();
    long time = previous.timeUnixNano() + VarLongs.get(in);
    long start = previous.startUnixNano() + VarLongs.get(in);
    double sum =
        (form & HAS_WHOLE_SUM) != 0
            ? (double) ((long) previous.sum() + VarLongs.get(in))
            : in.getDouble();
    long count = previous.count() + VarLongs.get(in);
    long layout = (form & HAS_DIFFERENT_LAYOUT) != 0 ? in.getLong() : previous.layout();
    Distribution distribution = null;
    if ((form & HAS_BUCKETS) != 0) {
      distribution = Distribution.decode(in);
      if (previous.distribution() != null) {
        distribution.add(previous.distribution());
      }
    }
    return new CumulativeReference(start, time, sum, count, distribution, layout);
  }

  private static boolean isWhole(double sum) {
    return Math.abs(sum) <= EXACT_WHOLE && sum == Math.rint(sum);
  }

  private static @Nullable Contribution contribution(Outcome outcome) {
    return outcome instanceof Counted counted ? counted.contribution() : null;
  }

  private static Contribution difference(
      @Nullable Contribution now, @Nullable Contribution before) {
    // Of a sender that tells no sums there is none to correct.
    double sum =
        hasSum(now) || hasSum(before) ? present(now) - present(before) : Contribution.ABSENT;
    long count = (now == null ? 0 : now.count()) - (before == null ? 0 : before.count());
    Distribution distribution = new Distribution();
    if (now != null && now.distribution() != null) {
      distribution.add(now.distribution());
    }
    if (before != null && before.distribution() != null) {
      distribution.subtract(before.distribution());
    }
    return Contribution.ofObservations(count, sum, Contribution.ABSENT, Contribution.ABSENT)
        .with(distribution.isEmpty() ? null : distribution);
  }

  private static boolean hasSum(@Nullable Contribution contribution) {
    return contribution != null && Contribution.isPresent(contribution.sum());
  }

  private static double present(@Nullable Contribution contribution) {
    return contribution != null && hasSum(contribution) ? contribution.sum() : 0;
  }

  private static boolean isNothing(Contribution correction) {
    return !(Math.abs(correction.sum()) > 0)
        && correction.count() == 0
        && correction.distribution() == null;
  }
}
