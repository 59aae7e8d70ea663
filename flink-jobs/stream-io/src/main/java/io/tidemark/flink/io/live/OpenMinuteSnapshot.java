package io.tidemark.flink.io.live;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.live.v1.Buckets;
import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.flink.model.series.SeriesKey;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A record of the live topic, cell by cell; events/tidemark/live/v1/snapshot.proto. */
public final class OpenMinuteSnapshot {

  private final Snapshot snapshot;
  private final Map<Integer, byte[]> descriptions = new HashMap<>();
  private final Map<Integer, String> distributions = new HashMap<>();

  private OpenMinuteSnapshot(Snapshot snapshot) {
    this.snapshot = snapshot;
    for (Description description : snapshot.getDescriptionsList()) {
      descriptions.put(description.getCell(), description.getRowBytes().toByteArray());
    }
    for (Buckets buckets : snapshot.getBucketsList()) {
      distributions.put(buckets.getCell(), buckets.getDistribution());
    }
  }

  /**
   * @throws IOException when the bytes are no snapshot, or its columns differ in length
   */
  public static OpenMinuteSnapshot read(byte[] record) throws IOException {
    Snapshot snapshot;
    try {
      snapshot = Snapshot.parseFrom(record);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("Not a snapshot of open minutes", e);
    }
    int cells = snapshot.getCountCount();
    if (cells != snapshot.getSeriesHighCount()
        || cells != snapshot.getSeriesLowCount()
        || cells != snapshot.getSumCount()
        || cells != snapshot.getMinCount()
        || cells != snapshot.getMaxCount()
        || cells != snapshot.getLastCount()
        || cells != snapshot.getLastTimeUnixNanoCount()) {
      throw new IOException("Columns of a snapshot differ in length");
    }
    return new OpenMinuteSnapshot(snapshot);
  }

  public int cells() {
    return snapshot.getCountCount();
  }

  /** Start of the minute, milliseconds since the Unix epoch. */
  public long minute() {
    return snapshot.getMinuteUnixMs();
  }

  /** When the cells were read, on the clock of the job that sent them. */
  public long takenAt() {
    return snapshot.getTakenAtUnixMs();
  }

  public int keyGroup() {
    return snapshot.getKeyGroup();
  }

  public SeriesKey series(int cell) {
    return new SeriesKey(snapshot.getSeriesHigh(cell), snapshot.getSeriesLow(cell));
  }

  /** What rows of the cell's series have in common; null when it was said before. */
  public byte @Nullable [] description(int cell) {
    return descriptions.get(cell);
  }

  /** As in rows; null for a cell without buckets. */
  public @Nullable String distribution(int cell) {
    return distributions.get(cell);
  }

  /** Whether the cell takes back what was shown. */
  public boolean isTakenBack(int cell) {
    return count(cell) == 0 && Double.isNaN(snapshot.getSum(cell));
  }

  public long count(int cell) {
    return snapshot.getCount(cell);
  }

  /** 0 when the kind of series has none, as in rows. */
  public double sum(int cell) {
    double sum = snapshot.getSum(cell);
    return Double.isNaN(sum) ? 0 : sum;
  }

  /** NaN without one. */
  public double min(int cell) {
    return snapshot.getMin(cell);
  }

  /** NaN without one. */
  public double max(int cell) {
    return snapshot.getMax(cell);
  }

  /** NaN without one. */
  public double last(int cell) {
    return snapshot.getLast(cell);
  }

  /** Time of the last value, milliseconds since the Unix epoch; 0 without one. */
  public long lastTime(int cell) {
    return TimeUnit.NANOSECONDS.toMillis(snapshot.getLastTimeUnixNano(cell));
  }
}
