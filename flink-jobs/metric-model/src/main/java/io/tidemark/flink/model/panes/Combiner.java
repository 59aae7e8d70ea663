package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Combines the points of one reader per series and minute, until {@link #flush} writes them into
 * one bundle per key group. What is combined is in no state: flush before every checkpoint barrier,
 * and before a watermark that completes a minute.
 *
 * <p>Cumulative readings are not combined; their order decides what they mean.
 */
public final class Combiner {

  /** A descriptor is sent again after this time; receivers remember for {@link #REMEMBERED}. */
  static final Duration ANNOUNCED = Duration.ofHours(1);

  /**
   * The second time sooner: a series that met a full budget for new ones need not wait for long.
   */
  static final Duration SECOND_TIME = Duration.ofMinutes(5);

  /** How long a receiver keeps a series without use, at least. */
  static final Duration REMEMBERED = Duration.ofHours(2);

  private static final int MOST_PARTIALS = 131_072;
  private static final int MOST_READING_BYTES = 8 << 20;
  private static final int MOST_BUCKETS = 2 << 20;

  /**
   * Partials of one series and minute may be several; they add up. So a search need not be long.
   */
  private static final int LONGEST_SEARCH = 32;

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  /** How far the next place of a search lies: neighbouring slots keep neighbouring places. */
  private static final int STRIDE = 0x9E35;

  private static final int NONE = -1;
  private static final long NEVER = Long.MIN_VALUE;

  /**
   * The batch that readings came with.
   *
   * @param partition source partition
   * @param offset source offset
   * @param batchId batch id
   * @param receivedAtUnixMs receive time
   */
  public record Batch(int partition, long offset, String batchId, long receivedAtUnixMs) {}

  private final int keyGroups;
  private final Bundle[] bundles;
  private final Consumer<byte[]> out;
  private IntConsumer announced = slot -> {};

  // By slot.
  private int series;
  private long[] highs = new long[256];
  private long[] lows = new long[256];
  private int[] groups = new int[256];
  private long[] announcedAt = new long[256];
  private int[] newest = new int[256];
  private final List<SeriesDescriptor> descriptors = new ArrayList<>();
  private final List<TenantLimits> limits = new ArrayList<>();

  // By partial.
  private int size;
  private int[] slots = new int[1024];
  private int[] table = emptyTable(1024);
  private long[] minutes = new long[1024];
  private double[] sums = new double[1024];
  private long[] counts = new long[1024];
  private double[] minima = new double[1024];
  private double[] maxima = new double[1024];
  private double[] lasts = new double[1024];
  private long[] lastTimes = new long[1024];

  /** Empty or null where a partial has none; used again after a flush. */
  private @Nullable Distribution[] distributions = new Distribution[0];

  private int buckets;
  private long readingBytes;

  public Combiner(int keyGroups, Consumer<byte[]> out) {
    this.keyGroups = keyGroups;
    this.out = out;
    this.bundles = new Bundle[keyGroups];
    for (int group = 0; group < keyGroups; group++) {
      bundles[group] = new Bundle(group);
    }
  }

  /** Slots known so far. */
  public int seriesCount() {
    return series;
  }

  /**
   * Makes the next slot known.
   *
   * @param tenant the limits that the receiver holds the series against
   */
  public void addSeries(SeriesKey key, SeriesDescriptor descriptor, TenantLimits tenant) {
    if (series == highs.length) {
      int capacity = series * 2;
      highs = Arrays.copyOf(highs, capacity);
      lows = Arrays.copyOf(lows, capacity);
      groups = Arrays.copyOf(groups, capacity);
      announcedAt = Arrays.copyOf(announcedAt, capacity);
      newest = Arrays.copyOf(newest, capacity);
    }
    highs[series] = key.high();
    lows[series] = key.low();
    groups[series] = Bundle.keyGroupOf(key.high(), key.low(), keyGroups);
    announcedAt[series] = NEVER;
    newest[series] = NONE;
    descriptors.add(descriptor);
    limits.add(tenant);
    series++;
  }

  /** Forgets every slot. Flush first. */
  public void forget() {
    series = 0;
    descriptors.clear();
    limits.clear();
  }

  /** Whether it is time to {@link #flush}. */
  public boolean isFull() {
    return size >= MOST_PARTIALS || readingBytes >= MOST_READING_BYTES || buckets >= MOST_BUCKETS;
  }

  public boolean isEmpty() {
    return size == 0 && readingBytes == 0;
  }

  public void addValue(int slot, long timeUnixNano, double value) {
    long minute = MinuteGrid.minuteOf(timeUnixNano);
    int i = newest[slot];
    if (i == NONE || minutes[i] != minute) {
      i = find(slot, minute);
    }
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

  /**
   * Many observations at once; figures that are absent are NaN.
   *
   * @param distribution the observations by bucket, only lent; null when not known
   */
  public void addObservations(
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
      double total = Figures.added(sums[i], sum);
      if (!Double.isInfinite(total) && counts[i] + count >= 0) {
        sums[i] = total;
        counts[i] += count;
        minima[i] = Figures.least(minima[i], min);
        maxima[i] = Figures.greatest(maxima[i], max);
        addDistribution(i, distribution);
        return;
      }
    }
    open(slot, minute, sum, count, min, max, Double.NaN, 0);
    addDistribution(size - 1, distribution);
  }

  public void addReading(
      int slot,
      Batch batch,
      int index,
      long timeUnixNano,
      long startUnixNano,
      double sum,
      long count,
      @Nullable Distribution distribution,
      long layout,
      long now) {
    Bundle bundle = announced(slot, now);
    int before = bundle.size();
    bundle.reading(
        highs[slot],
        lows[slot],
        batch,
        index,
        timeUnixNano,
        startUnixNano,
        sum,
        count,
        distribution,
        layout);
    readingBytes += bundle.size() - before;
  }

  /**
   * A reading of a series that has no series of its own at the receiver.
   *
   * @param into slot of the series that it counts for
   */
  public void addFoldedReading(
      int slot,
      int into,
      Batch batch,
      int index,
      long timeUnixNano,
      long startUnixNano,
      double sum,
      long count,
      @Nullable Distribution distribution,
      long layout,
      long now) {
    Bundle bundle = bundles[groups[slot]];
    int before = bundle.size();
    if (isAnnouncementDue(slot, now)) {
      // Rows of the same series may come from several key groups; they add up.
      announce(bundle, into);
      bundle.folded(highs[slot], lows[slot], highs[into], lows[into]);
    }
    bundle.reading(
        highs[slot],
        lows[slot],
        batch,
        index,
        timeUnixNano,
        startUnixNano,
        sum,
        count,
        distribution,
        layout);
    readingBytes += bundle.size() - before;
  }

  /** Announces a series anew when it is used next, with other limits. */
  public void announceAgain(int slot, TenantLimits tenant) {
    limits.set(slot, tenant);
    announcedAt[slot] = NEVER;
  }

  /** Whether the series was announced at or after a time. */
  public boolean isAnnouncedSince(int slot, long time) {
    return announcedAt[slot] != NEVER && announcedAt[slot] >= time;
  }

  /** Sends everything. */
  public void flush(long now) {
    for (int i = 0; i < size; i++) {
      int slot = slots[i];
      Bundle bundle = announced(slot, now);
      if (counts[i] == 1 && lastTimes[i] != 0) {
        bundle.value(highs[slot], lows[slot], lastTimes[i], lasts[i]);
      } else {
        bundle.partial(
            highs[slot],
            lows[slot],
            minutes[i],
            sums[i],
            counts[i],
            minima[i],
            maxima[i],
            lasts[i],
            lastTimes[i],
            distribution(i));
      }
      newest[slot] = NONE;
    }
    clearDistributions();
    Arrays.fill(table, NONE);
    size = 0;
    readingBytes = 0;
    for (Bundle bundle : bundles) {
      byte[] bytes = bundle.take();
      if (bytes != null) {
        out.accept(bytes);
      }
    }
  }

  private Bundle announced(int slot, long now) {
    Bundle bundle = bundles[groups[slot]];
    if (isAnnouncementDue(slot, now)) {
      announce(bundle, slot);
    }
    return bundle;
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

  private @Nullable Distribution distribution(int i) {
    Distribution known = i < distributions.length ? distributions[i] : null;
    return known == null || known.isEmpty() ? null : known;
  }

  private void clearDistributions() {
    for (int i = 0; i < Math.min(size, distributions.length); i++) {
      Distribution known = distributions[i];
      if (known != null) {
        known.clear();
      }
    }
    buckets = 0;
  }

  /** Whoever wants to know which series are in use: called for every announcement. */
  public void onAnnounced(IntConsumer listener) {
    announced = listener;
  }

  private void announce(Bundle bundle, int slot) {
    announced.accept(slot);
    byte[] descriptor = DescriptorBytes.encode(descriptors.get(slot));
    bundle.series(highs[slot], lows[slot], limits.get(slot), descriptor);
  }

  /** Whether the receiver has to be told of a series; it is from now on. */
  private boolean isAnnouncementDue(int slot, long now) {
    long announced = announcedAt[slot];
    if (announced == NEVER) {
      announcedAt[slot] = now - ANNOUNCED.toMillis() + SECOND_TIME.toMillis();
      return true;
    }
    if (now - announced >= ANNOUNCED.toMillis()) {
      announcedAt[slot] = now;
      return true;
    }
    return false;
  }

  private int find(int slot, long minute) {
    int place = place(slot, minute);
    return place == NONE ? NONE : table[place];
  }

  /** Where a partial is or would be in the table; none after a long search. */
  private int place(int slot, long minute) {
    int mask = table.length - 1;
    // A batch mostly has neighbouring slots, all of one minute.
    int place = (int) (minute * MIX >>> 32) + slot & mask;
    for (int step = 0; step < LONGEST_SEARCH; step++) {
      int i = table[place];
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
    newest[slot] = i;
    remember(i);
    sums[i] = sum;
    counts[i] = count;
    minima[i] = min;
    maxima[i] = max;
    lasts[i] = last;
    lastTimes[i] = lastTime;
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
    table = emptyTable(capacity);
    for (int i = 0; i < size; i++) {
      remember(i);
    }
  }

  private void remember(int i) {
    int place = place(slots[i], minutes[i]);
    if (place != NONE) {
      table[place] = i;
    }
  }

  private static int[] emptyTable(int partials) {
    int[] table = new int[2 * partials];
    Arrays.fill(table, NONE);
    return table;
  }
}
