package io.tidemark.flink.io.points;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** The points topic as a source, and how it tells event time. */
public final class PointsSource {

  private PointsSource() {}

  /**
   * @param group consumer group whose offsets show the job's progress; a job restored from a
   *     checkpoint goes by the checkpoint
   */
  public static KafkaSource<PointsRecord> of(String bootstrapServers, String topic, String group) {
    return KafkaSource.<PointsRecord>builder()
        .setBootstrapServers(bootstrapServers)
        .setTopics(topic)
        .setGroupId(group)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        // Kafka's default shows records of transactions that may still be aborted.
        .setProperty("isolation.level", "read_committed")
        .setProperty("partition.discovery.interval.ms", "60000")
        .setDeserializer(new PointsRecordReader())
        .build();
  }

  /**
   * @param outOfOrderness how far points may lag behind the latest one and still be on time
   * @param idleness after how long a silent partition no longer holds the others back
   */
  public static WatermarkStrategy<PointsRecord> watermarks(
      Duration outOfOrderness, Duration idleness) {
    return WatermarkStrategy.<PointsRecord>forBoundedOutOfOrderness(outOfOrderness)
        .withTimestampAssigner((record, kafkaTimestamp) -> record.eventTimeMs())
        .withIdleness(idleness);
  }
}
