package io.tidemark.flink.model.panes;

import io.tidemark.flink.model.cumulative.UsedReadings;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import org.jspecify.annotations.Nullable;

/** A series that a key group knows, and what is remembered about it besides open panes. */
public final class RolledSeries {

  final long high;
  final long low;
  final byte[] descriptor;
  final int index;

  /** Cells and waiting readings that need this series. */
  int uses;

  /** Processing time of its last bundle. */
  long seenAt;

  /** Of cumulative series, the readings that later ones are compared with. */
  @Nullable UsedReadings used;

  /** Processing time of the last reading. */
  long usedAt;

  private byte @Nullable [] rowText;

  RolledSeries(long high, long low, byte[] descriptor, int index, long seenAt) {
    this.high = high;
    this.low = low;
    this.descriptor = descriptor;
    this.index = index;
    this.seenAt = seenAt;
  }

  public SeriesKey key() {
    return new SeriesKey(high, low);
  }

  /** The tenant; decoded anew by every call. */
  public String organizationId() {
    return DescriptorBytes.organizationOf(descriptor);
  }

  /** Decoded anew by every call. */
  public SeriesDescriptor descriptor() {
    return DescriptorBytes.decode(descriptor);
  }

  MetricKind kind() {
    return DescriptorBytes.kindOf(descriptor);
  }

  /** What a sink keeps to write rows of this series, or null. */
  public byte @Nullable [] rowText() {
    return rowText;
  }

  public void keepRowText(byte[] text) {
    rowText = text;
  }
}
