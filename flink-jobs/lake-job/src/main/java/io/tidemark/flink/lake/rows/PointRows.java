package io.tidemark.flink.lake.rows;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.decode.SentObservations;
import io.tidemark.flink.io.points.fastdecode.BatchDecoder;
import io.tidemark.flink.io.points.fastdecode.PointBatch;
import io.tidemark.flink.io.points.fastdecode.SentPoints;
import io.tidemark.flink.model.point.PointTimeLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code raw_points}: the points that the rollups count, by the same decoder and limits.
 * Batches and points that it sets aside become dead letters in the rollup job; here they are
 * skipped and counted.
 */
public final class PointRows implements RowBuffer<AdmittedBatch> {

  private static final long NANOS_PER_DAY = 86_400_000_000_000L;

  /** A batch of many points must fit beside what is collected. */
  private static final int SMALLEST = 1024;

  /** What a batch adds to its points. */
  record Batch(String batchId, int partition, long offset, long receivedAtUnixMs) {}

  private final Schema schema;
  private final BatchDecoder decoder;
  private final SeriesOrder order;
  private final int capacity;
  private long skipped;
  private long taken;

  int count;
  int[] series = new int[SMALLEST];
  long[] times = new long[SMALLEST];
  long[] starts = new long[SMALLEST];
  long[] bits = new long[SMALLEST];
  int[] flags = new int[SMALLEST];
  int[] indexes = new int[SMALLEST];
  int[] batchOfRow = new int[SMALLEST];
  byte[] temporalities = new byte[SMALLEST];
  boolean[] ints = new boolean[SMALLEST];
  final List<Batch> batches = new ArrayList<>();
  // Only as long as some row has one.
  @Nullable SentObservations @Nullable [] observations;

  /**
   * @param tenantBuckets of the table
   * @param capacity rows after which the buffer is full
   */
  public PointRows(Schema schema, PointTimeLimits limits, int tenantBuckets, int capacity) {
    this.schema = schema;
    this.decoder = new BatchDecoder(limits, true);
    this.order = new SeriesOrder(tenantBuckets);
    this.capacity = capacity;
  }

  @Override
  public void add(AdmittedBatch admitted) {
    PointsRecord record = admitted.record();
    if (decoder.isFull() && count == 0) {
      decoder.forget();
      order.clear();
    }
    PointBatch batch =
        decoder.decode(
            record, admitted.longestAgeMs(), letter -> skipped += Math.max(1, letter.pointCount()));
    int size = batch.size();
    if (size == 0) {
      return;
    }
    for (int slot = order.size(); slot < decoder.slots().size(); slot++) {
      order.add(LakeSeries.of(decoder.slots().key(slot), decoder.slots().descriptor(slot)));
    }
    ensure(size);
    batches.add(
        new Batch(
            record.batchId(),
            record.partition(),
            record.offset(),
            BatchHeaders.of(record).receivedAtUnixMs()));
    SentPoints sent = Objects.requireNonNull(batch.sent());
    for (int i = 0; i < size; i++) {
      int row = count + i;
      series[row] = batch.slot(i);
      times[row] = batch.timeUnixNano(i);
      indexes[row] = batch.index(i);
      batchOfRow[row] = batches.size() - 1;
      starts[row] = sent.startUnixNano(i);
      bits[row] = sent.valueBits(i);
      flags[row] = sent.flags(i);
      ints[row] = sent.isInt(i);
      temporalities[row] = (byte) sent.temporality(i).ordinal();
      SentObservations many = sent.observations(i);
      if (many != null) {
        if (observations == null) {
          observations = new @Nullable SentObservations[times.length];
        }
        observations[row] = many;
      }
    }
    count += size;
    taken += size;
  }

  @Override
  public boolean isEmpty() {
    return count == 0;
  }

  @Override
  public boolean isFull() {
    return count >= capacity || (decoder.isFull() && count > 0);
  }

  @Override
  public void drain(Partitions partitions) {
    SortedRows.forEachPartition(
        count,
        series,
        times,
        NANOS_PER_DAY,
        order,
        (bucket, day, rows, from, to) ->
            partitions.write(
                day,
                bucket,
                new PointColumns(
                    schema, this, new SeriesRuns(order, series, rows, from, to), rows, from, to)));
    count = 0;
    observations = null;
    batches.clear();
  }

  @Override
  public Tally takeTally() {
    Tally tally = new Tally(taken, skipped);
    taken = 0;
    skipped = 0;
    return tally;
  }

  private void ensure(int more) {
    int needed = count + more;
    if (needed <= times.length) {
      return;
    }
    int size = Math.max(needed, times.length * 2);
    series = Arrays.copyOf(series, size);
    times = Arrays.copyOf(times, size);
    starts = Arrays.copyOf(starts, size);
    bits = Arrays.copyOf(bits, size);
    flags = Arrays.copyOf(flags, size);
    indexes = Arrays.copyOf(indexes, size);
    batchOfRow = Arrays.copyOf(batchOfRow, size);
    temporalities = Arrays.copyOf(temporalities, size);
    ints = Arrays.copyOf(ints, size);
    if (observations != null) {
      observations = Arrays.copyOf(observations, size);
    }
  }
}
