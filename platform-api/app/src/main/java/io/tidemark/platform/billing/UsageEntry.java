package io.tidemark.platform.billing;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A row of the usage ledger.
 *
 * @param ratedHour the hour by which it is priced
 * @param billedMonth first day of the month whose invoice holds it
 * @param reason null for ordinary usage, else why it is an adjustment
 * @param previousHash of the entry before, 64 hexadecimal digits
 * @param hash of this one; null while it is made
 */
record UsageEntry(
    String organization,
    long sequence,
    String recordId,
    String meter,
    int metersVersion,
    String environment,
    String resourceType,
    String resourceId,
    String metric,
    BigDecimal units,
    Instant hour,
    Instant ratedHour,
    LocalDate billedMonth,
    @Nullable String reason,
    Instant meteredAt,
    Instant recordedAt,
    int sourcePartition,
    long sourceOffset,
    String previousHash,
    @Nullable String hash) {

  String kind() {
    return reason == null ? "usage" : "adjustment";
  }

  UsageEntry withHash(String computed) {
    return new UsageEntry(
        organization,
        sequence,
        recordId,
        meter,
        metersVersion,
        environment,
        resourceType,
        resourceId,
        metric,
        units,
        hour,
        ratedHour,
        billedMonth,
        reason,
        meteredAt,
        recordedAt,
        sourcePartition,
        sourceOffset,
        previousHash,
        computed);
  }
}
