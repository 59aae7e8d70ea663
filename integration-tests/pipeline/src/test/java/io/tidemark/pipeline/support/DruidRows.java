package io.tidemark.pipeline.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Instant;
import java.util.TreeMap;

/** Asks Druid itself what its rows of a metric add up to. */
public final class DruidRows {
  private final JsonHttp http = new JsonHttp();
  private final String broker;

  public DruidRows(String broker) {
    this.broker = broker;
  }

  /**
   * @param granularity {@code minute}, {@code hour} or {@code day}
   * @param label point attribute to group by; none when empty
   */
  public TreeMap<Bucket, RowFigures> figures(
      String datasource, String granularity, String metric, String label, Instant from, Instant to)
      throws IOException, InterruptedException {
    ObjectNode query = JsonHttp.JSON.createObjectNode();
    query.put("queryType", "groupBy").put("dataSource", datasource);
    query.put("granularity", granularity);
    query.putArray("intervals").add(from + "/" + to);
    ArrayNode dimensions = query.putArray("dimensions");
    if (!label.isEmpty()) {
      dimensions.add("metric." + label);
    }
    query
        .putObject("filter")
        .put("type", "selector")
        .put("dimension", "metric")
        .put("value", metric);
    ArrayNode aggregations = query.putArray("aggregations");
    aggregation(aggregations, "doubleSum", "sum");
    aggregation(aggregations, "longSum", "count");
    aggregation(aggregations, "doubleMin", "min");
    aggregation(aggregations, "doubleMax", "max");
    // What a cache or a missing segment would hide is an error here.
    query.putObject("context").put("useCache", false).put("populateCache", false);
    JsonHttp.Answer answer = http.post(broker + "/druid/v2", query);
    if (!answer.ok()) {
      throw new IOException(answer.status() + " " + answer.text());
    }
    TreeMap<Bucket, RowFigures> rows = new TreeMap<>();
    for (JsonNode row : answer.body()) {
      JsonNode event = row.path("event");
      String group = label.isEmpty() ? "" : event.path("metric." + label).asText();
      rows.put(
          new Bucket(Instant.parse(row.path("timestamp").asText()), group),
          new RowFigures(
              event.path("sum").asDouble(),
              event.path("count").asLong(),
              event.path("min").asDouble(),
              event.path("max").asDouble()));
    }
    return rows;
  }

  private static void aggregation(ArrayNode aggregations, String type, String column) {
    aggregations.addObject().put("type", type).put("name", column).put("fieldName", column);
  }
}
