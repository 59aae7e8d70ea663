package io.tidemark.platform.ingest.application;

import io.tidemark.platform.ingest.domain.IngestOutcome.OverQuota;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.util.Optional;

/** Answers whether an environment is refused because it has more series than a budget. */
@FunctionalInterface
public interface SeriesBudgetCheck {

  /** Why it is refused now. Asked for every request, as {@link TenantQuotas} are. */
  Optional<OverQuota> of(TenantId organization, EnvironmentId environment);
}
