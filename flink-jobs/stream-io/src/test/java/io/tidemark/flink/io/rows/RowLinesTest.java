package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.series.DescriptorBytes;
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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Against the examples and the schema that platform-api publishes. */
class RowLinesTest {

  private static final Path CONTRACTS = Path.of(System.getProperty("tidemark.contracts"));
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] NO_LABELS = new byte[Integer.BYTES];

  @Test
  void rowsEqualTheGoldenExamples() throws Exception {
    List<String> lines = Files.readAllLines(CONTRACTS.resolve("examples/rollup-row.ndjson"));
    assertTrue(lines.size() >= 4, "examples are there");
    for (String line : lines) {
      JsonNode golden = JSON.readTree(line);

      JsonNode written = JSON.readTree(rowOf(golden));

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
    JsonNode row = JSON.readTree(row(0.1));

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
    String json = new String(row(1e300), StandardCharsets.UTF_8);

    assertFalse(json.contains("\n"));
    assertTrue(json.contains("\"metric.line\":\"a\\nb \\\"ü\\\"\""), json);
    assertTrue(json.contains("\"sum\":1.0E300"), json);
    assertTrue(json.contains("\"last_timestamp\":1"), json);
    assertTrue(json.contains("-60000-333\""), json);
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
    byte[] row = row(series, new PaneAggregate().ofValue(1, 1));

    String json = new String(row, StandardCharsets.UTF_8);
    assertEquals(1, json.split("\"resource.service.id\"", -1).length - 1, json);
    assertEquals("a", JSON.readTree(json).get("resource.service.id").asText());
  }

  @Test
  void bundlesEndAtTheirLimits() {
    RowLines lines = new RowLines();
    SeriesKey key = new SeriesKey(1, 2);
    byte[] text = "\"a\":1".getBytes(StandardCharsets.UTF_8);
    int rows = 0;
    while (lines.hasRoomFor(text, NO_LABELS, new PaneAggregate())) {
      lines.add(0, key, text, NO_LABELS, new PaneAggregate().ofValue(rows, 1_000_000), rows);
      rows++;
    }
    String value = new String(lines.take(), StandardCharsets.UTF_8);

    assertEquals(500, rows);
    assertEquals(500, value.split("\n").length);
    assertFalse(value.endsWith("\n"));
    assertTrue(lines.isEmpty());

    byte[] half = new byte[RowSink.LARGEST_BUNDLE / 2];
    Arrays.fill(half, (byte) 'x');
    lines.add(0, key, half, NO_LABELS, new PaneAggregate().ofValue(1, 1), 1);
    assertFalse(lines.hasRoomFor(half, NO_LABELS, new PaneAggregate()));
    assertTrue(RowLines.canHold(half.length));
    assertFalse(RowLines.canHold(RowSink.LARGEST_BUNDLE));
  }

  /** Whatever senders send, a row that {@link RowLines#canHold} promises fits into a record. */
  @Test
  void largestDistributionFits() throws Exception {
    Distribution largest = new Distribution();
    for (int bucket = -BucketGrid.MAX; bucket <= BucketGrid.MAX; bucket++) {
      // Every second bucket is missing or negative: no run is longer than one.
      largest.append(bucket, bucket % 2 == 0 ? Long.MIN_VALUE : Long.MIN_VALUE + 1);
    }
    PaneAggregate figures = new PaneAggregate().ofValue(1, 1);
    figures.distribution = largest;
    RowLines lines = new RowLines();
    byte[] text = "\"a\":1".getBytes(StandardCharsets.UTF_8);
    assertTrue(lines.hasRoomFor(text, NO_LABELS, figures));
    lines.add(0, new SeriesKey(1, 2), text, NO_LABELS, figures, 1);

    byte[] row = lines.take();
    assertTrue(row.length < DistributionText.LARGEST + 512);
    assertEquals(largest, distribution(JSON.readTree(row).get("distribution").asText()));
  }

  @Test
  void distributionsAreRunsOfNeighbours() {
    Distribution distribution = new Distribution();
    distribution.append(-7, 1);
    distribution.append(-1, 2);
    distribution.append(0, 3);
    distribution.append(1, 4);
    distribution.append(1040, -5);

    byte[] bytes = new byte[DistributionText.largest(distribution)];
    int end = DistributionText.write(distribution, bytes, 0);

    String text = new String(bytes, 0, end, StandardCharsets.US_ASCII);
    assertEquals("3|-7:1|-1:2,3,4|1040:-5", text);
    assertEquals(distribution, distribution(text));
  }

  @Test
  void distributionsKeepToTheSchema() throws Exception {
    JsonNode schema = JSON.readTree(CONTRACTS.resolve("events/rollup-row.schema.json").toFile());
    Pattern pattern =
        Pattern.compile(schema.at("/properties/distribution/pattern").asText("missing"));
    for (String text : List.of("3|-7:1|-1:2,3,4|1040:-5", "3|0:1")) {
      assertTrue(pattern.matcher(text).matches(), text);
    }
    for (String text : List.of("", "3", "3|", "3|5", "3|5:", "3|5:1,", "4|5:1", "3|5:1|")) {
      assertFalse(pattern.matcher(text).matches(), text);
    }
  }

  /** Every form a double can take comes back as the same double. */
  @Test
  void figuresAreExact() throws Exception {
    java.util.Random random = new java.util.Random(46);
    for (int round = 0; round < 20_000; round++) {
      double value =
          round % 2 == 0
              ? Double.longBitsToDouble(random.nextLong())
              : (double) (random.nextLong() >> random.nextInt(64));
      if (Double.isFinite(value)) {
        JsonNode row = JSON.readTree(row(value));
        assertEquals(value + 0.0, row.get("sum").doubleValue() + 0.0);
        assertEquals(value + 0.0, row.get("last").doubleValue() + 0.0);
      }
    }
  }

  private static byte[] row(double value) {
    SeriesDescriptor series =
        new SeriesDescriptor(
            "org-a",
            "env-a",
            "m",
            MetricKind.GAUGE,
            "1",
            Map.of("host.name", "h"),
            Map.of("line", "a\nb \"ü\""));
    return row(series, new PaneAggregate().ofValue(value, 1_500_000L));
  }

  private static byte[] row(SeriesDescriptor series, PaneAggregate figures) {
    SeriesKey key = SeriesKey.of(series);
    RowLines lines = new RowLines();
    lines.add(60_000, key, RowText.head(series), labels(series), figures, 333);
    return lines.take();
  }

  /** As they lie in the panes. */
  private static byte[] labels(SeriesDescriptor series) {
    byte[] descriptor = DescriptorBytes.encode(series);
    return Arrays.copyOfRange(
        descriptor, DescriptorBytes.attributesAt(descriptor), descriptor.length);
  }

  /** Written without a JSON library, they read back as what was sent, in no more bytes. */
  @Test
  void labelsOfAnyTextReadBack() throws Exception {
    StringBuilder any = new StringBuilder();
    for (char one = 0; one < 0x180; one++) {
      any.append(one);
    }
    any.append("\u2028 \ud83d\ude00 \uffff");
    SeriesDescriptor series =
        new SeriesDescriptor(
            "org-a",
            "env-a",
            "m",
            MetricKind.GAUGE,
            "1",
            Map.of("host.name", "h"),
            Map.of("a", any.toString(), any.toString(), "b", "c", ""));

    byte[] row = row(series, new PaneAggregate().ofValue(1, 1_500_000L));

    JsonNode json = JSON.readTree(row);
    assertEquals(any.toString(), json.get("metric.a").asText());
    assertEquals("b", json.get("metric." + any).asText());
    assertEquals("", json.get("metric.c").asText());
    int text = RowText.of(SeriesKey.of(series), series).length;
    assertTrue(row.length <= text + 512);
    assertTrue(text <= RowText.largest(series));
  }

  @Test
  void descriptionsSayWhatRowsHaveInCommon() throws Exception {
    SeriesDescriptor series =
        new SeriesDescriptor(
            "org-a",
            "env-a",
            "m",
            MetricKind.GAUGE,
            "1",
            Map.of("host.name", "h"),
            Map.of("zone", "1", "line", "a\nb \"ü\"", "", "\u0001"));
    SeriesKey key = SeriesKey.of(series);

    byte[] object = RowText.object(key, RowText.head(series), labels(series));

    assertEquals("{" + new String(RowText.of(key, series), UTF_8) + "}", new String(object, UTF_8));
  }

  /** Digits are kept from row to row; they are of this row all the same. */
  @Test
  void everyRowHasItsOwnTimesAndPane() throws Exception {
    SeriesDescriptor series =
        new SeriesDescriptor("o", "e", "m", MetricKind.GAUGE, "", Map.of(), Map.of());
    long[][] rows = {{0, 0, 0}, {60_000, 1, 7}, {60_000, 1, 7}, {-60_000, 61_000, 8}, {0, 0, -9}};
    RowLines lines = new RowLines();
    for (long[] row : rows) {
      lines.add(
          row[0],
          SeriesKey.of(series),
          RowText.head(series),
          labels(series),
          new PaneAggregate().ofValue(1, row[1] * 1_000_000L),
          row[2]);
    }

    String[] written = new String(lines.take(), UTF_8).split("\n");

    for (int i = 0; i < rows.length; i++) {
      JsonNode json = JSON.readTree(written[i]);
      assertEquals(rows[i][0], json.get("timestamp").asLong());
      assertEquals(rows[i][1], json.get("last_timestamp").asLong());
      assertTrue(json.get("pane_id").asText().endsWith("-" + rows[i][0] + "-" + rows[i][2]));
    }
  }

  private static List<String> names(JsonNode row) {
    List<String> names = new ArrayList<>();
    row.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Reads a row back into the model, the way its writer must have seen it. */
  private static byte[] rowOf(JsonNode json) {
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
    PaneAggregate figures = new PaneAggregate();
    figures.sum = figure(json, "sum");
    figures.count = json.get("count").asLong();
    figures.min = figure(json, "min");
    figures.max = figure(json, "max");
    figures.last = figure(json, "last");
    figures.lastTimeUnixNano = json.path("last_timestamp").asLong() * 1_000_000L;
    if (json.has("distribution")) {
      figures.distribution = distribution(json.get("distribution").asText());
    }
    SeriesDescriptor series =
        new SeriesDescriptor(
            json.get("organization_id").asText(),
            json.get("environment_id").asText(),
            json.get("metric").asText(),
            kind,
            json.get("unit").asText(),
            resource,
            labels);
    RowLines lines = new RowLines();
    lines.add(
        json.get("timestamp").asLong(), key, RowText.head(series), labels(series), figures, 1);
    return lines.take();
  }

  /** Reads the text of a distribution, as a reader of the contract would. */
  private static Distribution distribution(String text) {
    String[] parts = text.split("\\|");
    assertEquals("3", parts[0]);
    Distribution distribution = new Distribution();
    for (String run : Arrays.asList(parts).subList(1, parts.length)) {
      int colon = run.indexOf(':');
      int bucket = Integer.parseInt(run.substring(0, colon));
      for (String count : run.substring(colon + 1).split(",")) {
        distribution.append(bucket++, Long.parseLong(count));
      }
    }
    return distribution;
  }

  private static double figure(JsonNode json, String name) {
    return json.has(name) ? json.get(name).asDouble() : Double.NaN;
  }
}
