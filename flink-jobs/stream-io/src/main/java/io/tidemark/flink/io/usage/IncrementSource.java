package io.tidemark.flink.io.usage;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.NativeLz4;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** The topic of increments as a source: committed records with their places. */
public final class IncrementSource {

  private IncrementSource() {}

  /**
   * @param group consumer group whose offsets show the job's progress; a job restored from a
   *     checkpoint goes by the checkpoint
   */
  public static KafkaSource<PlacedIncrements> of(Brokers brokers, String topic, String group) {
    return KafkaSource.<PlacedIncrements>builder()
        .setBootstrapServers(brokers.bootstrapServers())
        .setProperties(brokers.properties())
        .setTopics(topic)
        .setGroupId(group)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        // Kafka's default shows records of transactions that may still be aborted.
        .setProperty("isolation.level", "read_committed")
        // The broker answers as soon as there is a record; this is for topics that are silent.
        .setProperty("fetch.max.wait.ms", "5000")
        .setProperty("partition.discovery.interval.ms", "60000")
        .setDeserializer(new Places())
        .build();
  }

  private static final class Places implements KafkaRecordDeserializationSchema<PlacedIncrements> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
      NativeLz4.load();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<PlacedIncrements> out)
        throws IOException {
      if (record.value() != null) {
        out.collect(
            new PlacedIncrements(
                record.value(), record.topic(), record.partition(), record.offset()));
      }
    }

    @Override
    public TypeInformation<PlacedIncrements> getProducedType() {
      return TypeInformation.of(PlacedIncrements.class);
    }
  }
}
