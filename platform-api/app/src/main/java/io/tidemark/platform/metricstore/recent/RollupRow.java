package io.tidemark.platform.metricstore.recent;

import io.tidemark.platform.metricstore.AggregateState;
import io.tidemark.platform.metricstore.Distribution;
import io.tidemark.platform.metricstore.LabelKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/**
 * A line of a topic of rows, {@code events/rollup-row.schema.json}.
 *
 * @param names of labels, each with the value at its place; keys as queries name them
 */
record RollupRow(
    String organization,
    String environment,
    String metric,
    String series,
    long minute,
    AggregateState figures,
    List<String> names,
    List<String> values) {

  private static final JsonFactory JSON = new JsonFactory();
  private static final long MINUTE = 60_000;

  /**
   * A row that stands in a record.
   *
   * @throws IllegalArgumentException when it is not of the contract's form
   */
  static RollupRow of(byte[] record, int from, int length) {
    try (JsonParser parser = JSON.createParser(record, from, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("A line of a record of rows is no row");
      }
      RollupRow row = row(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("A line of a record of rows is more than a row");
      }
      return row;
    } catch (JacksonException unreadable) {
      throw new IllegalArgumentException("A record of rows cannot be read", unreadable);
    }
  }

  private static RollupRow row(JsonParser parser) {
    String organization = null;
    String environment = null;
    String metric = null;
    String series = null;
    long timestamp = -1;
    AggregateState figures = new AggregateState();
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "timestamp" -> timestamp = parser.getLongValue();
        case "organization_id" -> organization = parser.getString();
        case "environment_id" -> environment = parser.getString();
        case "metric" -> metric = parser.getString();
        case "series_id" -> series = parser.getString();
        case "sum" -> figures.sum = parser.getDoubleValue();
        case "count" -> figures.count = parser.getLongValue();
        case "min" -> figures.min = parser.getDoubleValue();
        case "max" -> figures.max = parser.getDoubleValue();
        case "last" -> figures.last = parser.getDoubleValue();
        case "last_timestamp" -> figures.lastAt = parser.getLongValue();
        case "distribution" -> {
          figures.distribution = new Distribution();
          figures.distribution.add(parser.getString(), 1);
        }
        default -> {
          if (name.startsWith("metric.") || name.startsWith("resource.")) {
            names.add(name);
            values.add(parser.getString());
          }
        }
      }
    }
    if (organization == null
        || environment == null
        || metric == null
        || series == null
        || timestamp < 0) {
      throw new IllegalArgumentException("A row lacks what says where it belongs");
    }
    return new RollupRow(
        organization,
        environment,
        metric,
        series,
        Math.floorDiv(timestamp, MINUTE) * MINUTE,
        figures,
        names,
        values);
  }

  Map<String, String> labels() {
    Map<String, String> labels = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      labels.put(names.get(i), values.get(i));
    }
    labels.put(LabelKey.ENVIRONMENT.value(), environment);
    return labels;
  }
}
