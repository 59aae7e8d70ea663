package io.tidemark.provision;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Filters of Druid's tasks that put each row into one datasource. Both are functions of a row
 * alone, so a row that comes late, or is read again, goes where it would have gone before.
 */
final class PlacementFilter {
  private static final String ORGANIZATION = "organization_id";
  private static final String TIME = "__time";

  private PlacementFilter() {}

  /** Rows of the organisation from the moment on. */
  static ObjectNode own(DatasourcePlacement placement) {
    ObjectNode later = range();
    later.put("lower", placement.from().toEpochMilli());
    return all("and", List.of(equal(placement), later));
  }

  /** All other rows. A row without an organisation is one of them: it is equal to nothing. */
  static ObjectNode shared(List<DatasourcePlacement> placements) {
    return all(
        "and",
        placements.stream()
            .map(
                placement ->
                    all("or", List.of(not(equal(placement)), absent(), earlier(placement))))
            .toList());
  }

  private static ObjectNode equal(DatasourcePlacement placement) {
    return EngineClient.JSON
        .createObjectNode()
        .put("type", "equals")
        .put("column", ORGANIZATION)
        .put("matchValueType", "STRING")
        .put("matchValue", placement.organization());
  }

  private static ObjectNode absent() {
    return EngineClient.JSON.createObjectNode().put("type", "null").put("column", ORGANIZATION);
  }

  private static ObjectNode earlier(DatasourcePlacement placement) {
    return range().put("upper", placement.from().toEpochMilli()).put("upperOpen", true);
  }

  private static ObjectNode range() {
    return EngineClient.JSON
        .createObjectNode()
        .put("type", "range")
        .put("column", TIME)
        .put("matchValueType", "LONG");
  }

  private static ObjectNode not(ObjectNode filter) {
    ObjectNode not = EngineClient.JSON.createObjectNode().put("type", "not");
    not.set("field", filter);
    return not;
  }

  private static ObjectNode all(String type, List<ObjectNode> filters) {
    ObjectNode all = EngineClient.JSON.createObjectNode().put("type", type);
    ArrayNode fields = all.putArray("fields");
    filters.forEach(fields::add);
    return all;
  }
}
