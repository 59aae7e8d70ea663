package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.kafka.PipelineConsumers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How far the rollup job has read the points topic: what its consumer group has committed, which it
 * does when a checkpoint is complete. Used by one thread.
 */
final class RollupJobOffsets {

  static final String TOPIC = "telemetry.points.v1";
  private static final String GROUP = "tidemark-rollup";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Whoever asks for watermarks waits meanwhile. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Marks of transactions are few. More than this are records. */
  private static final long MAX_MARKS = 100;

  /**
   * Offsets by partition.
   *
   * @param ends after the last record, those of open transactions too
   * @param read up to where nothing is left to be read
   */
  record Offsets(Map<Integer, Long> ends, Map<Integer, Long> read) {}

  private record Gap(long from, long to) {}

  private final Supplier<Consumer<byte[], byte[]>> groups;
  private final Supplier<Consumer<byte[], byte[]>> records;
  private final Map<TopicPartition, Gap> marks = new HashMap<>();
  private Map<TopicPartition, Long> before = Map.of();
  private @Nullable Consumer<byte[], byte[]> group;
  private @Nullable Consumer<byte[], byte[]> reader;

  /** Nothing is connected yet. */
  RollupJobOffsets(String bootstrapServers) {
    this(
        () -> PipelineConsumers.ofGroup(bootstrapServers, "platform-api-rollup", GROUP),
        () -> PipelineConsumers.of(bootstrapServers, "platform-api-points-end"));
  }

  /**
   * The same.
   *
   * @param groups makes one that sees what the job's group has committed and where the topic ends
   * @param records makes one that reads records of closed transactions
   */
  RollupJobOffsets(
      Supplier<Consumer<byte[], byte[]>> groups, Supplier<Consumer<byte[], byte[]>> records) {
    this.groups = groups;
    this.records = records;
  }

  /**
   * Looks.
   *
   * @throws KafkaException while the broker does not say
   */
  Offsets now() {
    try {
      Consumer<byte[], byte[]> seeing = group == null ? groups.get() : group;
      group = seeing;
      Set<TopicPartition> partitions =
          seeing.partitionsFor(TOPIC, PATIENCE).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .collect(Collectors.toSet());
      if (partitions.isEmpty()) {
        throw new KafkaException("There is no topic " + TOPIC);
      }
      Map<TopicPartition, Long> ends = seeing.endOffsets(partitions, PATIENCE);
      Map<TopicPartition, Long> read = new HashMap<>();
      seeing
          .committed(partitions, PATIENCE)
          .forEach((partition, place) -> read.put(partition, offset(place)));
      Offsets found = new Offsets(new HashMap<>(), new HashMap<>());
      ends.forEach(
          (partition, end) -> {
            long upTo = read.getOrDefault(partition, 0L);
            boolean isAtEnd = upTo < end && hasMarksOnly(partition, upTo, end);
            found.ends().put(partition.partition(), end);
            found.read().put(partition.partition(), isAtEnd ? end : upTo);
          });
      before = read;
      return found;
    } catch (KafkaException away) {
      close();
      throw away;
    }
  }

  private static long offset(@Nullable OffsetAndMetadata place) {
    return place == null ? 0 : place.offset();
  }

  /**
   * A reader stays before marks of transactions at the end of a partition. Looked at only where it
   * stays: else it reads.
   */
  private boolean hasMarksOnly(TopicPartition partition, long from, long to) {
    if (to - from > MAX_MARKS || before.getOrDefault(partition, -1L) != from) {
      return false;
    }
    Gap gap = new Gap(from, to);
    if (gap.equals(marks.get(partition))) {
      return true;
    }
    Consumer<byte[], byte[]> reading = reader == null ? records.get() : reader;
    reader = reading;
    reading.assign(Set.of(partition));
    reading.seek(partition, from);
    boolean hasRecords = !reading.poll(LOOK).isEmpty();
    boolean isPassed = !hasRecords && reading.position(partition, PATIENCE) >= to;
    reading.unsubscribe();
    if (isPassed) {
      marks.put(partition, gap);
    }
    return isPassed;
  }

  private void close() {
    if (group != null) {
      group.close();
      group = null;
    }
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
