package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.completeness.StoreOffsets.StoreState;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LakeOffsetsTest {

  private static final String MINUTES = Source.MINUTES.topic();

  private final Deque<LakeJobsGroup> connections = new ArrayDeque<>();
  private final LakeOffsets offsets = new LakeOffsets(connections::pop);

  /** Two partitions of each topic, and what was committed in them; answers as a broker does. */
  private static final class LakeJobsGroup extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private boolean away;

    LakeJobsGroup() {
      super("earliest");
      for (Source source : Source.values()) {
        String topic = source.topic();
        updatePartitions(
            topic,
            List.of(
                new PartitionInfo(topic, 0, null, null, null),
                new PartitionInfo(topic, 1, null, null, null)));
      }
    }

    LakeJobsGroup commit(String topic, int partition, long offset) {
      committed.put(new TopicPartition(topic, partition), offset);
      return this;
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

  @Test
  void theLakeHasWhatItsJobCommitted() {
    connections.push(
        new LakeJobsGroup()
            .commit(MINUTES, 0, 7)
            .commit(MINUTES, 1, 9)
            .commit(Source.DAYS.topic(), 1, 3));
    StoreState state = offsets.now();
    assertThat(state.isWhole()).isTrue();
    assertThat(state.offsets()).containsOnlyKeys(Source.values());
    assertThat(state.offsets().get(Source.MINUTES)).isEqualTo(Map.of(0, 7L, 1, 9L));
  }

  /** Whoever waits for an offset there waits for ever, and the lake is never read. */
  @Test
  void aPartitionInWhichThereNeverWasARowIsReadUpToItsBegin() {
    connections.push(new LakeJobsGroup().commit(MINUTES, 0, 7));
    Map<Source, Map<Integer, Long>> found = offsets.now().offsets();
    assertThat(found.get(Source.MINUTES)).isEqualTo(Map.of(0, 7L, 1, 0L));
    assertThat(found.get(Source.HOURS)).isEqualTo(Map.of(0, 0L, 1, 0L));
  }

  @Test
  void aBrokerThatIsAwayIsToldAndAskedAgainOnANewConnection() {
    LakeJobsGroup first = new LakeJobsGroup().commit(MINUTES, 0, 7);
    connections.push(new LakeJobsGroup().commit(MINUTES, 0, 8));
    connections.push(first);
    offsets.now();
    first.away = true;
    assertThatThrownBy(offsets::now)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
              assertThat(problem.retryAfter()).isPresent();
            });
    assertThat(first.closed()).isTrue();
    assertThat(offsets.now().offsets().get(Source.MINUTES)).containsEntry(0, 8L);
  }
}
