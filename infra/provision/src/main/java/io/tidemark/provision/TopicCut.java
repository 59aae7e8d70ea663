package io.tidemark.provision;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds, for each partition of a rollup topic, the offset up to which a store has the rows: the
 * greater of what the store says that it took, and of what it is seen to have. The lake job reads a
 * partition from its beginning in order and takes whole records, so the last record of which the
 * store has any row is the last one that it took, unless all rows of later ones were deleted from
 * it since. Where the store says nothing, such records are read again.
 */
final class TopicCut {
  private static final Pattern PANE = Pattern.compile("\"pane_id\":\"([^\"]+)\"");
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Offsets of one question; a record has up to 500 rows. */
  private final int step;

  private final Map<String, Object> client;

  /** Says which panes of some rows a store has. */
  @FunctionalInterface
  interface StoredPanes {
    /**
     * @param lines rows as the topic carries them
     * @return ids of panes
     */
    Set<String> among(String lines) throws Exception;
  }

  /**
   * @param client settings of a client of Kafka
   */
  TopicCut(Map<String, Object> client) {
    this(client, 400);
  }

  TopicCut(Map<String, Object> client, int step) {
    this.client = Map.copyOf(client);
    this.step = step;
  }

  /**
   * Partition and offset of the first record that the store does not have. The store must not
   * change meanwhile; the topic may.
   *
   * @param taken partition and offset after the last record that the store says it took; one beyond
   *     the end is of a topic that was made anew, and counts for nothing
   */
  Map<Integer, Long> find(String topic, Map<Integer, Long> taken, StoredPanes store)
      throws Exception {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    Map<Integer, Long> cut = new TreeMap<>();
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
      for (Map.Entry<TopicPartition, Long> end : consumer.endOffsets(partitions).entrySet()) {
        TopicPartition partition = end.getKey();
        long beginning = beginnings.getOrDefault(partition, 0L);
        long said = taken.getOrDefault(partition.partition(), 0L);
        long first = said > end.getValue() ? beginning : Math.max(beginning, said);
        cut.put(partition.partition(), find(consumer, partition, first, end.getValue(), store));
      }
    }
    return cut;
  }

  private long find(
      Consumer<byte[], byte[]> consumer,
      TopicPartition partition,
      long first,
      long end,
      StoredPanes store)
      throws Exception {
    for (long to = end; to > first; ) {
      long from = Math.max(first, to - step);
      List<ConsumerRecord<byte[], byte[]>> records = read(consumer, partition, from, to);
      StringBuilder lines = new StringBuilder();
      List<Set<String>> panes = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        String text = new String(record.value(), StandardCharsets.UTF_8);
        lines.append(text).append('\n');
        Set<String> own = new HashSet<>();
        Matcher pane = PANE.matcher(text);
        while (pane.find()) {
          own.add(pane.group(1));
        }
        panes.add(own);
      }
      Set<String> stored = records.isEmpty() ? Set.of() : store.among(lines.toString());
      for (int i = records.size() - 1; i >= 0; i--) {
        if (panes.get(i).stream().anyMatch(stored::contains)) {
          return records.get(i).offset() + 1;
        }
      }
      to = from;
    }
    return first;
  }

  /** Committed records from one offset to before another. */
  private static List<ConsumerRecord<byte[], byte[]>> read(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long from, long to) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    consumer.assign(List.of(partition));
    consumer.seek(partition, from);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    // The position passes what the end of a transaction leaves in the log, where no record is.
    while (consumer.position(partition) < to) {
      if (System.nanoTime() > deadline) {
        throw ProvisionFailure.engine(
            "Kafka does not hand out "
                + partition
                + " up to offset "
                + to
                + " within "
                + PATIENCE.toSeconds()
                + " s.");
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(partition)) {
        if (record.offset() < to) {
          records.add(record);
        }
      }
    }
    return records;
  }
}
