package io.tidemark.platform.receipts.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.platform.ingest.application.BatchPublisher.Batch;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.domain.Rejections;
import io.tidemark.platform.ingest.kafka.KafkaPointsTopic;
import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.DeadLetterRef;
import io.tidemark.platform.receipts.ReceiptsProperties;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.InterruptibleDelay;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
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
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reads what the gateway really writes, and commits nothing that is not recorded. */
class ReceiptConsumerTest {

  private static final ReceiptsProperties SETTINGS =
      new ReceiptsProperties(
          "", "telemetry.points.v1", "telemetry.dead-letters.v1", "group", Duration.ofHours(24));
  private static final TopicPartition POINTS = new TopicPartition(SETTINGS.pointsTopic(), 2);
  private static final TopicPartition LETTERS = new TopicPartition(SETTINGS.deadLettersTopic(), 0);
  private static final Instant RECEIVED = Instant.ofEpochMilli(1_767_225_600_123L);
  private static final BatchId ID =
      BatchId.of(
          new TenantId("org-a"),
          new EnvironmentId("env-a"),
          IdempotencyKey.of("order-7"),
          new byte[] {1});

  private final Queue<BatchCopy> copies = new ConcurrentLinkedQueue<>();
  private final Queue<DeadLetterRef> letters = new ConcurrentLinkedQueue<>();
  private final Queue<OffsetAndMetadata> early = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicReference<MockConsumer<byte[], byte[]>> last = new AtomicReference<>();
  private final ReceiptConsumer reading = new ReceiptConsumer(SETTINGS, this::open, this::record);

  private Consumer<byte[], byte[]> open() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(POINTS, 0L, LETTERS, 0L));
    consumer.schedulePollTask(
        () -> {
          consumer.rebalance(List.of(POINTS, LETTERS));
          consumer.addRecord(new ConsumerRecord<>(POINTS.topic(), 2, 0, null, null));
          consumer.addRecord(written());
          consumer.addRecord(new ConsumerRecord<>(LETTERS.topic(), 0, 0, null, new byte[] {-1}));
          consumer.addRecord(new ConsumerRecord<>(LETTERS.topic(), 0, 1, null, deadLetter()));
        });
    last.set(consumer);
    return consumer;
  }

  /** As the gateway writes it, without the value, which is not read. */
  private static ConsumerRecord<byte[], byte[]> written() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    Rejections rejections = new Rejections();
    rejections.add(RejectionReason.LABEL_INVALID, 4, "x");
    new KafkaPointsTopic(producer, POINTS.topic())
        .publish(
            new Batch(
                new TenantId("org-a"),
                new EnvironmentId("env-a"),
                ID,
                IdempotencyKey.of("order-7"),
                RECEIVED,
                new byte[] {1},
                5,
                rejections));
    ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
    return new ConsumerRecord<>(
        POINTS.topic(),
        2,
        1,
        0,
        TimestampType.LOG_APPEND_TIME,
        0,
        0,
        sent.key(),
        null,
        new RecordHeaders(sent.headers().toArray()),
        Optional.empty());
  }

  private static byte[] deadLetter() {
    return DeadLetter.newBuilder()
        .setReason(Reason.REASON_TOO_LATE)
        .setOrganizationId("org-a")
        .setEnvironmentId("env-a")
        .setBatchId(ID.hex())
        .setSourceTopic(POINTS.topic())
        .setSourcePartition(2)
        .setSourceOffset(1)
        .setReceivedAtUnixMs(RECEIVED.toEpochMilli())
        .setPointCount(3)
        .build()
        .toByteArray();
  }

  private void record(List<BatchCopy> stored, List<DeadLetterRef> aside) {
    committed(last.get()).ifPresent(early::add);
    if (failures.getAndDecrement() > 0) {
      throw new IllegalStateException("the database is away, as the test wants it");
    }
    copies.addAll(stored);
    letters.addAll(aside);
  }

  @AfterEach
  void stop() {
    if (reading.isRunning()) {
      reading.stop();
    }
  }

  private OffsetAndMetadata untilCommitted() {
    return InterruptibleDelay.until(
        "a committed place",
        Duration.ofSeconds(60),
        () -> Optional.ofNullable(last.get()).flatMap(ReceiptConsumerTest::committed),
        place -> place.offset() == 2);
  }

  private static Optional<OffsetAndMetadata> committed(MockConsumer<byte[], byte[]> consumer) {
    try {
      return Optional.ofNullable(consumer.committed(Set.of(POINTS)).get(POINTS));
    } catch (IllegalStateException closed) {
      return Optional.empty();
    }
  }

  @Test
  void whatTheTopicsSayIsRecordedBeforeThePlaceIsCommitted() {
    reading.start();
    untilCommitted();
    assertThat(copies)
        .containsExactly(
            new BatchCopy(
                new TenantId("org-a"),
                new EnvironmentId("env-a"),
                ID.hex(),
                "order-7",
                2,
                1,
                RECEIVED,
                5,
                Map.of("LABEL_INVALID", 4L)));
    assertThat(letters)
        .containsExactly(
            new DeadLetterRef(
                new TenantId("org-a"),
                new EnvironmentId("env-a"),
                ID.hex(),
                new DeadLetterRef.SourcePosition(POINTS.topic(), 2, 1),
                RECEIVED,
                "TOO_LATE",
                3,
                new DeadLetterRef.SourcePosition(LETTERS.topic(), 0, 1)));
    assertThat(early).as("places committed before what is there was recorded").isEmpty();
  }

  @Test
  void whatCouldNotBeRecordedIsReadAgain() {
    failures.set(1);
    reading.start();
    untilCommitted();
    assertThat(copies).hasSize(1);
    assertThat(letters).hasSize(1);
  }

  @Test
  void theBytesOfBatchesAreNotTakenFromTheTopic() {
    DeadLetterValueDeserializer values = new DeadLetterValueDeserializer(LETTERS.topic());
    ByteBuffer value = ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2);
    assertThat(values.deserialize(POINTS.topic(), new RecordHeaders(), value)).isNull();
    assertThat(values.deserialize(LETTERS.topic(), new RecordHeaders(), value))
        .containsExactly(2, 3);
  }
}
