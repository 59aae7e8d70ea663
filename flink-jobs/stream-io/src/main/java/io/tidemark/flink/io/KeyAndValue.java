package io.tidemark.flink.io;

import io.tidemark.flink.io.ValueOnly.Encoder;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A Kafka record whose key says what it is about; its timestamp is the time of writing. */
public final class KeyAndValue<T> implements KafkaRecordSerializationSchema<T> {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final Encoder<T> key;
  private final Encoder<T> value;

  public KeyAndValue(String topic, Encoder<T> key, Encoder<T> value) {
    this.topic = topic;
    this.key = key;
    this.value = value;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      T element, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(topic, key.encode(element), value.encode(element));
  }
}
