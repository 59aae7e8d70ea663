package io.tidemark.platform.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.ingest.application.BatchPublisher.Batch;
import io.tidemark.platform.ingest.application.BatchPublisher.RecordTooLargeForTopicException;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.IdempotencyKey;
import io.tidemark.platform.ingest.domain.RejectionReason;
import io.tidemark.platform.ingest.domain.Rejections;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Contracts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Form of the records; that a real broker takes them is shown end to end in integration-tests. */
class KafkaPointsTopicTest {

  private static final Batch BATCH =
      new Batch(
          new TenantId("org-a"),
          new EnvironmentId("env-a"),
          BatchId.of(new TenantId("org-a"), new EnvironmentId("env-a"), new byte[] {1}),
          IdempotencyKey.of("order-7"),
          Instant.ofEpochMilli(1_767_225_600_123L),
          new byte[] {1},
          5,
          rejections());

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final KafkaPointsTopic topic = new KafkaPointsTopic(producer, "telemetry.points.v1");

  private static Rejections rejections() {
    Rejections rejections = new Rejections();
    rejections.add(RejectionReason.VALUE_NOT_FINITE, 2, "load");
    rejections.add(RejectionReason.LABEL_INVALID, 1, "load");
    return rejections;
  }

  @Test
  void aRecordHasTheKeyTimeAndHeadersOfTheContract() {
    topic.publish(BATCH);
    ProducerRecord<byte[], byte[]> record = producer.history().get(0);
    assertThat(record.topic()).isEqualTo("telemetry.points.v1");
    assertThat(record.partition()).isNull();
    assertThat(record.timestamp()).isEqualTo(1_767_225_600_123L);
    assertThat(record.key()).isEqualTo(BATCH.id().bytes()).hasSize(32);
    assertThat(record.value()).isEqualTo(BATCH.record());

    Map<String, String> headers = new LinkedHashMap<>();
    record
        .headers()
        .forEach(
            header ->
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
    assertThat(headers)
        .containsEntry("tidemark.organization_id", "org-a")
        .containsEntry("tidemark.environment_id", "env-a")
        .containsEntry("tidemark.batch_id", BATCH.id().hex())
        .containsEntry("tidemark.received_at_unix_ms", "1767225600123")
        .containsEntry("tidemark.points", "5")
        .containsEntry("tidemark.rejected", "VALUE_NOT_FINITE=2,LABEL_INVALID=1")
        .containsEntry("tidemark.idempotency_key", "order-7");

    Map<String, String> patterns =
        Contracts.list("events/record-headers.yaml", "headers").stream()
            .collect(
                Collectors.toMap(
                    header -> (String) header.get("name"),
                    header -> (String) header.get("pattern")));
    assertThat(headers.keySet()).isEqualTo(patterns.keySet());
    headers.forEach((name, value) -> assertThat(value).matches(patterns.get(name)));
  }

  @Test
  void headersThatSayNothingAreNotThere() {
    topic.publish(
        new Batch(
            BATCH.organization(),
            BATCH.environment(),
            BATCH.id(),
            null,
            BATCH.receivedAt(),
            new byte[] {1},
            1,
            new Rejections()));
    assertThat(producer.history().get(0).headers())
        .extracting(header -> header.key())
        .containsExactly(
            "tidemark.organization_id",
            "tidemark.environment_id",
            "tidemark.batch_id",
            "tidemark.received_at_unix_ms",
            "tidemark.points");
  }

  @Test
  void aPublicationIsDoneWhenTheBrokerHasConfirmed() {
    CompletableFuture<Void> stored = topic.publish(BATCH).toCompletableFuture();
    assertThat(stored).isNotDone();
    producer.completeNext();
    assertThat(stored).isCompleted();
  }

  @Test
  void aPublicationFailsWithTheBrokersError() {
    CompletableFuture<Void> stored = topic.publish(BATCH).toCompletableFuture();
    producer.errorNext(new TimeoutException("late"));
    assertThat(stored).isCompletedExceptionally();
    assertThat(stored.handle((done, failure) -> failure).join())
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void aRecordThatIsTooLargeIsToldApart() {
    producer.sendException = new RecordTooLargeException("17 MiB");
    CompletableFuture<Void> stored = topic.publish(BATCH).toCompletableFuture();
    assertThat(stored.handle((done, failure) -> failure).join())
        .isInstanceOf(RecordTooLargeForTopicException.class);
  }
}
