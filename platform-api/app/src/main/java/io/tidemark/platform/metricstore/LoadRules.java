package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.time.Duration;
import java.util.Optional;

/** Tells how long Druid keeps rows. */
@FunctionalInterface
public interface LoadRules {

  /**
   * What is kept.
   *
   * @param period rows of windows that began within it are all there; empty when all rows are
   */
  record LoadPeriod(Optional<Duration> period) {}

  /**
   * As its rules are now; empty while they are not known. Where an organisation's rows are in
   * several datasources, what all of them keep.
   */
  Optional<LoadPeriod> of(TenantId organization, Source source);
}
