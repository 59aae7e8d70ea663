package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.distribution.Distribution;
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
 * and {@link #flushBefore} a watermark what it completes.
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

  private static final int MAX_PARTIALS = 262_144;
  private static final int MAX_READING_BYTES = 8 << 20;
  private static final int MAX_BUCKETS = 2 << 20;

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
  private final List<SeriesDescriptor> descriptors = new ArrayList<>();
  private final List<TenantLimits> limits = new ArrayList<>();

  private final MinutePartials partials = new MinutePartials();
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
    }
    highs[series] = key.high();
    lows[series] = key.low();
    groups[series] = Bundle.keyGroupOf(key.high(), key.low(), keyGroups);
    announcedAt[series] = NEVER;
    partials.makeRoomFor(series);
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

  /** Whether it is time to {@link #makeRoom}. */
  public boolean isFull() {
    return partials.size() >= MAX_PARTIALS
        || readingBytes >= MAX_READING_BYTES
        || partials.buckets() >= MAX_BUCKETS;
  }

  public boolean isEmpty() {
    return partials.size() == 0 && readingBytes == 0;
  }

  public void addValue(int slot, long timeUnixNano, double value) {
    partials.addValue(slot, timeUnixNano, value);
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
    partials.addObservations(slot, timeUnixNano, sum, count, min, max, distribution);
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
    flushBefore(Long.MAX_VALUE, now);
  }

  /**
   * Sends readings, and figures of the minutes before one: points of later ones are still to come
   * and would be sent beside them.
   */
  public void flushBefore(long minute, long now) {
    for (int i = 0; i < partials.size(); i++) {
      if (partials.minute(i) < minute) {
        int slot = partials.slot(i);
        partials.write(i, announced(slot, now), highs[slot], lows[slot]);
      }
    }
    partials.removeBefore(minute);
    readingBytes = 0;
    for (Bundle bundle : bundles) {
      byte[] bytes = bundle.take();
      if (bytes != null) {
        out.accept(bytes);
      }
    }
  }

  /**
   * Sends the older half, because points of the newer minutes are still to come; everything if
   * these are most of it.
   */
  public void makeRoom(long now) {
    long before = Long.MAX_VALUE;
    if (partials.size() > 0) {
      long middle = partials.middleMinute();
      before = partials.countFrom(middle) <= partials.size() / 4 * 3 ? middle : before;
    }
    flushBefore(before, now);
  }

  private Bundle announced(int slot, long now) {
    Bundle bundle = bundles[groups[slot]];
    if (isAnnouncementDue(slot, now)) {
      announce(bundle, slot);
    }
    return bundle;
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
}
