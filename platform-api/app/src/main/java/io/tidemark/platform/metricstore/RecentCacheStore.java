package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Asks a store only for what is not at hand. */
public final class RecentCacheStore implements MetricStore {

  private final RecentMinutes recent;
  private final MetricStore store;

  public RecentCacheStore(RecentMinutes recent, MetricStore store) {
    this.recent = recent;
    this.store = store;
  }

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    return recent.rows(organization, query).orElseGet(() -> store.run(organization, query));
  }

  @Override
  public List<List<StoreRow>> runAll(TenantId organization, List<StoreQuery> queries) {
    List<Optional<List<StoreRow>>> found = new ArrayList<>();
    List<StoreQuery> others = new ArrayList<>();
    for (StoreQuery query : queries) {
      Optional<List<StoreRow>> rows = recent.rows(organization, query);
      found.add(rows);
      if (rows.isEmpty()) {
        others.add(query);
      }
    }
    Iterator<List<StoreRow>> rest =
        others.isEmpty()
            ? List.<List<StoreRow>>of().iterator()
            : store.runAll(organization, others).iterator();
    List<List<StoreRow>> answers = new ArrayList<>();
    found.forEach(rows -> answers.add(rows.orElseGet(rest::next)));
    return answers;
  }

  @Override
  public long estimate(TenantId organization, StoreQuery query) {
    OptionalLong rows = recent.estimate(organization, query);
    return rows.isPresent() ? rows.getAsLong() : store.estimate(organization, query);
  }

  /** Where rows are stored, whoever answers. */
  @Override
  public int pieces(TenantId organization, StoreQuery query) {
    return store.pieces(organization, query);
  }
}
