package io.tidemark.flink.io.rows;

import io.tidemark.flink.io.progress.ProgressRecord;
import io.tidemark.flink.io.rows.CompleteRowSource.Fetched;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions of rows and, with the same consumer, the statements of completeness. A statement
 * is passed on for a partition when the consumer has come to where committed records ended after
 * the statement was read. It waits for whatever comes first, so that silent topics cost nothing; a
 * second consumer asks where partitions end, because the broker would answer the first one only
 * after its waiting fetch.
 */
final class CompleteRowReader implements SplitReader<Fetched, KafkaPartitionSplit> {

  /** Records, marks of transactions and a wake-up end it at once. */
  private static final Duration POLL = Duration.ofSeconds(10);

  private static final byte[] NO_ROWS = new byte[0];

  /** Statements are many and alike: the newest say all that the older ones do. */
  private static final long STATEMENTS_READ = 2_000;

  private final Consumer<byte[], byte[]> rows;
  private final Consumer<byte[], byte[]> questions;
  private final TopicPartition statementsPartition;
  private final String detailTopic;

  private final Map<TopicPartition, Long> stated = new HashMap<>();
  private Map<TopicPartition, Long> ends = Map.of();
  private long completeUntil;

  CompleteRowReader(
      Properties consumer, String clientId, String detailTopic, String statementsTopic) {
    this(
        open(consumer, clientId + "-rows"),
        open(consumer, clientId + "-questions"),
        detailTopic,
        statementsTopic);
  }

  CompleteRowReader(
      Consumer<byte[], byte[]> rows,
      Consumer<byte[], byte[]> questions,
      String detailTopic,
      String statementsTopic) {
    this.rows = rows;
    this.questions = questions;
    this.detailTopic = detailTopic;
    this.statementsPartition = new TopicPartition(statementsTopic, 0);
  }

  private static Consumer<byte[], byte[]> open(Properties shared, String clientId) {
    Properties own = new Properties();
    own.putAll(shared);
    own.setProperty("client.id", clientId);
    return new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public void handleSplitsChanges(SplitsChange<KafkaPartitionSplit> change) {
    if (!(change instanceof SplitsAddition)) {
      throw new UnsupportedOperationException("Partitions are only added: " + change);
    }
    List<TopicPartition> assigned = new ArrayList<>(rows.assignment());
    change.splits().forEach(split -> assigned.add(split.getTopicPartition()));
    if (!assigned.contains(statementsPartition)) {
      assigned.add(statementsPartition);
      rows.assign(assigned);
      rows.seek(statementsPartition, firstStatement());
    } else {
      rows.assign(assigned);
    }
    for (KafkaPartitionSplit split : change.splits()) {
      if (split.getStartingOffset() >= 0) {
        rows.seek(split.getTopicPartition(), split.getStartingOffset());
      } else {
        rows.seekToBeginning(List.of(split.getTopicPartition()));
      }
      stated.put(split.getTopicPartition(), 0L);
    }
    // Where the new partitions end is asked for with the next statement, or now for the last one.
    ends = completeUntil > 0 ? questions.endOffsets(stated.keySet()) : Map.of();
  }

  private long firstStatement() {
    List<TopicPartition> partition = List.of(statementsPartition);
    long begin =
        Objects.requireNonNull(questions.beginningOffsets(partition).get(statementsPartition));
    long end = Objects.requireNonNull(questions.endOffsets(partition).get(statementsPartition));
    return Math.max(begin, end - STATEMENTS_READ);
  }

  @Override
  public RecordsWithSplitIds<Fetched> fetch() {
    Map<TopicPartition, Deque<Fetched>> fetched = new HashMap<>();
    try {
      // A new partition may be empty: no poll ends because of it.
      state(fetched);
      long until = completeUntil;
      for (ConsumerRecord<byte[], byte[]> record :
          rows.poll(fetched.isEmpty() ? POLL : Duration.ZERO)) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (partition.equals(statementsPartition)) {
          until = Math.max(until, ProgressRecord.completeUntil(record.value()).orElse(0));
        } else {
          fetched
              .computeIfAbsent(partition, ignored -> new ArrayDeque<>())
              .add(
                  new Fetched(
                      new RowBundle(
                          record.value() == null ? NO_ROWS : record.value(),
                          record.topic().equals(detailTopic),
                          0),
                      record.offset() + 1));
        }
      }
      if (until > completeUntil) {
        // After the statement was read: rows that it speaks of are committed before this end.
        ends = questions.endOffsets(stated.keySet());
        completeUntil = until;
      }
      state(fetched);
    } catch (WakeupException wanted) {
      // What was fetched is passed on; the rest with the next fetch.
    }
    return new Records(fetched);
  }

  private void state(Map<TopicPartition, Deque<Fetched>> fetched) {
    for (TopicPartition partition : stated.keySet()) {
      state(partition, fetched);
    }
  }

  private void state(TopicPartition partition, Map<TopicPartition, Deque<Fetched>> fetched) {
    Long end = ends.get(partition);
    if (end == null || stated.getOrDefault(partition, 0L) >= completeUntil) {
      return;
    }
    long position = rows.position(partition);
    if (position >= end) {
      stated.put(partition, completeUntil);
      fetched
          .computeIfAbsent(partition, ignored -> new ArrayDeque<>())
          .add(
              new Fetched(
                  new RowBundle(NO_ROWS, partition.topic().equals(detailTopic), completeUntil),
                  position));
    }
  }

  @Override
  public void wakeUp() {
    rows.wakeup();
  }

  @Override
  public void close() {
    rows.close();
    questions.close();
  }

  private static final class Records implements RecordsWithSplitIds<Fetched> {
    private final Iterator<Map.Entry<TopicPartition, Deque<Fetched>>> partitions;
    private @Nullable Deque<Fetched> current;

    Records(Map<TopicPartition, Deque<Fetched>> fetched) {
      this.partitions = fetched.entrySet().iterator();
    }

    @Override
    public @Nullable String nextSplit() {
      if (!partitions.hasNext()) {
        current = null;
        return null;
      }
      Map.Entry<TopicPartition, Deque<Fetched>> next = partitions.next();
      current = next.getValue();
      return KafkaPartitionSplit.toSplitId(next.getKey());
    }

    @Override
    public @Nullable Fetched nextRecordFromSplit() {
      return current == null ? null : current.poll();
    }

    @Override
    public Set<String> finishedSplits() {
      return Set.of();
    }
  }
}
