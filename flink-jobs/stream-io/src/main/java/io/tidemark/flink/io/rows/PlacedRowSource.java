package io.tidemark.flink.io.rows;

import io.tidemark.flink.io.NativeLz4;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** Rollup topics as one source: committed records with their places. */
public final class PlacedRowSource {

  private PlacedRowSource() {}

  /**
   * @param group consumer group whose offsets show the job's progress; a job restored from a
   *     checkpoint goes by the checkpoint
   */
  public static KafkaSource<PlacedRows> of(
      String bootstrapServers, List<String> topics, String group) {
    return KafkaSource.<PlacedRows>builder()
        .setBootstrapServers(bootstrapServers)
        .setTopics(topics)
        .setGroupId(group)
        .setClientIdPrefix(group + "-rows")
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        // Kafka's default shows rows of transactions that may still be aborted.
        .setProperty("isolation.level", "read_committed")
        // The broker answers as soon as there is a record; this is for topics that are silent.
        .setProperty("fetch.max.wait.ms", "5000")
        .setProperty("partition.discovery.interval.ms", "60000")
        .setDeserializer(new Places())
        .build();
  }

  private static final class Places implements KafkaRecordDeserializationSchema<PlacedRows> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
      NativeLz4.load();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<PlacedRows> out)
        throws IOException {
      if (record.value() != null) {
        out.collect(
            new PlacedRows(
                record.value(),
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp()));
      }
    }

    @Override
    public TypeInformation<PlacedRows> getProducedType() {
      return TypeInformation.of(PlacedRows.class);
    }
  }
}
