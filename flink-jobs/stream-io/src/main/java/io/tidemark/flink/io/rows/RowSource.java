package io.tidemark.flink.io.rows;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.NativeLz4;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** A rollup topic as a source: records of committed transactions. */
public final class RowSource {

  private RowSource() {}

  /**
   * @param group consumer group whose offsets show the job's progress; a job restored from a
   *     checkpoint goes by the checkpoint
   */
  public static KafkaSource<RollupRecord> of(Brokers brokers, String topic, String group) {
    return KafkaSource.<RollupRecord>builder()
        .setBootstrapServers(brokers.bootstrapServers())
        .setProperties(brokers.properties())
        .setTopics(topic)
        .setGroupId(group)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        // Kafka's default shows rows of transactions that may still be aborted.
        .setProperty("isolation.level", "read_committed")
        // The broker answers as soon as there is a record; this is for topics that are silent.
        .setProperty("fetch.max.wait.ms", "5000")
        .setProperty("partition.discovery.interval.ms", "60000")
        .setDeserializer(records())
        .build();
  }

  /** Record values as they are; a record without one is nothing. */
  static KafkaRecordDeserializationSchema<byte[]> values() {
    return new Values();
  }

  /** Records with their positions; one without a value is nothing. */
  static KafkaRecordDeserializationSchema<RollupRecord> records() {
    return new Records();
  }

  private static final class Values implements KafkaRecordDeserializationSchema<byte[]> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
      NativeLz4.load();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<byte[]> out)
        throws IOException {
      if (record.value() != null) {
        out.collect(record.value());
      }
    }

    @Override
    public TypeInformation<byte[]> getProducedType() {
      return PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    }
  }

  private static final class Records implements KafkaRecordDeserializationSchema<RollupRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
      NativeLz4.load();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RollupRecord> out)
        throws IOException {
      if (record.value() != null) {
        out.collect(new RollupRecord(record.partition(), record.offset(), record.value()));
      }
    }

    @Override
    public TypeInformation<RollupRecord> getProducedType() {
      return TypeInformation.of(RollupRecord.class);
    }
  }
}
