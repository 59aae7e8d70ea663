package io.tidemark.platform.catalog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.catalog.CatalogProperties;
import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.InterruptibleDelay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CatalogDiscoveryConsumerTest {

  private static final TopicPartition PARTITION = new TopicPartition("telemetry.rollup-1m.v1", 0);
  private static final byte[] ROWS =
      Contracts.text("examples/rollup-row.ndjson").getBytes(StandardCharsets.UTF_8);

  private final Queue<Sightings> recorded = new ConcurrentLinkedQueue<>();
  private final Queue<OffsetAndMetadata> early = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicReference<MockConsumer<byte[], byte[]>> last = new AtomicReference<>();
  private final CatalogDiscoveryConsumer discovering =
      new CatalogDiscoveryConsumer(
          new CatalogProperties("", List.of(PARTITION.topic()), "group"), this::open, this::record);

  /** Each consumer begins at the start: nothing was committed before the test. */
  private Consumer<byte[], byte[]> open() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.schedulePollTask(
        () -> {
          consumer.rebalance(List.of(PARTITION));
          consumer.addRecord(new ConsumerRecord<>(PARTITION.topic(), 0, 0, null, bytes("no rows")));
          consumer.addRecord(new ConsumerRecord<>(PARTITION.topic(), 0, 1, null, ROWS));
        });
    last.set(consumer);
    return consumer;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void record(Sightings seen) {
    committed(last.get()).ifPresent(early::add);
    if (failures.getAndDecrement() > 0) {
      throw new IllegalStateException("the database is away, as the test wants it");
    }
    recorded.add(seen);
  }

  @AfterEach
  void stop() {
    if (discovering.isRunning()) {
      discovering.stop();
    }
  }

  private OffsetAndMetadata untilCommitted() {
    return InterruptibleDelay.until(
        "a committed place",
        Duration.ofSeconds(60),
        () -> Optional.ofNullable(last.get()).flatMap(CatalogDiscoveryConsumerTest::committed),
        place -> true);
  }

  private static Optional<OffsetAndMetadata> committed(MockConsumer<byte[], byte[]> consumer) {
    try {
      return Optional.ofNullable(consumer.committed(Set.of(PARTITION)).get(PARTITION));
    } catch (IllegalStateException closed) {
      return Optional.empty();
    }
  }

  @Test
  void whatIsSeenIsRecordedBeforeThePlaceIsCommitted() {
    discovering.start();
    assertThat(untilCommitted().offset()).isEqualTo(2);
    assertThat(recorded).hasSize(1);
    assertThat(recorded.peek().size()).isPositive();
    assertThat(early).as("places committed before what is there was recorded").isEmpty();
  }

  @Test
  void whatCouldNotBeRecordedIsReadAgain() {
    failures.set(1);
    discovering.start();
    assertThat(untilCommitted().offset()).isEqualTo(2);
    assertThat(failures.get()).isNegative();
    assertThat(recorded).hasSize(1);
  }

  @Test
  void itStopsWhenTold() {
    discovering.start();
    untilCommitted();
    discovering.stop();
    assertThat(discovering.isRunning()).isFalse();
    assertThat(last.get().closed()).isTrue();
  }
}
