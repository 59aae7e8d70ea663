package io.tidemark.flink.io;

import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A Kafka record that is nothing but its value. Its timestamp is the time of writing: with event
 * time, rows of last month would meet the topic's retention the moment they are written.
 */
public final class ValueOnly<T> implements KafkaRecordSerializationSchema<T> {
  private static final long serialVersionUID = 1L;

  /** Bytes of one element. */
  @FunctionalInterface
  public interface Encoder<T> extends java.io.Serializable {
    byte[] encode(T element);
  }

  private final String topic;
  private final Encoder<T> encoder;

  public ValueOnly(String topic, Encoder<T> encoder) {
    this.topic = topic;
    this.encoder = encoder;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      T element, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(topic, encoder.encode(element));
  }
}
