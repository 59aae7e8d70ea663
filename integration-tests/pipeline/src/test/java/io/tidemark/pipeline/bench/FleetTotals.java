package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.PointFleet;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares what the stores hold of metrics with what was sent. */
final class FleetTotals {
  static final List<String> LEVELS = List.of("rollup_1m", "rollup_1h", "rollup_1d");

  /** Sums of doubles depend on their order in the last digits. */
  private static final double TOLERANCE = 1e-9;

  private final BenchDruid druid;
  private final LakeReader lake;
  private final String organization;

  FleetTotals(BenchDruid druid, LakeReader lake, String organization) {
    this.druid = druid;
    this.lake = lake;
    this.organization = organization;
  }

  /**
   * What a datasource holds.
   *
   * @param rows as they are stored now
   * @param panes of which they are made
   */
  record Stored(long rows, long panes, Map<String, PointFleet.Total> totals) {
    public long points() {
      return totals.values().stream().mapToLong(PointFleet.Total::count).sum();
    }
  }

  /** By metric, in Druid. */
  Stored stored(String datasource, Map<String, PointFleet.Total> sent)
      throws IOException, InterruptedException {
    return stored(
        datasource,
        Instant.parse("2000-01-01T00:00:00Z"),
        Instant.parse("2100-01-01T00:00:00Z"),
        sent);
  }

  /** The same of rows whose windows begin between two moments. */
  Stored stored(String datasource, Instant from, Instant to, Map<String, PointFleet.Total> sent)
      throws IOException, InterruptedException {
    ObjectNode query = JsonHttp.JSON.createObjectNode().put("queryType", "groupBy");
    query.put("dataSource", datasource).put("granularity", "all");
    query.putArray("intervals").add(from + "/" + to);
    query.putArray("dimensions").add("metric");
    ArrayNode fields = query.putObject("filter").put("type", "and").putArray("fields");
    fields
        .addObject()
        .put("type", "selector")
        .put("dimension", "organization_id")
        .put("value", organization);
    ObjectNode in = fields.addObject().put("type", "in").put("dimension", "metric");
    sent.keySet().forEach(in.putArray("values")::add);
    ArrayNode aggregations = query.putArray("aggregations");
    aggregations.addObject().put("type", "count").put("name", "rows");
    sum(aggregations, "longSum", "panes");
    sum(aggregations, "longSum", "count");
    sum(aggregations, "doubleSum", "sum");
    query.putObject("context").put("useCache", false).put("populateCache", false);
    long rows = 0;
    long panes = 0;
    Map<String, PointFleet.Total> totals = new TreeMap<>();
    for (JsonNode row : druid.read(query)) {
      JsonNode event = row.path("event");
      rows += event.path("rows").asLong();
      panes += event.path("panes").asLong();
      totals.put(
          event.path("metric").asText(),
          new PointFleet.Total(event.path("count").asLong(), event.path("sum").asDouble()));
    }
    return new Stored(rows, panes, totals);
  }

  private static void sum(ArrayNode aggregations, String type, String column) {
    aggregations.addObject().put("type", type).put("name", column).put("fieldName", column);
  }

  /** By metric, in a table of the lake; of raw_points each point counts one. */
  Map<String, Stored> inLake(Map<String, PointFleet.Total> sent)
      throws IOException, InterruptedException {
    JsonNode found = lake.totals(organization, sent.keySet());
    Map<String, Stored> tables = new TreeMap<>();
    found
        .fields()
        .forEachRemaining(
            table -> {
              Map<String, PointFleet.Total> totals = new TreeMap<>();
              long[] rows = {0};
              table
                  .getValue()
                  .fields()
                  .forEachRemaining(
                      metric -> {
                        JsonNode total = metric.getValue();
                        rows[0] += total.path("rows").asLong();
                        totals.put(
                            metric.getKey(),
                            new PointFleet.Total(
                                total.path("count").asLong(), total.path("sum").asDouble()));
                      });
              tables.put(table.getKey(), new Stored(rows[0], rows[0], totals));
            });
    return tables;
  }

  /** Returns once a datasource adds up to what was sent; fails after the patience. */
  void awaitRows(String datasource, Map<String, PointFleet.Total> sent, Duration patience)
      throws Exception {
    Await.until(
        datasource + " adds up to what was acknowledged",
        patience,
        () -> differences(datasource, sent, stored(datasource, sent).totals()),
        List::isEmpty);
  }

  /** A line for each metric that differs; none when all are equal. */
  public static List<String> differences(
      String store, Map<String, PointFleet.Total> sent, Map<String, PointFleet.Total> found) {
    List<String> lines = new ArrayList<>();
    sent.forEach(
        (metric, total) -> {
          PointFleet.Total other = found.getOrDefault(metric, new PointFleet.Total(0, 0));
          boolean isEqual =
              total.count() == other.count()
                  && Math.abs(total.sum() - other.sum()) <= TOLERANCE * Math.abs(total.sum());
          if (!isEqual) {
            lines.add("%s %s: sent %s, found %s".formatted(store, metric, total, other));
          }
        });
    return lines;
  }
}
