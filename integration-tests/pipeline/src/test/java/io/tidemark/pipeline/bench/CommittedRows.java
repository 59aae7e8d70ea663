package io.tidemark.pipeline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Watches committed rows of minutes and statements of completeness, and remembers when each came:
 * {@code System.nanoTime()} at the reader.
 */
final class CommittedRows implements AutoCloseable {
  private static final String ROWS = "telemetry.rollup-1m.v1";
  private static final String STATEMENTS = "pipeline.watermarks.v1";
  private static final Duration POLL = Duration.ofMillis(20);

  private final Map<String, Long> firstOf = new ConcurrentHashMap<>();
  private final ConcurrentSkipListSet<Long> statements = new ConcurrentSkipListSet<>();
  private final Thread reader;
  private volatile boolean isClosed;

  /**
   * @param values of a label, as the first group finds them in a row
   */
  CommittedRows(String kafka, Pattern values) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(ROWS, STATEMENTS)
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(one -> new TopicPartition(one.topic(), one.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    reader = new Thread(() -> read(consumer, values), "committed-rows");
    reader.start();
  }

  private void read(KafkaConsumer<byte[], byte[]> consumer, Pattern values) {
    try (consumer) {
      while (!isClosed) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          long at = System.nanoTime();
          if (record.topic().equals(STATEMENTS)) {
            statements.add(at);
          } else {
            Matcher found = values.matcher(new String(record.value(), UTF_8));
            while (found.find()) {
              firstOf.putIfAbsent(found.group(1), at);
            }
          }
        }
      }
    }
  }

  /** When the first row with the value came. */
  long row(String value) {
    return firstOf.get(value);
  }

  /** When the last statement came before a moment. */
  long statementBefore(long at) {
    return statements.floor(at);
  }

  @Override
  public void close() throws InterruptedException {
    isClosed = true;
    reader.join();
  }
}
