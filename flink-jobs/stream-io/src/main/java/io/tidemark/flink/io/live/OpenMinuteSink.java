package io.tidemark.flink.io.live;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.KafkaSinkDecorator;
import java.nio.ByteBuffer;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The live topic. At least once: what is sent twice replaces itself. */
public final class OpenMinuteSink {

  private OpenMinuteSink() {}

  public static Sink<LiveRecord> of(Brokers brokers, String topic) {
    return new KafkaSinkDecorator<>(
        KafkaSink.<LiveRecord>builder()
            .setBootstrapServers(brokers.bootstrapServers())
            .setKafkaProducerConfig(brokers.properties())
            .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
            .setProperty("compression.type", "lz4")
            .setProperty("linger.ms", "20")
            .setRecordSerializer(new Keyed(topic))
            .build());
  }

  private record Keyed(String topic) implements KafkaRecordSerializationSchema<LiveRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        LiveRecord record, KafkaSinkContext context, Long timestamp) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(record.keyGroup()).array();
      return new ProducerRecord<>(topic, key, record.snapshot());
    }
  }
}
