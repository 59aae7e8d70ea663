package io.tidemark.platform.query.application;

import io.tidemark.platform.query.domain.MetricQuery;
import io.tidemark.platform.query.domain.QueryRow;
import io.tidemark.platform.shared.TenantId;
import java.util.List;

/** Runs a plan on the store of metrics. */
@FunctionalInterface
public interface RunQuery {

  /**
   * The rows of one organisation, ordered by labels (absent ones first) and then by time; whole
   * groups, at most as many as the plan allows. Empty when nothing is stored.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable}, {@code
   *     store_failed}, {@code query_timed_out} or {@code result_too_large}
   */
  List<QueryRow> run(TenantId organization, MetricQuery query);
}
