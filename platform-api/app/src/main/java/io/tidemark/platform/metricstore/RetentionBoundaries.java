package io.tidemark.platform.metricstore;

import java.time.Instant;
import java.util.Optional;

/** Tells from when on rows are shown. */
@FunctionalInterface
public interface RetentionBoundaries {

  /**
   * Rows of a metric that began before are hidden, of one environment at least; empty when none
   * are.
   */
  Optional<Instant> before(QueryScope readable, Level level, String metric);
}
