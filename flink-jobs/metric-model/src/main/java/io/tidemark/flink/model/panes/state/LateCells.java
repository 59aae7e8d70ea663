package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Figures of minutes that the watermark has passed, as they came. A late point is mostly alone in
 * its cell, so no pane is opened for it: it waits in flat arrays that are used again, and what
 * belongs to one cell is found by sorting when all of them go.
 */
final class LateCells {

  /** As many wait at most; their places need {@link #PLACE_BITS}. */
  static final int MAX = 4_096;

  /** With more cells than these, adding up makes too little room for what it costs. */
  private static final int CROWDED = MAX / 4 * 3;

  private static final int PLACE_BITS = 16;
  private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;
  private static final int FIRST_CAPACITY = 16;
  private static final int DOUBLES = 4;
  private static final int LONGS = 2;

  /** A minute with late figures, until its rows are out. */
  static final class Minute {
    final long start;
    final LateCount told = new LateCount();

    /** Where its rows go next. */
    @Nullable OpenPane hour;

    /** Where its figures join others, if it is held; they are no rows then. */
    @Nullable OpenPane held;

    /** When the last figures came. */
    long addedAt;

    private int rank;

    private Minute(long start) {
      this.start = start;
    }
  }

  private final NavigableMap<Long, Minute> minutes = new TreeMap<>();
  private @Nullable Minute latest;
  private long emitAt;

  private int size;
  private SeriesState[] series = new SeriesState[FIRST_CAPACITY];
  private Minute[] minuteOf = new Minute[FIRST_CAPACITY];

  /** Sum, min, max, last. */
  private double[] doubles = new double[FIRST_CAPACITY * DOUBLES];

  /** Count, time of last. */
  private long[] longs = new long[FIRST_CAPACITY * LONGS];

  /** Null while none has one. */
  private @Nullable Distribution @Nullable [] distributions;

  // Of the walk over the cells: cell above, place below.
  private long[] order = new long[FIRST_CAPACITY];
  private int next;
  private int current;
  private final PaneAggregate added = new PaneAggregate();
  private final PaneChunk sum = new PaneChunk(0, 1);

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size == MAX;
  }

  /** Whether most of the room is taken. */
  boolean isCrowded() {
    return size > CROWDED;
  }

  /** When the first of them has waited long enough. */
  boolean isDue(long now) {
    return size > 0 && emitAt <= now;
  }

  int size() {
    return size;
  }

  /**
   * @param due when they go at the latest, if they are the first
   */
  void add(long minute, SeriesState one, PaneAggregate figures, long due, long now) {
    if (size == 0) {
      emitAt = due;
    }
    if (size == series.length) {
      grow();
    }
    int place = size++;
    series[place] = one;
    one.uses++;
    Minute of = minute(minute);
    of.addedAt = now;
    minuteOf[place] = of;
    write(place, figures);
  }

  /** Adds up what belongs to one cell, which makes room. Not during a walk over the cells. */
  void combine() {
    BitSet gone = new BitSet(size);
    sort(false);
    for (current = 0; current < size; current = next) {
      next = current + 1;
      if (isOfCurrent(next)) {
        combineCurrent(gone);
      }
    }
    int kept = 0;
    for (int place = 0; place < size; place++) {
      if (!gone.get(place)) {
        move(place, kept++);
      }
    }
    forgetFrom(kept);
  }

  /** Into the first place; where a sum has no place in a double, the rest goes into another. */
  private void combineCurrent(BitSet gone) {
    int into = placeOf(current);
    read(into, added);
    startSum(added);
    for (; isOfCurrent(next); next++) {
      int place = placeOf(next);
      read(place, added);
      if (sum.add(0, added)) {
        series[place].uses--;
        gone.set(place);
      } else {
        writeSum(into);
        into = place;
        read(into, added);
        startSum(added);
      }
    }
    writeSum(into);
  }

  /** The minutes there are, ascending. */
  Collection<Minute> minutes() {
    return minutes.values();
  }

  /**
   * Begins to walk over the cells.
   *
   * @param isByMinute one minute after the other; otherwise one series after the other by rank, and
   *     the minutes of a series ascending
   */
  void sort(boolean isByMinute) {
    int rank = 0;
    for (Minute minute : minutes.values()) {
      minute.rank = rank++;
    }
    for (int place = 0; place < size; place++) {
      long ofSeries = series[place].rank;
      long cell =
          isByMinute
              ? (long) minuteOf[place].rank << 31 | ofSeries
              : ofSeries << PLACE_BITS | minuteOf[place].rank;
      order[place] = cell << PLACE_BITS | place;
    }
    Arrays.sort(order, 0, size);
    next = 0;
  }

  /**
   * The next cell; false when there is none any more.
   *
   * @param into its figures, only lent
   */
  boolean next(PaneAggregate into) {
    if (next == size) {
      return false;
    }
    current = next;
    read(placeOf(next++), into);
    if (isOfCurrent(next)) {
      addUp(into);
    }
    return true;
  }

  SeriesState series() {
    return series[placeOf(current)];
  }

  Minute minute() {
    return minuteOf[placeOf(current)];
  }

  /** Whether this cell is more of the one before, because their sum has no place in a double. */
  boolean isContinued() {
    return current > 0 && isOfCurrent(current - 1);
  }

  /** After the walk. */
  void clear() {
    for (int place = 0; place < size; place++) {
      series[place].uses--;
    }
    forgetFrom(0);
    distributions = null;
    minutes.clear();
    latest = null;
  }

  private void forgetFrom(int place) {
    Arrays.fill(series, place, size, null);
    Arrays.fill(minuteOf, place, size, null);
    if (distributions != null) {
      Arrays.fill(distributions, Math.min(place, distributions.length), distributions.length, null);
    }
    size = place;
  }

  private void addUp(PaneAggregate into) {
    startSum(into);
    for (; isOfCurrent(next); next++) {
      read(placeOf(next), added);
      if (!sum.add(0, added)) {
        break;
      }
    }
    sum.read(0, into);
  }

  private void startSum(PaneAggregate figures) {
    if (sum.has(0)) {
      sum.set(0, figures);
    } else {
      sum.add(0, figures);
    }
  }

  private void writeSum(int place) {
    sum.read(0, added);
    write(place, added);
  }

  private boolean isOfCurrent(int other) {
    return other < size && order[other] >>> PLACE_BITS == order[current] >>> PLACE_BITS;
  }

  private int placeOf(int position) {
    return (int) (order[position] & PLACE_MASK);
  }

  private void read(int place, PaneAggregate into) {
    int d = place * DOUBLES;
    into.sum = doubles[d];
    into.min = doubles[d + 1];
    into.max = doubles[d + 2];
    into.last = doubles[d + 3];
    into.count = longs[place * LONGS];
    into.lastTimeUnixNano = longs[place * LONGS + 1];
    into.distribution =
        distributions != null && place < distributions.length ? distributions[place] : null;
  }

  private void write(int place, PaneAggregate figures) {
    int d = place * DOUBLES;
    doubles[d] = figures.sum;
    doubles[d + 1] = figures.min;
    doubles[d + 2] = figures.max;
    doubles[d + 3] = figures.last;
    longs[place * LONGS] = figures.count;
    longs[place * LONGS + 1] = figures.lastTimeUnixNano;
    if (figures.distribution != null) {
      keep(place, figures.distribution);
    }
  }

  private void move(int from, int to) {
    series[to] = series[from];
    minuteOf[to] = minuteOf[from];
    System.arraycopy(doubles, from * DOUBLES, doubles, to * DOUBLES, DOUBLES);
    System.arraycopy(longs, from * LONGS, longs, to * LONGS, LONGS);
    if (distributions != null && to < distributions.length) {
      distributions[to] = from < distributions.length ? distributions[from] : null;
    }
  }

  /** Batches bring many figures of one minute. */
  private Minute minute(long start) {
    Minute known = latest;
    if (known == null || known.start != start) {
      known = minutes.computeIfAbsent(start, Minute::new);
      latest = known;
    }
    return known;
  }

  private void keep(int place, Distribution distribution) {
    if (distributions == null) {
      distributions = new Distribution[series.length];
    } else if (place >= distributions.length) {
      distributions = Arrays.copyOf(distributions, series.length);
    }
    distributions[place] = distribution.copy();
  }

  private void grow() {
    int capacity = Math.min(MAX, size * 2);
    series = Arrays.copyOf(series, capacity);
    minuteOf = Arrays.copyOf(minuteOf, capacity);
    doubles = Arrays.copyOf(doubles, capacity * DOUBLES);
    longs = Arrays.copyOf(longs, capacity * LONGS);
    order = Arrays.copyOf(order, capacity);
  }
}
