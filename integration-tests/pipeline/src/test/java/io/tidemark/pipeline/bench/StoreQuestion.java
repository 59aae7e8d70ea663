package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.stack.JsonHttp;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A native query as platform-api asks it of Druid. */
record StoreQuestion(
    String organization,
    String datasource,
    String metric,
    Map<String, String> equal,
    List<String> groupBy,
    String width,
    Instant from,
    Instant to) {

  private static final Map<String, Long> WIDTHS =
      Map.of("PT1M", 60_000L, "PT5M", 300_000L, "PT1H", 3_600_000L, "P1D", 86_400_000L);

  public StoreQuestion of(String otherDatasource) {
    return new StoreQuestion(
        organization, otherDatasource, metric, equal, groupBy, width, from, to);
  }

  /** The sum of each group and bucket. */
  public ObjectNode sums() {
    return tree(List.of("sum"));
  }

  ObjectNode tree(List<String> figures) {
    ObjectNode tree = JsonHttp.JSON.createObjectNode();
    tree.put("queryType", groupBy.isEmpty() ? "timeseries" : "groupBy");
    tree.put("dataSource", datasource);
    tree.putArray("intervals").add(from + "/" + to);
    if (width.equals("ALL")) {
      tree.putObject("granularity").put("type", "all");
    } else {
      tree.putObject("granularity")
          .put("type", "duration")
          .put("duration", WIDTHS.get(width))
          .put("origin", "1970-01-01T00:00:00.000Z");
    }
    ArrayNode fields = tree.putObject("filter").put("type", "and").putArray("fields");
    selector(fields, "organization_id", organization);
    selector(fields, "metric", metric);
    equal.forEach((column, value) -> selector(fields, column, value));
    if (!groupBy.isEmpty()) {
      ArrayNode dimensions = tree.putArray("dimensions");
      for (int i = 0; i < groupBy.size(); i++) {
        dimensions
            .addObject()
            .put("type", "default")
            .put("dimension", groupBy.get(i))
            .put("outputName", "group" + i)
            .put("outputType", "STRING");
      }
    }
    ArrayNode aggregations = tree.putArray("aggregations");
    for (String figure : figures) {
      aggregations
          .addObject()
          .put("type", aggregator(figure))
          .put("name", "f_" + figure)
          .put("fieldName", figure);
    }
    aggregations.addObject().put("type", "count").put("name", "rows");
    tree.putObject("context")
        .put("timeout", 20_000)
        .put("lane", "interactive")
        .put("priority", 10)
        .put("skipEmptyBuckets", true)
        .put("sortByDimsFirst", true)
        .put("applyLimitPushDown", false)
        .put("resultAsArray", true);
    return tree;
  }

  private static String aggregator(String figure) {
    return switch (figure) {
      case "sum" -> "doubleSum";
      case "count" -> "longSum";
      case "min" -> "doubleMin";
      case "max" -> "doubleMax";
      default -> throw new IllegalArgumentException(figure);
    };
  }

  private static void selector(ArrayNode fields, String column, String value) {
    fields.addObject().put("type", "selector").put("dimension", column).put("value", value);
  }
}
