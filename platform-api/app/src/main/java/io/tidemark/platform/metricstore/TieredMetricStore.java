package io.tidemark.platform.metricstore;

import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.List;

/** Hands every question to the store that its part names. */
public final class TieredMetricStore implements MetricStore {

  private final MetricStore druid;
  private final MetricStore lake;

  /** Both stores. */
  public TieredMetricStore(MetricStore druid, MetricStore lake) {
    this.druid = druid;
    this.lake = lake;
  }

  @Override
  public List<StoreRow> run(TenantId organization, StoreQuery query) {
    return of(query).run(organization, query);
  }

  /** The lake first: it is the one that may have to refuse. */
  @Override
  public List<List<StoreRow>> runAll(TenantId organization, List<StoreQuery> queries) {
    List<List<StoreRow>> answers = new ArrayList<>();
    List<StoreQuery> ofDruid = new ArrayList<>();
    for (StoreQuery query : queries) {
      if (query.part().store() == Store.LAKE) {
        answers.add(lake.run(organization, query));
      } else {
        answers.add(null);
        ofDruid.add(query);
      }
    }
    List<List<StoreRow>> recent =
        ofDruid.isEmpty() ? List.of() : druid.runAll(organization, ofDruid);
    int next = 0;
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i) == null) {
        answers.set(i, recent.get(next++));
      }
    }
    return answers;
  }

  @Override
  public long estimate(TenantId organization, StoreQuery query) {
    return of(query).estimate(organization, query);
  }

  @Override
  public int pieces(TenantId organization, StoreQuery query) {
    return of(query).pieces(organization, query);
  }

  private MetricStore of(StoreQuery query) {
    return switch (query.part().store()) {
      case DRUID -> druid;
      case LAKE -> lake;
    };
  }
}
