package io.tidemark.platform.completeness.kafka;

import io.tidemark.platform.completeness.StoreOffsets;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How far the lake job has read: what its consumer group has committed, which it does when a
 * checkpoint is complete, as it commits to the tables.
 */
public final class LakeOffsets implements StoreOffsets {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String GROUP = "tidemark-lake";

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private @Nullable Consumer<byte[], byte[]> consumer;

  /** Nothing is connected yet. Used by one thread. */
  public LakeOffsets(String bootstrapServers) {
    this(() -> PipelineConsumers.ofGroup(bootstrapServers, "platform-api-lake", GROUP));
  }

  /**
   * The same.
   *
   * @param consumers makes one that sees what the lake job's group has committed
   */
  LakeOffsets(Supplier<Consumer<byte[], byte[]>> consumers) {
    this.consumers = consumers;
  }

  @Override
  public StoreState now() {
    try {
      if (consumer == null) {
        consumer = consumers.get();
      }
      Map<Source, Map<Integer, Long>> offsets = new EnumMap<>(Source.class);
      for (Source source : Source.values()) {
        Set<TopicPartition> partitions =
            consumer.partitionsFor(source.topic(), PATIENCE).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .collect(Collectors.toSet());
        Map<Integer, Long> committed = new HashMap<>();
        consumer
            .committed(partitions, PATIENCE)
            .forEach(
                (partition, place) ->
                    // A partition in which there never was a row has no committed offset.
                    committed.put(partition.partition(), place == null ? 0 : place.offset()));
        offsets.put(source, committed);
      }
      return new StoreState(offsets, true);
    } catch (KafkaException away) {
      close();
      throw ProblemException.passing(
          away,
          ErrorCode.STORE_UNAVAILABLE,
          "It cannot be asked now how far the lake is.",
          PATIENCE);
    }
  }

  private void close() {
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }
}
