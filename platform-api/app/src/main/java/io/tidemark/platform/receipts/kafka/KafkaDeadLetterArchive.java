package io.tidemark.platform.receipts.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.platform.kafka.PipelineConsumers;
import io.tidemark.platform.receipts.DeadLetterArchive;
import io.tidemark.platform.receipts.DeadLetterDescription;
import io.tidemark.platform.receipts.DeadLetterId;
import io.tidemark.platform.receipts.ReceiptsProperties;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.springframework.stereotype.Component;

/** Reads one letter from its topic. */
@Component
class KafkaDeadLetterArchive implements DeadLetterArchive {

  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final ReceiptsProperties properties;

  KafkaDeadLetterArchive(ReceiptsProperties properties) {
    this.properties = properties;
  }

  @Override
  public Optional<DeadLetterDescription> find(
      TenantId organization, EnvironmentId environment, DeadLetterId id) {
    TopicPartition partition = new TopicPartition(properties.deadLettersTopic(), id.partition());
    try (Consumer<byte[], byte[]> consumer =
        PipelineConsumers.of(properties.kafka(), "platform-api-dead-letters")) {
      boolean isThere =
          consumer.partitionsFor(partition.topic()).stream()
              .anyMatch(each -> each.partition() == id.partition());
      if (!isThere) {
        return Optional.empty();
      }
      long first =
          Objects.requireNonNull(consumer.beginningOffsets(List.of(partition)).get(partition));
      long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      if (id.offset() < first || id.offset() >= end) {
        return Optional.empty();
      }
      consumer.assign(List.of(partition));
      consumer.seek(partition, id.offset());
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(PATIENCE).records(partition)) {
        if (record.offset() == id.offset()) {
          return described(organization, environment, id, record);
        }
      }
      return Optional.empty();
    } catch (KafkaException away) {
      throw ProblemException.passing(
          away,
          ErrorCode.STORE_UNAVAILABLE,
          "The dead letters cannot be read now. Try again in some seconds.",
          Duration.ofSeconds(5));
    }
  }

  /** Another tenant's letter is as one that does not exist. */
  private static Optional<DeadLetterDescription> described(
      TenantId organization,
      EnvironmentId environment,
      DeadLetterId id,
      ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return Optional.empty();
    }
    DeadLetter letter;
    try {
      letter = DeadLetter.parseFrom(record.value());
    } catch (InvalidProtocolBufferException notOfTheForm) {
      return Optional.empty();
    }
    if (!letter.getOrganizationId().equals(organization.value())
        || !letter.getEnvironmentId().equals(environment.value())) {
      return Optional.empty();
    }
    return Optional.of(
        new DeadLetterDescription(
            id,
            letter.getBatchId(),
            letter.getReason().name().replaceFirst("^REASON_", ""),
            letter.getStage(),
            letter.getDetail(),
            letter.getPointCount(),
            Instant.ofEpochMilli(letter.getReceivedAtUnixMs()),
            letter.getOriginalSize(),
            DeadLetterSampler.sample(letter)));
  }
}
