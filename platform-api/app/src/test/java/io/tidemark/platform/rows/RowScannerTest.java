package io.tidemark.platform.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.Contracts;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A plain row gives what a JSON parser gives; what is not plain is said to be so. */
class RowScannerTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> GOLDEN =
      Contracts.text("examples/rollup-row.ndjson").lines().toList();

  private final RowScanner scanner = new RowScanner();

  @Test
  void goldenRowsReadAsAParserReadsThem() {
    scanner.reset(String.join("\n", GOLDEN).getBytes(UTF_8));
    for (String line : GOLDEN) {
      assertThat(scanner.next()).isTrue();
      same(line);
      assertThat(scanner.length()).isEqualTo(line.getBytes(UTF_8).length);
    }
    assertThat(scanner.next()).isFalse();
  }

  @Test
  void everyFormOfANumberIsTheSameDouble() {
    Random random = new Random(23);
    String row = GOLDEN.get(0);
    for (int i = 0; i < 20_000; i++) {
      double value =
          switch (i % 3) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextInt(100_000_000) / 1_000.0;
            default -> (double) (random.nextLong() >> random.nextInt(64));
          };
      if (Double.isFinite(value)) {
        String line = row.replaceAll("\"sum\":[^,]*,", "\"sum\":" + value + ",");
        scanner.reset(line.getBytes(UTF_8));
        assertThat(scanner.next()).isTrue();
        same(line);
      }
    }
  }

  private void same(String line) {
    JsonNode json = JSON.readTree(line);
    assertThat(scanner.isPlain()).as(line).isTrue();
    assertThat(scanner.timestamp()).isEqualTo(json.path("timestamp").asLong());
    assertThat(scanner.count()).isEqualTo(json.path("count").asLong());
    assertThat(scanner.sum()).as(line).isEqualTo(figure(json, "sum"));
    assertThat(scanner.min()).isEqualTo(figure(json, "min"));
    assertThat(scanner.max()).isEqualTo(figure(json, "max"));
    assertThat(scanner.last()).isEqualTo(figure(json, "last"));
    assertThat(scanner.lastTimestamp()).isEqualTo(json.path("last_timestamp").asLong(-1));
    assertThat(scanner.hasDistribution()).isEqualTo(json.has("distribution"));
    if (scanner.hasDistribution()) {
      assertThat(scanner.distribution()).isEqualTo(json.path("distribution").asString());
    }
  }

  private static Double figure(JsonNode json, String name) {
    return json.has(name) ? json.path(name).doubleValue() : Double.NaN;
  }

  @Test
  void whatIsOfAnotherLayoutIsNotPlain() {
    String good = GOLDEN.get(0);
    for (String line :
        List.of(
            "{",
            "null",
            good + " ",
            good.replace("\"sum\":120.0", "\"sum\":\"120.0\""),
            good.replace("\"sum\":120.0", "\"sum\":12x.0"),
            good.replace("\"count\":6,", ""),
            good.replace("\"count\":6,", "\"count\":9223372036854775807,"),
            good.replace("{\"timestamp\"", "{ \"timestamp\""),
            good.replace("\"min\"", "\"max\""))) {
      scanner.reset(line.getBytes(UTF_8));
      assertThat(scanner.next()).isTrue();
      assertThat(scanner.isPlain()).as(line).isFalse();
    }
  }

  @Test
  void namesLeadToWhatWasKeptAndNothingElse() {
    SeriesNames<Integer> names = new SeriesNames<>();
    byte[][] all = new byte[5_000][];
    for (int i = 0; i < all.length; i++) {
      all[i] = (",\"metric\":\"m\",\"metric.host\":\"" + i + "\"").getBytes(UTF_8);
      assertThat(names.find(all[i], 0, all[i].length)).isNull();
      names.keep(i);
    }

    names.retain(number -> number % 7 == 0);

    for (int i = 0; i < all.length; i++) {
      assertThat(names.find(all[i], 0, all[i].length)).isEqualTo(i % 7 == 0 ? i : null);
    }
    assertThat(names.size()).isEqualTo(715);
    names.find(all[7], 0, all[7].length);
    names.keep(-7);
    assertThat(names.find(all[7], 0, all[7].length)).isEqualTo(-7);
    assertThat(names.size()).isEqualTo(715);
    names.clear();
    assertThat(names.find(all[7], 0, all[7].length)).isNull();
  }
}
