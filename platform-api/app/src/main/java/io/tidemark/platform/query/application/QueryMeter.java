package io.tidemark.platform.query.application;

import io.tidemark.platform.metricstore.Lane;
import io.tidemark.platform.metricstore.QueryScope;
import java.util.Set;

/** Counts queries that ran to their end. */
@FunctionalInterface
public interface QueryMeter {

  /** For who is not billed. */
  QueryMeter NONE = (scope, metrics, lane, rows) -> {};

  /**
   * A query ran; its answer leaves when this returns.
   *
   * @param metrics that it read
   * @param rows that it was estimated to read
   */
  void ran(QueryScope scope, Set<String> metrics, Lane lane, long rows);
}
