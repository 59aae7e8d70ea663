package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.druid.DatasourcePlacement;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Chooses the datasources that a query of an organisation reads: the one that all share, the
 * organisation's own, or both where its rows of the time are in both.
 */
final class TenantDatasources {

  private final DatasourcePlacements placements;

  TenantDatasources(DatasourcePlacements placements) {
    this.placements = placements;
  }

  /** Those that hold windows which begin in some stretches of time; one at least. */
  List<String> of(TenantId organization, Source source, IntervalSet spans) {
    String shared = source.datasource();
    Optional<DatasourcePlacement> placement = placements.of(organization);
    if (placement.isEmpty()) {
      return List.of(shared);
    }
    long from = placement.get().from().toEpochMilli();
    List<String> names = new ArrayList<>();
    if (spans.from(from).isEmpty() || !spans.before(from).isEmpty()) {
      names.add(shared);
    }
    if (!spans.from(from).isEmpty()) {
      names.add(placement.get().datasource(shared));
    }
    return names;
  }

  /** Names what a native query reads; several tables of the same columns are a union. */
  static void read(ObjectNode query, List<String> names) {
    if (names.size() == 1) {
      query.put("dataSource", names.get(0));
      return;
    }
    ObjectNode union = query.putObject("dataSource").put("type", "union");
    ArrayNode list = union.putArray("dataSources");
    names.forEach(list::add);
  }
}
