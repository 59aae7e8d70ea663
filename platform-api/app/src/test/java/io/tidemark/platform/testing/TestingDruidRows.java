package io.tidemark.platform.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rows that native queries are run on: filters, groups, sums and counts, in the plainest way, of
 * one bucket. What is not known of a query is an error.
 */
public final class TestingDruidRows {

  private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  private final JsonMapper json = JsonMapper.builder().build();
  private final List<Map<String, String>> rows;

  /** Rows as columns by name; {@code sum} is a number. */
  public TestingDruidRows(List<Map<String, String>> rows) {
    this.rows = List.copyOf(rows);
  }

  /** The answer to a query. */
  public String answer(String query) {
    JsonNode tree = json.readTree(query);
    return switch (tree.path("queryType").asString()) {
      case "groupBy", "timeseries" -> groups(tree);
      case "scan" -> scan(tree);
      case "segmentMetadata" -> columns();
      default -> throw new IllegalArgumentException("Unknown query " + query);
    };
  }

  private List<Map<String, String>> matching(JsonNode tree) {
    JsonNode source = tree.path("dataSource");
    JsonNode filter = source.isObject() ? source.at("/query/filter") : tree.path("filter");
    return rows.stream().filter(row -> holds(filter, row)).toList();
  }

  private String groups(JsonNode tree) {
    JsonNode inner = tree.path("dataSource").isObject() ? tree.at("/dataSource/query") : tree;
    Map<List<String>, List<Map<String, String>>> groups = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (JsonNode dimension : inner.path("dimensions")) {
      columns.add(
          dimension.isString() ? dimension.asString() : dimension.path("dimension").asString());
      names.add(
          dimension.isString() ? dimension.asString() : dimension.path("outputName").asString());
    }
    for (Map<String, String> row : matching(tree)) {
      List<String> key = new ArrayList<>();
      columns.forEach(column -> key.add(row.get(column)));
      groups.computeIfAbsent(key, ignored -> new ArrayList<>()).add(row);
    }
    ArrayNode answer = json.createArrayNode();
    groups.forEach(
        (key, members) -> {
          ObjectNode values = json.createObjectNode();
          for (int i = 0; i < names.size(); i++) {
            values.put(names.get(i), key.get(i));
          }
          for (JsonNode aggregation : tree.path("aggregations")) {
            values.put(name(aggregation), value(aggregation, members));
          }
          add(answer, tree, values);
        });
    return answer.toString();
  }

  private static void add(ArrayNode answer, JsonNode tree, ObjectNode values) {
    if (tree.path("context").path("resultAsArray").asBoolean(false)) {
      ArrayNode row = answer.addArray();
      if (!tree.at("/granularity/type").asString("all").equals("all")) {
        row.add(TIME.toEpochMilli());
      }
      values.values().forEach(row::add);
    } else {
      answer
          .addObject()
          .put("timestamp", TIME.toString())
          .set(tree.path("queryType").asString().equals("groupBy") ? "event" : "result", values);
    }
  }

  private static String name(JsonNode aggregation) {
    return aggregation.path("type").asString().equals("filtered")
        ? aggregation.at("/aggregator/name").asString()
        : aggregation.path("name").asString();
  }

  private static double value(JsonNode aggregation, List<Map<String, String>> members) {
    return switch (aggregation.path("type").asString()) {
      case "count", "longSum" -> members.size();
      case "filtered" ->
          aggregation.at("/filter/field/column").isMissingNode()
              ? members.size()
              : members.stream()
                  .filter(row -> row.get(aggregation.at("/filter/field/column").asString()) != null)
                  .count();
      default -> members.stream().mapToDouble(row -> Double.parseDouble(row.get("sum"))).sum();
    };
  }

  private String scan(JsonNode tree) {
    ArrayNode answer = json.createArrayNode();
    ArrayNode events = answer.addObject().putArray("events");
    for (Map<String, String> row : matching(tree)) {
      ObjectNode event = events.addObject();
      for (JsonNode column : tree.path("columns")) {
        event.put(column.asString(), row.get(column.asString()));
      }
      event.put("sum", Double.parseDouble(row.get("sum"))).put("count", 1);
    }
    return answer.toString();
  }

  /** Druid tells columns of all rows, whoever's they are. */
  private String columns() {
    ArrayNode answer = json.createArrayNode();
    ObjectNode columns = answer.addObject().putObject("columns");
    rows.forEach(row -> new TreeMap<>(row).keySet().forEach(columns::putObject));
    return answer.toString();
  }

  private static boolean holds(JsonNode filter, Map<String, String> row) {
    String value = row.get(filter.path("dimension").asString(filter.path("column").asString("")));
    return switch (filter.path("type").asString("true")) {
      case "true" -> true;
      case "and" -> filter.path("fields").valueStream().allMatch(part -> holds(part, row));
      case "or" -> filter.path("fields").valueStream().anyMatch(part -> holds(part, row));
      case "not" -> !holds(filter.path("field"), row);
      case "selector" -> filter.path("value").asString().equals(value);
      case "equals" -> filter.path("matchValue").asString().equals(value);
      case "null" -> value == null;
      case "in" ->
          filter.path("values").valueStream().anyMatch(each -> each.asString().equals(value));
      case "bound" -> {
        int order = value == null ? -1 : value.compareTo(filter.path("lower").asString());
        yield value != null && (filter.path("lowerStrict").asBoolean() ? order > 0 : order >= 0);
      }
      default -> throw new IllegalArgumentException("Unknown filter " + filter);
    };
  }
}
