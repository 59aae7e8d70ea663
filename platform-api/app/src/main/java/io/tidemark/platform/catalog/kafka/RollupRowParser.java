package io.tidemark.platform.catalog.kafka;

import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.rows.RowScanner;
import io.tidemark.platform.rows.SeriesNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the lines of a record of rollup rows, as contracts/events/rollup-row.schema.json says. A
 * series is parsed once: further rows of it are recognised by their bytes, and of those that look
 * alike in the catalogue one is enough for each minute. For one thread.
 */
final class RollupRowParser {

  private static final String LABEL = "metric.";

  /** About 24 MiB of memory. */
  private static final int MAX_SERIES = 250_000;

  private final JsonFactory json = new JsonFactory();
  private final RowScanner scanner = new RowScanner();
  private final SeriesNames<Times> series = new SeriesNames<>();
  private final Map<Appearance, Times> appearances = new HashMap<>();

  /** All that the catalogue shows of a series. */
  private record Appearance(
      String organization,
      String environment,
      @Nullable String metric,
      @Nullable String type,
      String unit,
      String resourceType,
      String resourceId,
      List<String> labels) {}

  /** Between which minutes nothing is new of series that look alike. */
  private static final class Times {
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    boolean has(long minute) {
      return minute >= first && minute <= last;
    }

    void add(long minute) {
      first = Math.min(first, minute);
      last = Math.max(last, minute);
    }
  }

  /** Takes every series for new again: what was added to sightings is lost. */
  void forget() {
    series.clear();
    appearances.clear();
  }

  /**
   * Adds what the rows show that no row before them showed.
   *
   * @throws RuntimeException when the value is not rows; those before the fault are added
   */
  void read(byte[] value, Sightings sightings) {
    if (series.size() >= MAX_SERIES || appearances.size() >= MAX_SERIES) {
      forget();
    }
    scanner.reset(value);
    while (scanner.next()) {
      if (!scanner.isPlain()) {
        row(value, sightings);
        continue;
      }
      Times known = series.find(value, scanner.namesFrom(), scanner.namesLength());
      if (known == null) {
        series.keep(row(value, sightings));
      } else if (!known.has(scanner.timestamp())) {
        row(value, sightings);
      }
    }
  }

  private Times row(byte[] value, Sightings sightings) {
    try (JsonParser parser =
        json.createParser(
            tools.jackson.core.ObjectReadContext.empty(),
            value,
            scanner.from(),
            scanner.length())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("A line of a record of rows is no row");
      }
      return row(parser, sightings);
    }
  }

  private Times row(JsonParser parser, Sightings sightings) {
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
        Objects.requireNonNull(organization),
        Objects.requireNonNull(environment),
        metric,
        type,
        unit,
        Objects.requireNonNull(resourceType),
        Objects.requireNonNull(resourceId),
        labels,
        minute);
    Times times =
        appearances.computeIfAbsent(
            new Appearance(
                organization,
                environment,
                metric,
                type,
                unit,
                resourceType,
                resourceId,
                List.copyOf(labels)),
            unknown -> new Times());
    times.add(minute);
    return times;
  }
}
