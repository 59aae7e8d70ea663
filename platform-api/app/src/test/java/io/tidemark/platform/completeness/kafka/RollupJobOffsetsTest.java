package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** How far the rollup job is, and that marks of transactions hold nothing back. */
class RollupJobOffsetsTest {

  private static final String TOPIC = RollupJobOffsets.TOPIC;
  private static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);

  private final RollupJobsGroup group = new RollupJobsGroup();
  private final Deque<MockConsumer<byte[], byte[]>> readers = new ArrayDeque<>();
  private final RollupJobOffsets offsets = new RollupJobOffsets(() -> group, readers::pop);

  /** Two partitions, and what was committed in them. */
  private static final class RollupJobsGroup extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private boolean away;

    RollupJobsGroup() {
      super("earliest");
      updatePartitions(
          TOPIC,
          List.of(
              new PartitionInfo(TOPIC, 0, null, null, null),
              new PartitionInfo(TOPIC, 1, null, null, null)));
    }

    void ends(long first, long second) {
      updateEndOffsets(Map.of(FIRST, first, new TopicPartition(TOPIC, 1), second));
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
        Set<TopicPartition> partitions, Duration timeout) {
      if (away) {
        throw new TimeoutException("no answer");
      }
      Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
      for (TopicPartition partition : partitions) {
        Long offset = committed.get(partition);
        found.put(partition, offset == null ? null : new OffsetAndMetadata(offset));
      }
      return found;
    }
  }

  /** Where a reader is after it has looked for records from an offset on. */
  private static MockConsumer<byte[], byte[]> reader(long position, boolean hasRecord) {
    return new MockConsumer<>("earliest") {
      @Override
      public synchronized void seek(TopicPartition partition, long offset) {
        super.seek(partition, hasRecord ? offset : position);
        if (hasRecord) {
          updateEndOffsets(Map.of(partition, offset + 1));
          addRecord(new ConsumerRecord<>(TOPIC, partition.partition(), offset, null, new byte[0]));
        }
      }
    };
  }

  @Test
  void endsAndCommittedOffsetsAreAskedFor() {
    group.ends(10, 7);
    group.committed.put(FIRST, 4L);
    assertThat(offsets.now())
        .isEqualTo(new RollupJobOffsets.Offsets(Map.of(0, 10L, 1, 7L), Map.of(0, 4L, 1, 0L)));
  }

  /** As after dead letters were put back: the job's offset is that of its last record. */
  @Test
  void marksAtTheEndAreNoRecords() {
    group.ends(10, 0);
    group.committed.put(FIRST, 8L);
    assertThat(offsets.now().read()).as("it may be reading").containsEntry(0, 8L);
    readers.push(reader(10, false));
    assertThat(offsets.now().read()).containsEntry(0, 10L);
    assertThat(offsets.now().read()).as("not looked at again").containsEntry(0, 10L);
  }

  @Test
  void recordsAndOpenTransactionsAtTheEndAreUnread() {
    group.ends(9, 0);
    group.committed.put(FIRST, 8L);
    offsets.now();
    readers.push(reader(0, true));
    assertThat(offsets.now().read()).as("a record").containsEntry(0, 8L);

    group.ends(10, 0);
    RollupJobOffsets other = new RollupJobOffsets(() -> group, () -> reader(9, false));
    other.now();
    assertThat(other.now().read()).as("an open transaction").containsEntry(0, 8L);
  }

  @Test
  void manyOffsetsAreRecordsWithoutALook() {
    group.ends(500, 0);
    group.committed.put(FIRST, 8L);
    offsets.now();
    assertThat(offsets.now().read()).containsEntry(0, 8L);
  }

  @Test
  void aBrokerThatDoesNotAnswerAndAMissingTopicAreFailures() {
    group.away = true;
    group.ends(1, 1);
    assertThatThrownBy(offsets::now).isInstanceOf(TimeoutException.class);
    assertThat(group.closed()).as("a new one is made").isTrue();
    MockConsumer<byte[], byte[]> empty = new MockConsumer<>("earliest");
    empty.updatePartitions(TOPIC, List.of());
    assertThatThrownBy(() -> new RollupJobOffsets(() -> empty, readers::pop).now())
        .isInstanceOf(KafkaException.class);
  }
}
