package io.tidemark.flink.io.removals;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.contracts.pipeline.v1.RemovalReport;
import io.tidemark.flink.io.Brokers;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The two topics of removals, beside the stream: a table is looked at once in a while, so nothing
 * of it is state of the job. Orders are read from the beginning after every start.
 *
 * @param ordersTopic compacted, one partition
 * @param orderBrokers where removals are ordered: in a second region the first one's
 * @param reportBrokers where they are reported: each region's own
 * @param tables what each table is read from, by its name without the namespace
 */
public record RemovalTopics(
    Brokers orderBrokers,
    String ordersTopic,
    Brokers reportBrokers,
    String reportsTopic,
    Map<String, TableTopic> tables)
    implements Removals {

  /**
   * What a table is read from.
   *
   * @param group in which the job's source commits how far it has read
   */
  public record TableTopic(Brokers brokers, String topic, String group) implements Serializable {}

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(200);

  @Override
  public Opened open(String table) {
    TableTopic topic = tables.get(table);
    if (topic == null) {
      throw new IllegalArgumentException("No topic is known whose rows are in " + table);
    }
    return new Connection(topic);
  }

  private static Properties settings(Brokers brokers) {
    Properties settings = brokers.properties();
    settings.put("default.api.timeout.ms", Long.toString(PATIENCE.toMillis()));
    settings.put("request.timeout.ms", "10000");
    return settings;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Properties settings) {
    settings.put("enable.auto.commit", "false");
    settings.put("isolation.level", "read_committed");
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private final class Connection implements Opened {
    private final TopicPartition orders = new TopicPartition(ordersTopic, 0);
    private final TableTopic table;
    private final Map<String, RemovalOrder> known = new LinkedHashMap<>();
    private final Map<String, String> unreadable = new HashMap<>();
    private final KafkaConsumer<byte[], byte[]> ordered;

    /** Asks how far the table's source has read; a member of no group. */
    private final KafkaConsumer<byte[], byte[]> progress;

    Connection(TableTopic table) {
      this.table = table;
      ordered = consumer(settings(orderBrokers));
      ordered.assign(Set.of(orders));
      ordered.seekToBeginning(Set.of(orders));
      Properties asking = settings(table.brokers());
      asking.put("group.id", table.group());
      progress = consumer(asking);
    }

    @Override
    public List<RemovalOrder> current() {
      long end = ordered.endOffsets(Set.of(orders)).getOrDefault(orders, 0L);
      while (ordered.position(orders) < end) {
        for (ConsumerRecord<byte[], byte[]> record : ordered.poll(POLL)) {
          read(record);
        }
      }
      if (!unreadable.isEmpty() && known.isEmpty()) {
        throw new IllegalStateException(String.join("; ", unreadable.values()));
      }
      return List.copyOf(known.values());
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
      String key = record.key() == null ? "" : new String(record.key(), UTF_8);
      unreadable.remove(key);
      if (record.value() == null) {
        known.remove(key);
        return;
      }
      try {
        RemovalOrder order = RemovalOrder.of(key, record.value());
        RemovalOrder before = known.get(key);
        if (before == null || before.version() <= order.version()) {
          known.put(key, order);
        }
      } catch (IllegalArgumentException notOfTheContract) {
        known.remove(key);
        unreadable.put(key, notOfTheContract.getMessage());
      }
    }

    @Override
    public boolean hasReadUpTo(long timeMs) {
      Set<TopicPartition> partitions = new HashSet<>();
      progress
          .partitionsFor(table.topic())
          .forEach(found -> partitions.add(new TopicPartition(found.topic(), found.partition())));
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, timeMs));
      Map<TopicPartition, OffsetAndTimestamp> after = progress.offsetsForTimes(times);
      Map<TopicPartition, Long> begin = progress.beginningOffsets(partitions);
      Map<TopicPartition, Long> end = progress.endOffsets(partitions);
      Map<TopicPartition, OffsetAndMetadata> committed = progress.committed(partitions);
      for (TopicPartition partition : partitions) {
        OffsetAndTimestamp first = after.get(partition);
        long wanted = first == null ? end.getOrDefault(partition, 0L) : first.offset();
        OffsetAndMetadata place = committed.get(partition);
        long read = place == null ? begin.getOrDefault(partition, 0L) : place.offset();
        if (read < wanted && hasRecords(partition, read, wanted)) {
          return false;
        }
      }
      return true;
    }

    /** The end of a transaction has an offset too, which no reader ever commits. */
    private boolean hasRecords(TopicPartition partition, long from, long to) {
      Properties settings = settings(table.brokers());
      settings.put("max.poll.records", "1");
      try (KafkaConsumer<byte[], byte[]> look = consumer(settings)) {
        look.assign(Set.of(partition));
        look.seek(partition, from);
        while (look.position(partition) < to) {
          for (ConsumerRecord<byte[], byte[]> record : look.poll(POLL)) {
            if (record.offset() < to) {
              return true;
            }
          }
        }
        return false;
      }
    }

    @Override
    public void tell(List<RemovalReport> reports) {
      if (reports.isEmpty()) {
        return;
      }
      Properties settings = settings(reportBrokers);
      settings.put("acks", "all");
      settings.put("enable.idempotence", "true");
      settings.put("max.block.ms", Long.toString(PATIENCE.toMillis()));
      settings.put("delivery.timeout.ms", Long.toString(PATIENCE.toMillis()));
      // Reports are rare: a producer that is always open would cost more than opening one.
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (RemovalReport report : reports) {
          String key =
              String.join(
                  "/",
                  report.getOrganizationId(),
                  report.getEnvironmentId(),
                  report.getRemovalId(),
                  report.getTable());
          sent.add(
              producer.send(
                  new ProducerRecord<>(reportsTopic, key.getBytes(UTF_8), report.toByteArray())));
        }
        for (Future<RecordMetadata> one : sent) {
          one.get();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("Kafka did not take the report of a removal", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      }
    }

    @Override
    public void close() {
      ordered.close(Duration.ofSeconds(5));
      progress.close(Duration.ofSeconds(5));
    }
  }
}
