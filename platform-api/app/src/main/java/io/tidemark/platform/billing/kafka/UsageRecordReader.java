package io.tidemark.platform.billing.kafka;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.usage.v1.Quantity;
import io.tidemark.contracts.usage.v1.UsageRecord;
import io.tidemark.platform.billing.MeteredRecord;
import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads values of the topic of usage records, by usage_record.proto. */
final class UsageRecordReader {

  private static final Pattern RECORD_ID = Pattern.compile("[0-9a-f]{64}");
  private static final long HOUR_MS = 3_600_000;

  private UsageRecordReader() {}

  /** A record that is not of the contract; the message names the field. */
  static final class UnreadableRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableRecordException(String message) {
      super(message);
    }
  }

  static MeteredRecord read(byte[] value) throws UnreadableRecordException {
    UsageRecord record;
    try {
      record = UsageRecord.parseFrom(value == null ? new byte[0] : value);
    } catch (InvalidProtocolBufferException notOfTheForm) {
      throw new UnreadableRecordException("It is no UsageRecord.");
    }
    require(RECORD_ID.matcher(record.getRecordId()).matches(), "record_id");
    require(TenantId.isWellFormed(record.getOrganizationId()), "organization_id");
    require(TenantId.isWellFormed(record.getEnvironmentId()), "environment_id");
    require(record.getHourUnixMs() > 0 && record.getHourUnixMs() % HOUR_MS == 0, "hour_unix_ms");
    require(record.getMeteredAtUnixMs() > 0, "metered_at_unix_ms");
    require(record.getMetersVersion() > 0, "meters_version");
    Map<String, BigDecimal> quantities = new TreeMap<>();
    for (Quantity quantity : record.getQuantitiesList()) {
      require(!quantity.getMeter().isEmpty(), "quantities.meter");
      require(quantity.getUnits() >= 0, "quantities.units");
      if (quantity.getUnits() > 0) {
        quantities.merge(
            text(quantity.getMeter()), BigDecimal.valueOf(quantity.getUnits()), BigDecimal::add);
      }
    }
    return new MeteredRecord(
        new TenantId(record.getOrganizationId()),
        record.getRecordId(),
        record.getEnvironmentId(),
        text(record.getResourceType()),
        text(record.getResourceId()),
        text(record.getMetric()),
        Instant.ofEpochMilli(record.getHourUnixMs()),
        record.getMetersVersion(),
        quantities,
        Instant.ofEpochMilli(record.getMeteredAtUnixMs()),
        record.getSourcePartition(),
        record.getSourceOffset());
  }

  /** PostgreSQL takes no null character in a text; the record id keeps such names apart. */
  private static String text(String sent) {
    return sent.replace('\0', '\uFFFD');
  }

  private static void require(boolean isMet, String field) throws UnreadableRecordException {
    if (!isMet) {
      throw new UnreadableRecordException(field + " is missing or malformed.");
    }
  }
}
