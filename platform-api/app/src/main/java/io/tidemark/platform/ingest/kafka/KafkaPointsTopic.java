package io.tidemark.platform.ingest.kafka;

import io.tidemark.platform.ingest.application.BatchPublisher;
import io.tidemark.platform.ingest.domain.Rejections;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Batches as records: one each, answered when the broker has confirmed it with acks=all. */
public final class KafkaPointsTopic implements BatchPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaPointsTopic.class);

  private final Producer<byte[], byte[]> producer;
  private final String topic;

  public KafkaPointsTopic(Producer<byte[], byte[]> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  @Override
  public CompletionStage<Void> publish(Batch batch) {
    CompletableFuture<Void> stored = new CompletableFuture<>();
    try {
      var unused =
          producer.send(
              record(batch),
              (metadata, failure) -> {
                if (failure == null) {
                  stored.complete(null);
                } else {
                  fail(stored, batch, failure);
                }
              });
    } catch (RuntimeException failure) {
      fail(stored, batch, failure);
    }
    return stored;
  }

  private ProducerRecord<byte[], byte[]> record(Batch batch) {
    long receivedAt = batch.receivedAt().toEpochMilli();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, null, receivedAt, batch.id().bytes(), batch.record());
    Headers headers = record.headers();
    headers.add(RecordHeaders.ORGANIZATION_ID, utf8(batch.organization().value()));
    headers.add(RecordHeaders.ENVIRONMENT_ID, utf8(batch.environment().value()));
    headers.add(RecordHeaders.BATCH_ID, utf8(batch.id().hex()));
    headers.add(RecordHeaders.RECEIVED_AT_UNIX_MS, utf8(Long.toString(receivedAt)));
    headers.add(RecordHeaders.POINTS, utf8(Long.toString(batch.points())));
    if (!batch.rejections().isEmpty()) {
      headers.add(RecordHeaders.REJECTED, utf8(rejected(batch.rejections())));
    }
    if (batch.key() != null) {
      headers.add(RecordHeaders.IDEMPOTENCY_KEY, utf8(batch.key().value()));
    }
    return record;
  }

  private static String rejected(Rejections rejections) {
    return new TreeMap<>(rejections.byReason())
        .entrySet().stream()
            .map(reason -> reason.getKey().name() + "=" + reason.getValue())
            .collect(Collectors.joining(","));
  }

  private static void fail(CompletableFuture<Void> stored, Batch batch, Exception failure) {
    LOG.warn(
        "Batch {} of {} is not stored: {}", batch.id(), batch.organization(), failure.toString());
    stored.completeExceptionally(
        failure instanceof RecordTooLargeException
            ? new RecordTooLargeForTopicException(failure)
            : failure);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
