package io.tidemark.flink.rollup.bench;

import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.io.points.fastdecode.BatchDecoder;
import io.tidemark.flink.io.points.fastdecode.PointBatch;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.series.SeriesKey;
import io.tidemark.flink.testing.Fleet;
import io.tidemark.flink.testing.TestBatch;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Which number the fleet gives to the series of a row. */
final class SeriesNumbers {

  private final Map<Long, Integer> byLow = new HashMap<>();

  SeriesNumbers(Fleet fleet) {
    int number = 0;
    for (int batch = 0; batch < fleet.batchesPerStep(); batch++) {
      BatchDecoder decoder = new BatchDecoder(PointTimeLimits.DEFAULT);
      ConsumerRecord<byte[], byte[]> record =
          new ConsumerRecord<>("points", 0, batch, new byte[0], fleet.bytes(batch));
      Fleet.addHeaders(record.headers(), batch, fleet.timeMs(batch));
      PointsRecord points = TestBatch.read(record);
      PointBatch decoded =
          decoder.decode(
              points,
              letter -> {
                throw new IllegalStateException(letter.detail());
              });
      for (int i = 0; i < decoded.size(); i++) {
        SeriesKey key = decoder.slots().key(decoded.slot(i));
        byLow.put(key.low(), number++);
      }
    }
    if (byLow.size() != fleet.series()) {
      throw new IllegalStateException("The fleet has series that look alike");
    }
  }

  /**
   * @param low last 64 bits of the series id
   */
  int of(long low) {
    Integer number = byLow.get(low);
    if (number == null) {
      throw new IllegalStateException("A row is of no series of the fleet");
    }
    return number;
  }
}
