package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.panes.PaneAggregate;
import io.tidemark.flink.model.series.DescriptorBytes;
import io.tidemark.flink.model.series.MetricKind;
import io.tidemark.flink.model.series.SeriesDescriptor;
import io.tidemark.flink.model.series.SeriesKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written is what is read, bit by bit; what is not of that layout is left to others. */
class RowScannerTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Names that look like what ends them. */
  private static final List<Map<String, String>> LABELS =
      List.of(
          Map.of(),
          Map.of("topic", "orders", "partition", "3"),
          Map.of("sum", ",\"sum\":1", "count", ",", ",\"count\":", "\\\",\"sum\":"),
          Map.of("line", "a\nb \"ü\" ,", "x", "\\"));

  @Test
  void figuresReadBackBitByBit() throws Exception {
    Random random = new Random(23);
    RowLines lines = new RowLines();
    List<PaneAggregate> written = new ArrayList<>();
    for (int i = 0; i < RowLines.MAX_ROWS; i++) {
      PaneAggregate figures = figures(random, i);
      SeriesDescriptor series = series(LABELS.get(i % LABELS.size()));
      lines.add(
          60_000L * i, SeriesKey.of(series), RowText.head(series), labels(series), figures, i);
      written.add(figures);
    }
    byte[] record = lines.take();
    String[] texts = new String(record, UTF_8).split("\n");

    RowScanner scanner = new RowScanner();
    scanner.reset(record);
    for (int i = 0; i < written.size(); i++) {
      assertTrue(scanner.next());
      String line = texts[i];
      assertTrue(scanner.isPlain(), line);
      assertEquals(line, new String(record, scanner.from(), scanner.length(), UTF_8));
      PaneAggregate figures = written.get(i);
      assertEquals(60_000L * i, scanner.timestamp());
      assertEquals(figures.count, scanner.count());
      // What is written of both zeros and of no number is the same as ever.
      JsonNode json = JSON.readTree(line);
      assertEquals(number(json, "sum"), scanner.sum(), line);
      assertEquals(number(json, "min"), scanner.min(), line);
      assertEquals(number(json, "max"), scanner.max(), line);
      assertEquals(number(json, "last"), scanner.last(), line);
      assertEquals(json.path("last_timestamp").asLong(-1), scanner.lastTimestamp());
      assertEquals(json.path("pane_id").asText(), new String(scanner.paneId(), UTF_8));
      assertEquals(json.has("distribution"), scanner.hasDistribution());
      if (scanner.hasDistribution()) {
        assertEquals(json.get("distribution").asText(), new String(scanner.distribution(), UTF_8));
      }
    }
    assertFalse(scanner.next());
  }

  @Test
  void namesAreThoseOfTheSeriesAndNothingElse() {
    Map<String, SeriesDescriptor> byNames = new HashMap<>();
    RowScanner scanner = new RowScanner();
    for (Map<String, String> of : LABELS) {
      SeriesDescriptor series = series(of);
      for (int pane = 0; pane < 3; pane++) {
        byte[] row = row(series, new PaneAggregate().ofValue(pane, pane * 1_000_000L), pane);
        scanner.reset(row);
        assertTrue(scanner.next() && scanner.isPlain());
        String names = new String(row, scanner.namesFrom(), scanner.namesLength(), UTF_8);
        assertEquals("," + new String(RowText.of(SeriesKey.of(series), series), UTF_8), names);
        byNames.put(names, series);
      }
    }
    assertEquals(LABELS.size(), byNames.size());
  }

  @Test
  void theContractsExamplesArePlain() throws Exception {
    Path examples = Path.of(System.getProperty("tidemark.contracts"), "examples/rollup-row.ndjson");
    RowScanner scanner = new RowScanner();
    scanner.reset(Files.readAllBytes(examples));
    int rows = 0;
    while (scanner.next()) {
      assertTrue(scanner.isPlain(), "row " + rows);
      rows++;
    }
    assertEquals(Files.readAllLines(examples).size(), rows);
  }

  @Test
  void whatIsOfAnotherLayoutIsNotPlain() {
    String good = new String(row(series(Map.of()), new PaneAggregate().ofValue(1.5, 0), 1), UTF_8);
    for (String line :
        List.of(
            "{",
            "[]",
            "null",
            good + "}",
            good.substring(0, good.length() - 1),
            good.replace(":1.5,", ":1.5x,"),
            good.replace("\"sum\":1.5", "\"sum\":\"1.5\""),
            good.replace("\"count\":1,", ""),
            good.replace("\"count\":1,", "\"count\":1.0,"),
            good.replace("\"count\":1,", "\"count\":9223372036854775807,"),
            good.replace("\"count\":1,", "\"count\":1,\"else\":2,"),
            good.replace("\"timestamp\":60000", "\"timestamp\":-60000"),
            good.replace("\"pane_id\":\"", "\"pane_id\":\"\\u0041"))) {
      RowScanner scanner = new RowScanner();
      scanner.reset(line.getBytes(UTF_8));
      assertTrue(scanner.next(), line);
      assertFalse(scanner.isPlain(), line);
      assertEquals(0, scanner.from());
      assertEquals(line.length(), scanner.length());
      assertFalse(scanner.next(), line);
    }
  }

  @Test
  void linesAreFoundBetweenEmptyOnes() {
    byte[] row = row(series(Map.of()), new PaneAggregate().ofValue(1, 0), 1);
    String text = new String(row, UTF_8);
    RowScanner scanner = new RowScanner();
    scanner.reset(("\n\n" + text + "\n\n?\n" + text + "\n").getBytes(UTF_8));
    List<Boolean> plain = new ArrayList<>();
    while (scanner.next()) {
      plain.add(scanner.isPlain());
    }
    assertEquals(List.of(true, false, true), plain);
  }

  @Test
  void seriesAreFoundByTheirNames() {
    SeriesNames names = new SeriesNames();
    byte[][] all = new byte[20_000][];
    for (int i = 0; i < all.length; i++) {
      all[i] = ("x,\"metric\":\"m\",\"metric.host\":\"" + i + "\"").getBytes(UTF_8);
      assertEquals(SeriesNames.UNKNOWN, names.find(all[i], 1, all[i].length - 1));
      names.keep(i);
    }
    assertEquals(all.length, names.size());
    for (int i = 0; i < all.length; i++) {
      byte[] elsewhere = new byte[all[i].length + 7];
      System.arraycopy(all[i], 1, elsewhere, 5, all[i].length - 1);
      assertEquals(i, names.find(elsewhere, 5, all[i].length - 1));
    }
    assertEquals(SeriesNames.UNKNOWN, names.find(all[7], 0, all[7].length));

    names.clear();

    assertEquals(SeriesNames.UNKNOWN, names.find(all[7], 1, all[7].length - 1));
    assertEquals(0, names.size());
  }

  private static double number(JsonNode json, String name) {
    return json.has(name) ? json.get(name).doubleValue() : Double.NaN;
  }

  private static PaneAggregate figures(Random random, int i) {
    double value =
        switch (i % 4) {
          case 0 -> Double.longBitsToDouble(random.nextLong());
          case 1 -> random.nextInt(1_000_000) / 100.0;
          case 2 -> (double) (random.nextLong() >> random.nextInt(64));
          default -> -random.nextInt(1_000);
        };
    PaneAggregate figures = new PaneAggregate();
    if (Double.isFinite(value)) {
      figures.ofValue(value, Math.abs(random.nextLong() >> 20));
    } else {
      figures.count = -i;
    }
    if (i % 5 == 0) {
      figures.distribution = new Distribution();
      figures.distribution.append(-3, i + 1L);
      figures.distribution.append(1_025, -7);
    }
    return figures;
  }

  private static SeriesDescriptor series(Map<String, String> labels) {
    return new SeriesDescriptor(
        "org-a", "env-a", "m", MetricKind.GAUGE, ",", Map.of("host.name", "h,"), labels);
  }

  private static byte[] row(SeriesDescriptor series, PaneAggregate figures, int pane) {
    RowLines lines = new RowLines();
    lines.add(60_000, SeriesKey.of(series), RowText.head(series), labels(series), figures, pane);
    return lines.take();
  }

  private static byte[] labels(SeriesDescriptor series) {
    byte[] descriptor = DescriptorBytes.encode(series);
    return Arrays.copyOfRange(
        descriptor, DescriptorBytes.attributesAt(descriptor), descriptor.length);
  }
}
