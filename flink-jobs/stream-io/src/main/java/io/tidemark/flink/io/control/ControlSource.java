package io.tidemark.flink.io.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.Brokers;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A compacted control topic as a source. */
public final class ControlSource {

  private static final byte[] NO_VALUE = new byte[0];

  private ControlSource() {}

  /** From the beginning; a job restored from a checkpoint goes on where the checkpoint was. */
  public static KafkaSource<ControlRecord> of(Brokers brokers, String topic, String group) {
    return KafkaSource.<ControlRecord>builder()
        .setBootstrapServers(brokers.bootstrapServers())
        .setProperties(brokers.properties())
        .setTopics(topic)
        .setGroupId(group)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setProperty("isolation.level", "read_committed")
        // The broker answers as soon as there is a record; this is for topics that are silent.
        .setProperty("fetch.max.wait.ms", "5000")
        .setDeserializer(new Reader())
        .build();
  }

  /**
   * Control records have no event time. The source is idle from the start: it must neither hold the
   * watermark back nor, with a watermark of its own, complete minutes while points are silent.
   */
  public static <T> WatermarkStrategy<T> withoutEventTime() {
    return WatermarkStrategy.forGenerator(context -> new Idle<>());
  }

  private static final class Idle<T> implements WatermarkGenerator<T> {
    @Override
    public void onEvent(T event, long eventTimestamp, WatermarkOutput output) {
      output.markIdle();
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
      output.markIdle();
    }
  }

  private static final class Reader implements KafkaRecordDeserializationSchema<ControlRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(
        ConsumerRecord<byte[], byte[]> record, Collector<ControlRecord> collector) {
      String key = record.key() == null ? "" : new String(record.key(), UTF_8);
      collector.collect(new ControlRecord(key, record.value() == null ? NO_VALUE : record.value()));
    }

    @Override
    public TypeInformation<ControlRecord> getProducedType() {
      return TypeInformation.of(ControlRecord.class);
    }
  }
}
