package io.tidemark.flink.io.live;

import io.tidemark.flink.io.Brokers;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The live topic as a source. */
public final class OpenMinuteSource {

  private static final byte[] NO_SNAPSHOT = new byte[0];

  private OpenMinuteSource() {}

  /**
   * From what comes next; a job restored from a checkpoint goes on where the checkpoint was, or
   * with what comes next when the topic does not hold it any more.
   */
  public static KafkaSource<LiveRecord> of(Brokers brokers, String topic, String group) {
    return KafkaSource.<LiveRecord>builder()
        .setBootstrapServers(brokers.bootstrapServers())
        .setProperties(brokers.properties())
        .setTopics(topic)
        .setGroupId(group)
        .setStartingOffsets(OffsetsInitializer.latest())
        // The broker answers as soon as there is a record; this is for topics that are silent.
        .setProperty("fetch.max.wait.ms", "5000")
        .setDeserializer(new Reader())
        .build();
  }

  private static final class Reader implements KafkaRecordDeserializationSchema<LiveRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(
        ConsumerRecord<byte[], byte[]> record, Collector<LiveRecord> collector) {
      boolean isKeyed = record.key() != null && record.key().length == Integer.BYTES;
      collector.collect(
          isKeyed && record.value() != null
              ? new LiveRecord(ByteBuffer.wrap(record.key()).getInt(), record.value())
              : new LiveRecord(0, NO_SNAPSHOT));
    }

    @Override
    public TypeInformation<LiveRecord> getProducedType() {
      return TypeInformation.of(LiveRecord.class);
    }
  }
}
