package io.tidemark.flink.testing;

import io.tidemark.flink.io.points.PointsRecord;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Numbers of batches to what the source would make of the batches of a {@link Fleet}. */
public final class FleetRecords implements MapFunction<Long, PointsRecord> {
  private static final long serialVersionUID = 1L;

  private static final long STEP_MS = 10_000;
  private static final long FIRST_MS = 1_772_323_200_000L;

  private final int series;
  private transient @Nullable Fleet fleet;

  public FleetRecords(int series) {
    this.series = series;
  }

  @Override
  public PointsRecord map(Long batch) {
    if (fleet == null) {
      fleet = new Fleet(series, STEP_MS, FIRST_MS, false);
    }
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("points", 0, batch, new byte[0], fleet.bytes(batch));
    Fleet.addHeaders(record.headers(), batch, fleet.timeMs(batch));
    return TestBatch.read(record);
  }
}
