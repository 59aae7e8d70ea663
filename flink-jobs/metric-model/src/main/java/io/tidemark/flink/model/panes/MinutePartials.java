package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Figures of one series slot and minute each. Partitions are read in turns, some of them minutes
 * ahead of others, so a slot has a direct way to its partials of {@value #WAYS} minutes; older ones
 * are found by a search.
 */
final class MinutePartials {

  private static final int NONE = -1;

  /** Neighbouring minutes of a slot that need no search. */
  private static final int WAYS = 4;

  /**
   * Partials of one series and minute may be several; they add up. So a search need not be long.
   */
  private static final int LONGEST_SEARCH = 32;

  /** Partials that are asked for the middle of all. */
  private static final int SAMPLE = 1_024;

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  /** How far the next place of a search lies: neighbouring slots keep neighbouring places. */
  private static final int STRIDE = 0x9E35;

  /** By slot and way: the partial of the newest minute that has this way. */
  private int[] newest = emptyTable(256 * WAYS);

  // By partial.
  private int size;
  private int[] slots = new int[1024];
  private long[] minutes = new long[1024];
  private double[] sums = new double[1024];
  private long[] counts = new long[1024];
  private double[] minima = new double[1024];
  private double[] maxima = new double[1024];
  private double[] lasts = new double[1024];
  private long[] lastTimes = new long[1024];

  /** Empty or null where a partial has none; used again. */
  private @Nullable Distribution[] distributions = new Distribution[0];

  private int buckets;

  /** Partials that are not the newest of their way. */
  private int[] older = emptyTable(2048);

  private boolean hasOlder;

  int size() {
    return size;
  }

  /** Of all distributions. */
  int buckets() {
    return buckets;
  }

  int slot(int i) {
    return slots[i];
  }

  long minute(int i) {
    return minutes[i];
  }

  /** Before the first partial of a slot. */
  void makeRoomFor(int slot) {
    if ((slot + 1) * WAYS > newest.length) {
      int from = newest.length;
      newest = Arrays.copyOf(newest, from * 2);
      Arrays.fill(newest, from, newest.length, NONE);
    }
  }

  void addValue(int slot, long timeUnixNano, double value) {
    long minute = MinuteGrid.minuteOf(timeUnixNano);
    int i = find(slot, minute);
    if (i != NONE) {
      double sum = sums[i] + value;
      if (!Double.isInfinite(sum)) {
        sums[i] = sum;
        counts[i]++;
        if (value < minima[i]) {
          minima[i] = value;
        }
        if (value > maxima[i]) {
          maxima[i] = value;
        }
        if (timeUnixNano >= lastTimes[i]) {
          lasts[i] = value;
          lastTimes[i] = timeUnixNano;
        }
        return;
      }
    }
    open(slot, minute, value, 1, value, value, value, timeUnixNano);
  }

  void addObservations(
      int slot,
      long timeUnixNano,
      double sum,
      long count,
      double min,
      double max,
      @Nullable Distribution distribution) {
    long minute = MinuteGrid.minuteOf(timeUnixNano);
    int i = find(slot, minute);
    if (i != NONE) {
      double total = PaneAggregate.added(sums[i], sum);
      if (!Double.isInfinite(total) && counts[i] + count >= 0) {
        sums[i] = total;
        counts[i] += count;
        minima[i] = PaneAggregate.least(minima[i], min);
        maxima[i] = PaneAggregate.max(maxima[i], max);
        addDistribution(i, distribution);
        return;
      }
    }
    open(slot, minute, sum, count, min, max, Double.NaN, 0);
    addDistribution(size - 1, distribution);
  }

  /** How many partials are of a minute or later ones. */
  int countFrom(long minute) {
    int found = 0;
    for (int i = 0; i < size; i++) {
      found += minutes[i] >= minute ? 1 : 0;
    }
    return found;
  }

  /**
   * About half of the partials are before it, if they are of many minutes; there is one at least.
   */
  long middleMinute() {
    int step = size / SAMPLE + 1;
    long[] sample = new long[(size + step - 1) / step];
    for (int i = 0; i < sample.length; i++) {
      sample[i] = minutes[i * step];
    }
    Arrays.sort(sample);
    return sample[sample.length / 2];
  }

  /** Writes one for the receiver, which takes it away. */
  void write(int i, Bundle bundle, long high, long low) {
    if (counts[i] == 1 && lastTimes[i] != 0) {
      bundle.value(high, low, lastTimes[i], lasts[i]);
      return;
    }
    Distribution distribution = i < distributions.length ? distributions[i] : null;
    bundle.partial(
        high,
        low,
        minutes[i],
        sums[i],
        counts[i],
        minima[i],
        maxima[i],
        lasts[i],
        lastTimes[i],
        distribution == null || distribution.isEmpty() ? null : distribution);
  }

  /** Removes everything before a minute. */
  void removeBefore(long minute) {
    if (hasOlder) {
      Arrays.fill(older, NONE);
      hasOlder = false;
    }
    buckets = 0;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int way = way(slots[i], minutes[i]);
      boolean isNewest = newest[way] == i;
      if (minutes[i] >= minute) {
        move(i, kept);
        if (isNewest) {
          newest[way] = kept;
        } else {
          rememberOlder(kept);
        }
        kept++;
      } else {
        if (isNewest) {
          newest[way] = NONE;
        }
        if (i < distributions.length && distributions[i] != null) {
          distributions[i].clear();
        }
      }
    }
    size = kept;
  }

  private void move(int from, int to) {
    if (from < distributions.length) {
      Distribution moved = distributions[from];
      distributions[from] = distributions[to];
      distributions[to] = moved;
      buckets += moved == null ? 0 : moved.size();
    }
    slots[to] = slots[from];
    minutes[to] = minutes[from];
    sums[to] = sums[from];
    counts[to] = counts[from];
    minima[to] = minima[from];
    maxima[to] = maxima[from];
    lasts[to] = lasts[from];
    lastTimes[to] = lastTimes[from];
  }

  private void addDistribution(int i, @Nullable Distribution added) {
    if (added == null) {
      return;
    }
    if (i >= distributions.length) {
      distributions = Arrays.copyOf(distributions, slots.length);
    }
    Distribution known = distributions[i];
    if (known == null) {
      known = new Distribution();
      distributions[i] = known;
    }
    int before = known.size();
    known.add(added);
    buckets += known.size() - before;
  }

  private static int way(int slot, long minute) {
    return slot * WAYS + ((int) (minute / MinuteGrid.MINUTE_MS) & WAYS - 1);
  }

  private int find(int slot, long minute) {
    int i = newest[way(slot, minute)];
    if (i == NONE || minutes[i] == minute) {
      return i;
    }
    // A minute after the newest of its way is new.
    if (minutes[i] < minute || !hasOlder) {
      return NONE;
    }
    int place = place(slot, minute);
    return place == NONE ? NONE : older[place];
  }

  /** Where an older partial is or would be; none after a long search. */
  private int place(int slot, long minute) {
    int mask = older.length - 1;
    // A batch mostly has neighbouring slots, all of one minute.
    int place = (int) (minute * MIX >>> 32) + slot & mask;
    for (int step = 0; step < LONGEST_SEARCH; step++) {
      int i = older[place];
      if (i == NONE || (slots[i] == slot && minutes[i] == minute)) {
        return place;
      }
      place = place + STRIDE & mask;
    }
    return NONE;
  }

  private void open(
      int slot,
      long minute,
      double sum,
      long count,
      double min,
      double max,
      double last,
      long lastTime) {
    if (size == slots.length) {
      grow();
    }
    int i = size++;
    slots[i] = slot;
    minutes[i] = minute;
    sums[i] = sum;
    counts[i] = count;
    minima[i] = min;
    maxima[i] = max;
    lasts[i] = last;
    lastTimes[i] = lastTime;
    int way = way(slot, minute);
    int before = newest[way];
    if (before != NONE && minutes[before] > minute) {
      rememberOlder(i);
      return;
    }
    newest[way] = i;
    if (before != NONE && minutes[before] < minute) {
      rememberOlder(before);
    }
  }

  private void grow() {
    int capacity = size * 2;
    slots = Arrays.copyOf(slots, capacity);
    minutes = Arrays.copyOf(minutes, capacity);
    sums = Arrays.copyOf(sums, capacity);
    counts = Arrays.copyOf(counts, capacity);
    minima = Arrays.copyOf(minima, capacity);
    maxima = Arrays.copyOf(maxima, capacity);
    lasts = Arrays.copyOf(lasts, capacity);
    lastTimes = Arrays.copyOf(lastTimes, capacity);
    older = emptyTable(2 * capacity);
    hasOlder = false;
    for (int i = 0; i < size; i++) {
      if (newest[way(slots[i], minutes[i])] != i) {
        rememberOlder(i);
      }
    }
  }

  private void rememberOlder(int i) {
    hasOlder = true;
    int place = place(slots[i], minutes[i]);
    if (place != NONE) {
      older[place] = i;
    }
  }

  private static int[] emptyTable(int size) {
    int[] table = new int[size];
    Arrays.fill(table, NONE);
    return table;
  }
}
