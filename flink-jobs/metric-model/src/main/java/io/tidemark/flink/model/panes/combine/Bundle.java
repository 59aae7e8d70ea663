package io.tidemark.flink.model.panes.combine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.route.RouteInterval;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one key group at once: descriptors of series ahead of their first figures, partial
 * figures of minutes, single values, and cumulative readings as sent. Written and read by the same
 * version of the job only; never stored.
 */
public final class Bundle {

  public static final byte SERIES = 1;
  public static final byte PARTIAL = 2;
  public static final byte VALUE = 3;
  public static final byte BATCH = 4;
  public static final byte READING = 5;
  public static final byte PARTIAL_WITH_BUCKETS = 6;
  public static final byte READING_WITH_BUCKETS = 7;
  public static final byte FOLDED = 8;
  public static final byte ROUTE = 9;

  private static final int LARGEST_FIXED = 96;

  private ByteBuffer out;
  private final int keyGroup;
  private boolean isEmpty = true;
  private int batchPartition = -1;
  private long batchOffset = -1;

  Bundle(int keyGroup) {
    this.keyGroup = keyGroup;
    this.out = ByteBuffer.allocate(1024);
    out.putInt(keyGroup);
  }

  /** Key group that a bundle goes to. */
  public static int keyGroupOf(byte[] bundle) {
    return ByteBuffer.wrap(bundle).getInt();
  }

  /** Key group of a series. Part of the contract with stored state. */
  public static int keyGroupOf(long high, long low, int keyGroups) {
    return (int) Long.remainderUnsigned(high ^ low, keyGroups);
  }

  /** A bundle that tells a key group of a route. */
  public static byte[] ofRoute(int keyGroup, RouteInterval interval) {
    byte[] route = interval.encode();
    Bundle bundle = new Bundle(keyGroup);
    bundle.begin(ROUTE, 0, 0, route.length);
    bundle.out.putInt(route.length).put(route);
    return Objects.requireNonNull(bundle.take());
  }

  boolean isEmpty() {
    return isEmpty;
  }

  int size() {
    return out.position();
  }

  void series(long high, long low, TenantLimits limits, byte[] descriptor) {
    begin(SERIES, high, low, descriptor.length);
    out.putLong(limits.activeSeries()).putLong(limits.newSeriesPerMinute());
    out.putInt(limits.labelsPerSeries()).putInt(limits.labelKeysPerMetric());
    out.putInt(limits.labelValueLength());
    out.putInt(descriptor.length).put(descriptor);
  }

  /** A series without a descriptor of its own: its readings count for another one. */
  void folded(long high, long low, long intoHigh, long intoLow) {
    begin(FOLDED, high, low, 0);
    out.putLong(intoHigh).putLong(intoLow);
  }

  void value(long high, long low, long timeUnixNano, double value) {
    begin(VALUE, high, low, 0);
    out.putLong(timeUnixNano).putDouble(value);
  }

  void partial(
      long high,
      long low,
      long minute,
      double sum,
      long count,
      double min,
      double max,
      double last,
      long lastTimeUnixNano,
      @Nullable Distribution distribution) {
    begin(distribution == null ? PARTIAL : PARTIAL_WITH_BUCKETS, high, low, size(distribution));
    out.putLong(minute).putDouble(sum).putLong(count).putDouble(min).putDouble(max);
    out.putDouble(last).putLong(lastTimeUnixNano);
    if (distribution != null) {
      distribution.encode(out);
    }
  }

  void reading(
      long high,
      long low,
      Combiner.Batch batch,
      int index,
      long timeUnixNano,
      long startUnixNano,
      double sum,
      long count,
      @Nullable Distribution distribution,
      long layout) {
    if (batch.partition() != batchPartition || batch.offset() != batchOffset) {
      batchPartition = batch.partition();
      batchOffset = batch.offset();
      byte[] id = batch.batchId().getBytes(UTF_8);
      begin(BATCH, batch.offset(), batch.receivedAtUnixMs(), id.length);
      out.putInt(batch.partition()).putInt(id.length).put(id);
    }
    begin(distribution == null ? READING : READING_WITH_BUCKETS, high, low, size(distribution));
    out.putInt(index).putLong(timeUnixNano).putLong(startUnixNano).putDouble(sum).putLong(count);
    if (distribution != null) {
      out.putLong(layout);
      distribution.encode(out);
    }
  }

  private static int size(@Nullable Distribution distribution) {
    return distribution == null ? 0 : distribution.encodedSize();
  }

  /** The bytes so far; the bundle is empty afterwards. */
  byte @Nullable [] take() {
    if (isEmpty) {
      return null;
    }
    byte[] bytes = new byte[out.position()];
    out.flip();
    out.get(bytes);
    out.clear();
    out.putInt(keyGroup);
    isEmpty = true;
    batchPartition = -1;
    batchOffset = -1;
    return bytes;
  }

  private void begin(byte form, long first, long second, int variableBytes) {
    int needed = LARGEST_FIXED + variableBytes;
    if (out.remaining() < needed) {
      ByteBuffer larger =
          ByteBuffer.allocate(Math.max(out.capacity() * 2, out.position() + needed));
      out.flip();
      larger.put(out);
      out = larger;
    }
    isEmpty = false;
    out.put(form).putLong(first).putLong(second);
  }
}
