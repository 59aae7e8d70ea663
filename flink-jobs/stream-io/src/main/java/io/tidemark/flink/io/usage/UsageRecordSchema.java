package io.tidemark.flink.io.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.ExactlyOnce;
import io.tidemark.flink.io.ExactlyOnceSinks;
import java.io.Serializable;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A usage record on its topic, keyed by the environment that used something;
 * events/tidemark/usage/v1/usage_record.proto.
 */
public final class UsageRecordSchema<T> implements KafkaRecordSerializationSchema<T> {
  private static final long serialVersionUID = 1L;

  private static final int LARGEST_RECORD = 1_000_000;

  /** The usage record of what a job counted. */
  @FunctionalInterface
  public interface Encoder<T> extends Serializable {
    UsageRecord encode(T usage);
  }

  private final String topic;
  private final Encoder<T> encoder;

  UsageRecordSchema(String topic, Encoder<T> encoder) {
    this.topic = topic;
    this.encoder = encoder;
  }

  /** The topic as a sink, exactly once. */
  public static <T> Sink<T> sink(
      Brokers brokers, String topic, ExactlyOnce transactions, Encoder<T> encoder) {
    return ExactlyOnceSinks.sink(
        brokers, transactions, "usage", LARGEST_RECORD, new UsageRecordSchema<>(topic, encoder));
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      T usage, KafkaSinkContext context, Long timestamp) {
    UsageRecord record = encoder.encode(usage);
    String environment = record.getOrganizationId() + "/" + record.getEnvironmentId();
    return new ProducerRecord<>(topic, environment.getBytes(UTF_8), record.toByteArray());
  }
}
