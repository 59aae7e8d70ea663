package io.tidemark.platform.quotas;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of an organisation or an environment.
 *
 * @param maximum the maximum that can be set
 * @param version counts up with every change; 0 when nothing was ever set
 * @param updatedAt null when nothing was ever set
 */
public record HolderQuotas(
    QuotaOverrides set,
    QuotaAmounts inForce,
    QuotaAmounts maximum,
    long version,
    @Nullable Instant updatedAt) {}
