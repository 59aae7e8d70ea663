package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.cumulative.UsedReadings;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A series that a key group knows, and what is remembered about it besides open panes. A folded
 * series has no descriptor and no figures of its own: what comes counts for another series.
 */
public final class RolledSeries {

  static final byte[] NO_DESCRIPTOR = new byte[0];

  final long high;
  final long low;
  final int index;

  byte[] descriptor;

  /** The series that a folded one counts for; null when it counts for itself. */
  @Nullable RolledSeries into;

  /** Of many series in one there is no last value. */
  boolean hasLast = true;

  /** Cells and waiting readings that need this series. */
  int uses;

  /** Processing time of its last bundle. */
  long seenAt;

  /** Of cumulative series, the readings that later ones are compared with. */
  @Nullable UsedReadings used;

  /** Processing time of the last reading. */
  long usedAt;

  /** Intervals of its metric, as of this version of the routes. */
  private @Nullable NavigableMap<Long, RouteInterval> intervals;

  private long routesVersion = -1;

  /** Where {@link Reduction} adds its figures. */
  int reducedSlot;

  int reducedGeneration;
  @Nullable RouteInterval reducedBy;

  private byte @Nullable [] rowHead;
  private byte @Nullable [] rowTail;

  RolledSeries(long high, long low, byte[] descriptor, int index, long seenAt) {
    this.high = high;
    this.low = low;
    this.descriptor = descriptor;
    this.index = index;
    this.seenAt = seenAt;
  }

  /** The series that figures of this one count for. */
  RolledSeries counted() {
    return into == null ? this : into;
  }

  boolean isFolded() {
    return into != null;
  }

  void foldInto(RolledSeries overflow) {
    descriptor = NO_DESCRIPTOR;
    into = overflow;
    overflow.uses++;
  }

  void unfold(byte[] own) {
    if (into != null) {
      into.uses--;
      into = null;
    }
    descriptor = own;
  }

  /** The interval that splits a minute of its metric, or null. */
  @Nullable RouteInterval splitAt(long minute, Routes routes) {
    if (routes.isEmpty()) {
      return null;
    }
    if (routesVersion != routes.version()) {
      SeriesDescriptor named = descriptor();
      intervals =
          routes.of(
              RouteInterval.metricKey(
                  named.organizationId(), named.environmentId(), named.metric()));
      routesVersion = routes.version();
    }
    return intervals == null ? null : Routes.at(intervals, minute);
  }

  public SeriesKey key() {
    return new SeriesKey(high, low);
  }

  /** The tenant; decoded anew by every call. */
  public String organizationId() {
    return DescriptorBytes.organizationOf(counted().descriptor);
  }

  /** Decoded anew by every call; of a folded series that of the series it counts for. */
  public SeriesDescriptor descriptor() {
    return DescriptorBytes.decode(counted().descriptor);
  }

  MetricKind kind() {
    return DescriptorBytes.kindOf(counted().descriptor);
  }

  /**
   * What a sink keeps to write rows of this series, or null: a part that it shares between series.
   */
  public byte @Nullable [] rowHead() {
    return rowHead;
  }

  /** The rest, or null. */
  public byte @Nullable [] rowTail() {
    return rowTail;
  }

  public void keepRowText(byte[] head, byte[] tail) {
    rowHead = head;
    rowTail = tail;
  }
}
