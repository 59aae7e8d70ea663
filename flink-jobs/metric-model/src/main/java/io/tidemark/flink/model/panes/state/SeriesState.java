package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.cumulative.ReadingHistory;
import io.tidemark.flink.model.route.RouteInterval;
import io.tidemark.flink.model.route.Routes;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * State of one series of a key group, besides its open panes. A folded series has no descriptor and
 * no figures of its own: what comes counts for another series.
 */
public final class SeriesState {

  private static final byte[] NOTHING = new byte[0];
  private static final SeriesHead NO_HEAD = new SeriesHead(NOTHING);

  final long high;
  final long low;
  final int index;

  /** Place among the series of its key group, by {@link SeriesTable#arrange}. */
  int rank;

  private SeriesHead head = NO_HEAD;
  private byte[] attributes = NOTHING;

  /** The series that a folded one counts for; null when it counts for itself. */
  @Nullable SeriesState into;

  /** Of many series in one there is no last value. */
  boolean hasLast = true;

  /** Cells and waiting readings that need this series. */
  int uses;

  /** Processing time of its last bundle. */
  long seenAt;

  /** Of cumulative series, the readings that later ones are compared with. */
  @Nullable ReadingHistory used;

  /** Processing time of the last reading. */
  long usedAt;

  /** Where {@link Reduction} adds its figures. */
  int reducedSlot;

  int reducedGeneration;
  @Nullable RouteInterval reducedBy;

  /** Hours since the Unix epoch, as {@link #shownIn}. */
  private int shownIn;

  /** Not described yet. */
  SeriesState(long high, long low, int index, long seenAt) {
    this.high = high;
    this.low = low;
    this.index = index;
    this.seenAt = seenAt;
  }

  /** The series that figures of this one count for. */
  public SeriesState counted() {
    return into == null ? this : into;
  }

  boolean isFolded() {
    return into != null;
  }

  void foldInto(SeriesState overflow) {
    head = NO_HEAD;
    attributes = NOTHING;
    into = overflow;
    overflow.uses++;
  }

  /** As {@link DescriptorBytes} tell it; it counts for itself. */
  void describe(byte[] descriptor, SeriesHeads heads) {
    if (into != null) {
      into.uses--;
      into = null;
    }
    int length = DescriptorBytes.attributesAt(descriptor);
    head = heads.shared(descriptor, length);
    attributes = Arrays.copyOfRange(descriptor, length, descriptor.length);
  }

  /** Bytes of {@link #putDescriptor}. */
  int descriptorLength() {
    return head.bytes.length + attributes.length;
  }

  void putDescriptor(ByteBuffer out) {
    out.put(head.bytes).put(attributes);
  }

  /** The interval that splits a minute of its metric, or null. */
  @Nullable RouteInterval splitAt(long minute, Routes routes) {
    return routes.isEmpty() ? null : head.splitAt(minute, routes, this);
  }

  public SeriesKey key() {
    return new SeriesKey(high, low);
  }

  /** The tenant. */
  public String organizationId() {
    return counted().head.organizationId();
  }

  /** The metric's name, decoded anew by every call. */
  public String metric() {
    return DescriptorBytes.metricOf(counted().head.bytes);
  }

  /** Decoded anew by every call; of a folded series that of the series it counts for. */
  public SeriesDescriptor descriptor() {
    SeriesState counted = counted();
    ByteBuffer whole = ByteBuffer.allocate(counted.descriptorLength());
    counted.putDescriptor(whole);
    return DescriptorBytes.decode(whole.array());
  }

  MetricKind kind() {
    return DescriptorBytes.kindOf(counted().head.bytes);
  }

  public SeriesHead head() {
    return head;
  }

  /**
   * The hour, counted since the Unix epoch, in which a sink showed the series to who counts series;
   * 0 before the first. No state: a restart begins with 0.
   */
  public int shownIn() {
    return shownIn;
  }

  public void keepShownIn(int hour) {
    shownIn = hour;
  }

  /** Its attributes as in {@link DescriptorBytes}; not to be changed. */
  public byte[] attributes() {
    return attributes;
  }
}
