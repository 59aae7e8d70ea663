package io.tidemark.flink.io.live;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.contracts.live.v1.Buckets;
import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.flink.io.rows.DistributionText;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.series.SeriesKey;

/** Cells of one minute and key group on their way to become one record. */
public final class OpenMinuteCells {

  private static final int MAX_CELLS = 1_000;
  private static final int MAX_TEXT = 256 * 1024;

  private final int keyGroup;
  private final long minute;
  private final Snapshot.Builder cells;
  private int textBytes;

  public OpenMinuteCells(int keyGroup, long minute, long now) {
    this.keyGroup = keyGroup;
    this.minute = minute;
    this.cells =
        Snapshot.newBuilder().setKeyGroup(keyGroup).setMinuteUnixMs(minute).setTakenAtUnixMs(now);
  }

  /** Whether further cells of a key group and minute belong into the same record. */
  public boolean takes(int group, long start) {
    return group == keyGroup
        && start == minute
        && cells.getCountCount() < MAX_CELLS
        && textBytes < MAX_TEXT;
  }

  public void add(SeriesKey key, PaneAggregate figures) {
    cells.addSeriesHigh(key.high()).addSeriesLow(key.low());
    cells.addSum(figures.sum).addCount(figures.count).addMin(figures.min).addMax(figures.max);
    cells.addLast(figures.last).addLastTimeUnixNano(figures.lastTimeUnixNano);
    if (figures.distribution != null) {
      byte[] text = DistributionText.of(figures.distribution);
      textBytes += text.length;
      cells.addBuckets(
          Buckets.newBuilder()
              .setCell(cells.getCountCount() - 1)
              .setDistributionBytes(ByteString.copyFrom(text)));
    }
  }

  /**
   * Describes the series of the cell that was added last.
   *
   * @param row what all rows of the series have in common, a JSON object; not changed afterwards
   */
  public void describe(byte[] row) {
    textBytes += row.length;
    cells.addDescriptions(
        Description.newBuilder()
            .setCell(cells.getCountCount() - 1)
            .setRowBytes(UnsafeByteOperations.unsafeWrap(row)));
  }

  public LiveRecord record() {
    return new LiveRecord(keyGroup, cells.build().toByteArray());
  }
}
