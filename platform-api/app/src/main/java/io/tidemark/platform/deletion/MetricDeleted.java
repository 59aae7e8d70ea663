package io.tidemark.platform.deletion;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * All data of a metric are removed. Heard in the transaction that says so: whoever keeps what was
 * seen of it forgets that there.
 */
public record MetricDeleted(
    TenantId organization, EnvironmentId environment, @Nullable String metric) {}
