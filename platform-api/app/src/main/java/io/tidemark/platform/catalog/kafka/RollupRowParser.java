package io.tidemark.platform.catalog.kafka;

import io.tidemark.platform.catalog.Sightings;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/** Reads the lines of a record of rollup rows, as contracts/events/rollup-row.schema.json says. */
final class RollupRowParser {

  private static final String LABEL = "metric.";

  private final JsonFactory json = new JsonFactory();

  /**
   * Adds what the rows show.
   *
   * @throws RuntimeException when the value is not rows; those before the fault are added
   */
  void read(byte[] value, Sightings sightings) {
    try (JsonParser parser =
        json.createParser(tools.jackson.core.ObjectReadContext.empty(), value)) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        row(parser, sightings);
      }
    }
  }

  private static void row(JsonParser parser, Sightings sightings) {
    String organization = null;
    String environment = null;
    String metric = null;
    String type = null;
    String unit = "";
    String resourceType = null;
    String resourceId = null;
    long minute = 0;
    List<String> labels = new ArrayList<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "timestamp" -> minute = parser.getLongValue();
        case "organization_id" -> organization = parser.getString();
        case "environment_id" -> environment = parser.getString();
        case "metric" -> metric = parser.getString();
        case "metric_type" -> type = parser.getString();
        case "unit" -> unit = parser.getString();
        case "resource_type" -> resourceType = parser.getString();
        case "resource_id" -> resourceId = parser.getString();
        default -> {
          if (name.startsWith(LABEL)) {
            labels.add(name.substring(LABEL.length()));
          }
          if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
            parser.skipChildren();
          }
        }
      }
    }
    sightings.add(
        organization, environment, metric, type, unit, resourceType, resourceId, labels, minute);
  }
}
