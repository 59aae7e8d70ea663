package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.util.List;

/** Asks a store of metrics. */
public interface MetricStore {

  /**
   * The rows of one organisation, whole groups only; every group that comes before a returned one
   * in the order that the query names is returned too. Empty when nothing is stored.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable}, {@code
   *     store_failed}, {@code query_timed_out} or {@code result_too_large}
   */
  List<StoreRow> run(TenantId organization, StoreQuery query);

  /** The rows of several queries, in their order; some may run at the same time. */
  default List<List<StoreRow>> runAll(TenantId organization, List<StoreQuery> queries) {
    return queries.stream().map(query -> run(organization, query)).toList();
  }

  /** About how many stored rows a query reads. */
  long estimate(TenantId organization, StoreQuery query);

  /** How many segments of Druid, or files of the lake, the query reads. */
  int pieces(TenantId organization, StoreQuery query);
}
