package io.tidemark.platform.billing;

import io.tidemark.platform.shared.TenantId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

/**
 * A usage record as the pipeline wrote it.
 *
 * @param recordId 64 hexadecimal digits
 * @param hour start of the hour of receipt
 * @param quantities units by meter; none is negative
 */
public record MeteredRecord(
    TenantId organization,
    String recordId,
    String environment,
    String resourceType,
    String resourceId,
    String metric,
    Instant hour,
    int metersVersion,
    Map<String, BigDecimal> quantities,
    Instant meteredAt,
    int sourcePartition,
    long sourceOffset) {

  /** Of a record that is made of no batch. */
  static final int NO_PARTITION = -1;

  public MeteredRecord {
    quantities = Map.copyOf(quantities);
  }
}
