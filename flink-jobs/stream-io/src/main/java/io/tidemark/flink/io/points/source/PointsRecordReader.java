package io.tidemark.flink.io.points.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.NativeLz4;
import io.tidemark.flink.io.points.BatchHeaders;
import io.tidemark.flink.io.points.PointsHeaders;
import io.tidemark.flink.io.points.PointsRecord;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Takes every record as it is; what is wrong with it is decided after the source. */
public final class PointsRecordReader implements KafkaRecordDeserializationSchema<PointsRecord> {
  private static final long serialVersionUID = 1L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final byte[] NO_VALUE = new byte[0];

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    NativeLz4.load();
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<PointsRecord> out)
      throws IOException {
    byte[] value = record.value() == null ? NO_VALUE : record.value();
    String receivedAt = header(record, PointsHeaders.RECEIVED_AT_UNIX_MS);
    out.collect(
        new PointsRecord(
            record.topic(),
            record.partition(),
            record.offset(),
            header(record, PointsHeaders.ORGANIZATION_ID),
            header(record, PointsHeaders.ENVIRONMENT_ID),
            header(record, PointsHeaders.BATCH_ID),
            receivedAt,
            eventTimeMs(value, BatchHeaders.receivedAtUnixMs(receivedAt)),
            value));
  }

  /**
   * The latest point time, but never later than the receipt: a sender's clock that runs ahead moves
   * nothing. A record without readable receipt or points does not move the watermark either.
   */
  static long eventTimeMs(byte[] value, long receivedAtUnixMs) {
    return Math.min(LatestPointTime.of(value) / NANOS_PER_MILLI, receivedAtUnixMs);
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }

  @Override
  public TypeInformation<PointsRecord> getProducedType() {
    return TypeInformation.of(PointsRecord.class);
  }
}
