package io.tidemark.platform.billing;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Units of what a query groups by; what it does not is null. */
public record UsageSum(
    String environment,
    String resourceType,
    String resourceId,
    String metric,
    @Nullable Instant start,
    BigDecimal units) {}
