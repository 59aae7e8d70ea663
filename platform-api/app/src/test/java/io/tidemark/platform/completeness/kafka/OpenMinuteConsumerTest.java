package io.tidemark.platform.completeness.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.live.v1.Description;
import io.tidemark.contracts.live.v1.Snapshot;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.OpenMinutes.OpenMinutesView;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.TestingProgress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenMinuteConsumerTest {

  private static final TopicPartition PARTITION = new TopicPartition("telemetry.live.v1", 0);
  private static final TenantId TENANT = new TenantId("org-a");
  private static final IntervalSet ALL =
      new IntervalSet(List.of(new IntervalSet.Span(0, Long.MAX_VALUE / 4)));

  private final BlockingQueue<MockConsumer<byte[], byte[]>> connections =
      new LinkedBlockingQueue<>();
  private final TestingProgress progress = new TestingProgress();
  private final OpenMinuteConsumer reader =
      new OpenMinuteConsumer(
          this::next, progress::completeUntil, tenant -> Set.of(), 100, Clock.systemUTC());
  private final long minute = Instant.now().toEpochMilli() / 60_000 * 60_000;

  private Consumer<byte[], byte[]> next() {
    try {
      return connections.take();
    } catch (InterruptedException stopped) {
      throw new KafkaException(stopped);
    }
  }

  @AfterEach
  void stop() {
    reader.stop();
  }

  /** A topic with records up to an offset, of which only some can be read yet. */
  private MockConsumer<byte[], byte[]> connection(long end) {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updatePartitions(
        "telemetry.live.v1", List.of(new PartitionInfo("telemetry.live.v1", 0, null, null, null)));
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, end));
    return consumer;
  }

  private void send(MockConsumer<byte[], byte[]> consumer, long offset, double sum) {
    consumer.schedulePollTask(
        () ->
            consumer.addRecord(
                new ConsumerRecord<>(
                    PARTITION.topic(), 0, offset, new byte[4], snapshot(sum).toByteArray())));
  }

  private Snapshot snapshot(double sum) {
    return Snapshot.newBuilder()
        .setMinuteUnixMs(minute)
        .addSeriesHigh(1)
        .addSeriesLow(2)
        .addSum(sum)
        .addCount(1)
        .addMin(sum)
        .addMax(sum)
        .addLast(sum)
        .addLastTimeUnixNano(0)
        .addDescriptions(
            Description.newBuilder()
                .setRow(
                    "{\"organization_id\":\"org-a\",\"metric\":\"load\",\"metric_type\":\"gauge\"}"))
        .build();
  }

  private static void until(BooleanSupplier condition) {
    InterruptibleDelay.until(
        "such a state",
        Duration.ofSeconds(20),
        () -> Optional.of(condition.getAsBoolean()),
        isSo -> isSo);
  }

  private OpenMinutesView shown() {
    return reader.shown(TENANT, Optional.of("load"), ALL, labels -> true);
  }

  private double sum() {
    return shown().cells().isEmpty() ? Double.NaN : shown().cells().get(0).figures().sum;
  }

  @Test
  void nothingIsShownBeforeTheEndOfTheTopicIsReached() {
    MockConsumer<byte[], byte[]> consumer = connection(2);
    send(consumer, 0, 1);
    connections.add(consumer);
    reader.start();
    until(() -> reader.size() == 1);
    assertThat(shown().state()).isEqualTo(OpenMinutesState.ABSENT);
    assertThat(shown().cells()).isEmpty();
    send(consumer, 1, 5);
    until(() -> sum() == 5);
    assertThat(shown().state()).isEqualTo(OpenMinutesState.SHOWN);
  }

  @Test
  void aLostConnectionShowsNothingAndTheNextBeginsAgain() {
    MockConsumer<byte[], byte[]> consumer = connection(1);
    send(consumer, 0, 1);
    connections.add(consumer);
    reader.start();
    until(() -> sum() == 1);
    consumer.schedulePollTask(() -> consumer.setPollException(new KafkaException("gone")));
    until(() -> shown().state() == OpenMinutesState.ABSENT);
    assertThat(shown().cells()).isEmpty();
    MockConsumer<byte[], byte[]> again = connection(1);
    send(again, 0, 4);
    connections.add(again);
    until(() -> sum() == 4);
  }

  @Test
  void cellsOfCompleteMinutesGo() {
    MockConsumer<byte[], byte[]> consumer = connection(1);
    send(consumer, 0, 1);
    connections.add(consumer);
    reader.start();
    until(() -> reader.size() == 1);
    progress.completeUntil(Instant.ofEpochMilli(minute).plus(Duration.ofMinutes(1)));
    until(() -> reader.size() == 0);
  }
}
