package io.tidemark.flink.rollup.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Committed usage records of one run, added up by meter as they come. */
final class WrittenUsage implements AutoCloseable {

  static final Set<String> POINTS = Set.of("points");
  static final Set<String> SERIES = Set.of("new_series");
  static final Set<String> ROWS =
      Set.of("rollup_rows_1m", "rollup_rows_1m_hc", "rollup_rows_1h", "rollup_rows_1d");

  /** Points that are taken but not billed; the fleet sends none. */
  private static final List<String> NONE = List.of("points_set_aside", "points_without_value");

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int POLLS_BETWEEN_LOOKS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, Long> units = new TreeMap<>();
  private final Set<String> ids = new HashSet<>();

  WrittenUsage(String bootstrapServers, String topic) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.assign(
        IntStream.range(0, Broker.PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)).toList());
  }

  /**
   * Returns when some meters have so many units together.
   *
   * @throws IllegalStateException when they have more, the job has failed, or patience ends
   */
  void await(FlinkProcess process, String job, long expected, Set<String> meters) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int polled = 1; sum(meters) < expected; polled++) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        add(record.value());
      }
      // The process is asked seldom: its time counts.
      if (polled % POLLS_BETWEEN_LOOKS == 0) {
        process.rest().mustRun(job);
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%s are not metered in %s: %s instead of %,d"
                .formatted(meters, PATIENCE, units, expected));
      }
    }
    check(expected, meters);
  }

  /**
   * What was awaited first must still be true after all.
   *
   * @throws IllegalStateException when it is not, or points are there that nobody is billed for
   */
  void check(long expected, Set<String> meters) {
    if (sum(meters) != expected) {
      throw new IllegalStateException(
          "%s are not metered once: %s instead of %,d".formatted(meters, units, expected));
    }
    if (sum(NONE) > 0) {
      throw new IllegalStateException("Points are not billed: " + units);
    }
  }

  private long sum(Iterable<String> meters) {
    long sum = 0;
    for (String meter : meters) {
      sum += units.getOrDefault(meter, 0L);
    }
    return sum;
  }

  private void add(byte[] value) throws InvalidProtocolBufferException {
    UsageRecord record = UsageRecord.parseFrom(value);
    if (!ids.add(record.getRecordId())) {
      throw new IllegalStateException("A usage record was written twice: " + record);
    }
    for (Quantity quantity : record.getQuantitiesList()) {
      units.merge(quantity.getMeter(), quantity.getUnits(), Long::sum);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
