package io.tidemark.flink.io.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.model.point.SourcePosition;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.rollup.Pane;
import io.tidemark.flink.model.rollup.RollupRow;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Against the examples and the schema that platform-api publishes. */
class RowJsonTest {

  private static final Path CONTRACTS = Path.of(System.getProperty("tidemark.contracts"));
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SourcePosition FIRST = new SourcePosition(1, 22, 333);

  @Test
  void rowsEqualTheGoldenExamples() throws Exception {
    List<String> lines = Files.readAllLines(CONTRACTS.resolve("examples/rollup-row.ndjson"));
    assertTrue(lines.size() >= 4, "examples are there");
    for (String line : lines) {
      JsonNode golden = JSON.readTree(line);

      JsonNode written = JSON.readTree(RowJson.encode(rowOf(golden)));

      assertEquals(Set.copyOf(names(golden)), Set.copyOf(names(written)));
      for (String name : names(golden)) {
        if (golden.get(name).isNumber()) {
          assertEquals(golden.get(name).doubleValue(), written.get(name).doubleValue(), name);
        } else if (!name.equals("pane_id")) {
          assertEquals(golden.get(name), written.get(name));
        }
      }
    }
  }

  @Test
  void rowsKeepToTheSchema() throws Exception {
    JsonNode schema = JSON.readTree(CONTRACTS.resolve("events/rollup-row.schema.json").toFile());
    Pane pane = Pane.open(FIRST, 0).plus(Contribution.ofValue(0.1), 1_500_000L);

    JsonNode row = JSON.readTree(RowJson.encode(row(pane)));

    schema.get("required").forEach(name -> assertTrue(row.has(name.asText()), name.asText()));
    for (String name : names(row)) {
      boolean isLabel = name.startsWith("resource.") || name.startsWith("metric.");
      assertTrue(isLabel || schema.get("properties").has(name), name);
    }
    Set<String> kinds = new java.util.HashSet<>();
    schema.at("/properties/metric_type/enum").forEach(kind -> kinds.add(kind.asText()));
    for (MetricKind kind : MetricKind.values()) {
      assertTrue(kinds.contains(kind.wireName()), kind.wireName());
    }
  }

  @Test
  void rowIsOneLineWithEscapedLabels() {
    Pane pane = Pane.open(FIRST, 0).plus(Contribution.ofValue(1e300), 1_500_000L);

    String json = new String(RowJson.encode(row(pane)), StandardCharsets.UTF_8);

    assertFalse(json.contains("\n"));
    assertTrue(json.contains("\"metric.line\":\"a\\nb \\\"ü\\\"\""), json);
    assertTrue(json.contains("\"sum\":1.0E300"), json);
    assertTrue(json.contains("\"last_timestamp\":1"), json);
    assertTrue(json.contains("-60000-1-22-333\""), json);
  }

  @Test
  void attributeOnTheIdColumnYields() throws Exception {
    SeriesDescriptor series =
        new SeriesDescriptor(
            "o",
            "e",
            "m",
            MetricKind.GAUGE,
            "",
            Map.of("service.name", "a", "service.id", "b"),
            Map.of());
    Pane pane = Pane.open(FIRST, 0).plus(Contribution.ofValue(1), 1);

    String json =
        new String(
            RowJson.encode(new RollupRow(SeriesKey.of(series), series, 0, pane)),
            StandardCharsets.UTF_8);

    assertEquals(1, json.split("\"resource.service.id\"", -1).length - 1, json);
    assertEquals("a", JSON.readTree(json).get("resource.service.id").asText());
  }

  @Test
  void bundlesEndAtTheirLimits() {
    RowBundle bundle = new RowBundle();
    byte[] row = {'{', '}'};
    int rows = 0;
    while (bundle.hasRoomFor(row)) {
      bundle.add(row);
      rows++;
    }
    String value = new String(bundle.take(), StandardCharsets.UTF_8);

    assertEquals(500, rows);
    assertEquals(500, value.split("\n").length);
    assertFalse(value.endsWith("\n"));
    assertTrue(bundle.isEmpty());

    byte[] half = new byte[RowSink.LARGEST_BUNDLE / 2];
    Arrays.fill(half, (byte) 'x');
    bundle.add(half);
    assertFalse(bundle.hasRoomFor(half), "the line feed counts");
  }

  private static RollupRow row(Pane pane) {
    SeriesDescriptor series =
        new SeriesDescriptor(
            "org-a",
            "env-a",
            "m",
            MetricKind.GAUGE,
            "1",
            Map.of("host.name", "h"),
            Map.of("line", "a\nb \"ü\""));
    return new RollupRow(SeriesKey.of(series), series, 60_000, pane);
  }

  private static List<String> names(JsonNode row) {
    List<String> names = new ArrayList<>();
    row.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Reads a row back into the model, the way its writer must have seen it. */
  private static RollupRow rowOf(JsonNode json) {
    Map<String, String> resource = new HashMap<>();
    Map<String, String> labels = new HashMap<>();
    String type = json.get("resource_type").asText();
    String idColumn = "resource." + type + ".id";
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (name.startsWith("resource.") && !name.equals(idColumn)) {
        resource.put(name.substring("resource.".length()), json.get(name).asText());
      } else if (name.startsWith("metric.")) {
        labels.put(name.substring("metric.".length()), json.get(name).asText());
      }
    }
    if (!type.equals("unknown") && !type.equals("service")) {
      resource.put("tidemark.resource.type", type);
      resource.put("tidemark.resource.id", json.get("resource_id").asText());
    }
    MetricKind kind =
        Arrays.stream(MetricKind.values())
            .filter(candidate -> candidate.wireName().equals(json.get("metric_type").asText()))
            .findFirst()
            .orElseThrow();
    String hex = json.get("series_id").asText();
    SeriesKey key =
        new SeriesKey(
            Long.parseUnsignedLong(hex.substring(0, 16), 16),
            Long.parseUnsignedLong(hex.substring(16), 16));
    Pane pane =
        new Pane(
            figure(json, "sum"),
            json.get("count").asLong(),
            figure(json, "min"),
            figure(json, "max"),
            figure(json, "last"),
            json.path("last_timestamp").asLong() * 1_000_000L,
            1,
            0,
            FIRST,
            0);
    SeriesDescriptor series =
        new SeriesDescriptor(
            json.get("organization_id").asText(),
            json.get("environment_id").asText(),
            json.get("metric").asText(),
            kind,
            json.get("unit").asText(),
            resource,
            labels);
    return new RollupRow(key, series, json.get("timestamp").asLong(), pane);
  }

  private static double figure(JsonNode json, String name) {
    return json.has(name) ? json.get(name).asDouble() : Double.NaN;
  }
}
