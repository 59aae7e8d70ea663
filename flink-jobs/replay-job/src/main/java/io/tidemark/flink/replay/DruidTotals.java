package io.tidemark.flink.replay;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** What Druid says of every series and window of a tenant, written as rows of JSON. */
final class DruidTotals {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String broker;

  DruidTotals(String broker) {
    this.broker = broker;
  }

  /**
   * One line per series, window and distribution, added up by Druid.
   *
   * @throws IOException when Druid does not answer, or refuses
   */
  void write(RollupTable table, String tenant, Instant from, Instant to, Path lines)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(broker + "/druid/v2"))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(5))
                .POST(
                    HttpRequest.BodyPublishers.ofString(query(table, tenant, from, to).toString()))
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = answer.body();
        BufferedWriter out = Files.newBufferedWriter(lines);
        JsonParser parser = JSON.createParser(body)) {
      if (answer.statusCode() != 200) {
        throw new IOException(
            "Druid answered " + answer.statusCode() + ": " + JSON.readTree(parser));
      }
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new IOException("Druid did not answer with rows");
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        JsonNode row = JSON.readTree(parser);
        ObjectNode line = (ObjectNode) row.get("event");
        line.put("timestamp", Instant.parse(row.get("timestamp").asText()).toEpochMilli());
        out.write(withoutAbsent(line).toString());
        out.newLine();
      }
    }
  }

  /** Druid shows the start values of extremes that no row had. */
  private static ObjectNode withoutAbsent(ObjectNode line) {
    for (String figure : new String[] {"min", "max", "last"}) {
      JsonNode value = line.get(figure);
      if (value == null || !value.isNumber() || !Double.isFinite(value.asDouble())) {
        line.remove(figure);
      }
    }
    if (line.has("last")) {
      // Already the last one.
      line.put("last_timestamp", 0);
    }
    return line;
  }

  private static ObjectNode query(RollupTable table, String tenant, Instant from, Instant to) {
    ObjectNode query = JSON.createObjectNode();
    query.put("queryType", "groupBy");
    query.put("dataSource", table.tableName());
    query.put(
        "granularity",
        switch (table.level()) {
          case MINUTE -> "minute";
          case HOUR -> "hour";
          case DAY -> "day";
        });
    query.putArray("intervals").add(from + "/" + to);
    ArrayNode dimensions = query.putArray("dimensions");
    Comparison.NAMES.forEach(dimensions::add);
    dimensions.add("distribution");
    query
        .putObject("filter")
        .put("type", "selector")
        .put("dimension", "organization_id")
        .put("value", tenant);
    ArrayNode aggregations = query.putArray("aggregations");
    aggregation(aggregations, "doubleSum", "sum");
    aggregation(aggregations, "longSum", "count");
    aggregation(aggregations, "longSum", "panes");
    aggregation(aggregations, "doubleMin", "min");
    aggregation(aggregations, "doubleMax", "max");
    aggregation(aggregations, "doubleLast", "last");
    query.putObject("context").put("useCache", false).put("populateCache", false);
    return query;
  }

  private static void aggregation(ArrayNode aggregations, String type, String column) {
    aggregations.addObject().put("type", type).put("name", column).put("fieldName", column);
  }
}
