package io.tidemark.platform.receipts.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.deadletter.v1.DeadLetter;
import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.DeadLetterRef;
import io.tidemark.platform.receipts.ReasonCounts;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Reads records by contracts/events; what is not of their form tells nothing. */
final class ReceiptRecords {

  private static final String REASON_PREFIX = "REASON_";
  private static final Pattern BATCH_ID = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

  private ReceiptRecords() {}

  /** The copy that a record of the points topic is; empty when no gateway counted its points. */
  static Optional<BatchCopy> copy(ConsumerRecord<byte[], byte[]> record) {
    String organization = header(record, "tidemark.organization_id");
    String environment = header(record, "tidemark.environment_id");
    String batch = header(record, "tidemark.batch_id");
    String receivedAt = header(record, "tidemark.received_at_unix_ms");
    String points = header(record, "tidemark.points");
    String key = header(record, "tidemark.idempotency_key");
    if (!isOfTenant(organization, environment, batch)
        || !NUMBER.matcher(receivedAt).matches()
        || !NUMBER.matcher(points).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new BatchCopy(
              new TenantId(organization),
              new EnvironmentId(environment),
              batch,
              key.isEmpty() ? null : key,
              record.partition(),
              record.offset(),
              Instant.ofEpochMilli(Long.parseLong(receivedAt)),
              Long.parseLong(points),
              ReasonCounts.of(header(record, "tidemark.rejected"))));
    } catch (IllegalArgumentException notOfTheForm) {
      return Optional.empty();
    }
  }

  /** What a record of the dead-letter topic sets aside; empty when it names no batch. */
  static Optional<DeadLetterRef> letter(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      return Optional.empty();
    }
    DeadLetter letter;
    try {
      letter = DeadLetter.parseFrom(record.value());
    } catch (InvalidProtocolBufferException notOfTheForm) {
      return Optional.empty();
    }
    String reason = letter.getReason().name();
    if (!isOfTenant(letter.getOrganizationId(), letter.getEnvironmentId(), letter.getBatchId())
        || !reason.startsWith(REASON_PREFIX)
        || letter.getReceivedAtUnixMs() <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        new DeadLetterRef(
            new TenantId(letter.getOrganizationId()),
            new EnvironmentId(letter.getEnvironmentId()),
            letter.getBatchId(),
            new DeadLetterRef.SourcePosition(
                letter.getSourceTopic(), letter.getSourcePartition(), letter.getSourceOffset()),
            Instant.ofEpochMilli(letter.getReceivedAtUnixMs()),
            reason.substring(REASON_PREFIX.length()),
            letter.getPointCount(),
            new DeadLetterRef.SourcePosition(record.topic(), record.partition(), record.offset())));
  }

  private static boolean isOfTenant(String organization, String environment, String batch) {
    return TenantId.isWellFormed(organization)
        && TenantId.isWellFormed(environment)
        && BATCH_ID.matcher(batch).matches();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }
}
