package io.tidemark.flink.io.points.source;

import io.tidemark.flink.io.Brokers;
import io.tidemark.flink.io.points.PointsRecord;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;

/** The points topic as a source, with its event-time watermarks. */
public final class PointsSource {

  /**
   * Batches handed over at once; a few of these wait in memory. With Kafka's 500 that is so much
   * during catch-up that every young collection copies it, and some of it grows old.
   */
  private static final int MAX_AT_ONCE = 32;

  /**
   * The broker answers when it has so much, or after that time. Otherwise it answers for every
   * batch of a producer, and at live pace fetching costs as much as what is done with the points.
   */
  private static final int MIN_FETCH_BYTES = 256 * 1024;

  /**
   * Of a partition at once. Partitions are read one after the other, so in catch-up they are as far
   * apart as this is long: minutes of event time, which stay open meanwhile, and of which a barrier
   * makes two rows each.
   */
  private static final int MAX_PARTITION_FETCH_BYTES = 128 * 1024;

  private static final int LONGEST_FETCH_MS = 250;

  private static final int LONGEST_GATHERED_FETCH_MS = 1_000;

  private PointsSource() {}

  /**
   * @param group consumer group whose offsets show the job's progress; a job restored from a
   *     checkpoint goes by the checkpoint
   */
  public static KafkaSource<PointsRecord> of(Brokers brokers, String topic, String group) {
    return reading(brokers, topic, group)
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        .setProperty("partition.discovery.interval.ms", "60000")
        .build();
  }

  /**
   * The same for a job whose results nobody waits for: the broker gathers a second of records
   * before it answers, so that reading costs little while few points come.
   */
  public static KafkaSource<PointsRecord> gathered(Brokers brokers, String topic, String group) {
    return reading(brokers, topic, group)
        .setProperty("fetch.max.wait.ms", Integer.toString(LONGEST_GATHERED_FETCH_MS))
        .setStartingOffsets(OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST))
        .setProperty("partition.discovery.interval.ms", "60000")
        .build();
  }

  /** How records are read, wherever reading begins and ends. */
  public static KafkaSourceBuilder<PointsRecord> reading(
      Brokers brokers, String topic, String group) {
    return KafkaSource.<PointsRecord>builder()
        .setBootstrapServers(brokers.bootstrapServers())
        .setProperties(brokers.properties())
        .setTopics(topic)
        .setGroupId(group)
        // Kafka's default shows records of transactions that may still be aborted.
        .setProperty("isolation.level", "read_committed")
        .setProperty("max.poll.records", Integer.toString(MAX_AT_ONCE))
        .setProperty("fetch.min.bytes", Integer.toString(MIN_FETCH_BYTES))
        .setProperty("max.partition.fetch.bytes", Integer.toString(MAX_PARTITION_FETCH_BYTES))
        .setProperty("fetch.max.wait.ms", Integer.toString(LONGEST_FETCH_MS))
        .setDeserializer(new PointsRecordReader());
  }

  /**
   * @param outOfOrderness how long points may come after a later one and still be on time
   * @param idleness after how long a silent partition no longer holds the others back
   */
  public static WatermarkStrategy<PointsRecord> watermarks(
      Duration outOfOrderness, Duration idleness) {
    return WatermarkStrategy.<PointsRecord>forGenerator(
            context ->
                new PartitionWatermarks(outOfOrderness, idleness, context.getInputActivityClock()))
        .withTimestampAssigner((record, kafkaTimestamp) -> record.eventTimeMs());
  }
}
