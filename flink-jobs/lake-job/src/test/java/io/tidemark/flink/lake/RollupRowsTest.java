package io.tidemark.flink.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.io.rows.RollupRecord;
import io.tidemark.flink.lake.rows.RollupRows;
import io.tidemark.flink.lake.rows.RowBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of the rollup topics in the columns of the rollup tables. */
class RollupRowsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private Schema schema;
  private RollupRows buffer;

  @BeforeEach
  void create() throws Exception {
    schema = WrittenRows.schema("rollup_1m_hc");
    buffer = new RollupRows(schema, 16, 1_000);
  }

  /** Also of records of which nothing can be read. */
  @Test
  void howFarTheTopicWasReadIsHandedOverOnce() {
    buffer.add(new RollupRecord(3, 7, "no row".getBytes(UTF_8)));
    buffer.add(new RollupRecord(0, 41, new byte[0]));
    buffer.add(new RollupRecord(3, 8, new byte[0]));

    assertEquals(Map.of(0, 42L, 3, 9L), buffer.takeOffsets());
    assertEquals(Map.of(), buffer.takeOffsets());
  }

  @Test
  void goldenRowsKeepEveryMember() throws Exception {
    byte[] bundle =
        Files.readAllBytes(
            Path.of(System.getProperty("tidemark.contracts"), "examples/rollup-row.ndjson"));
    Map<String, JsonNode> sent = new HashMap<>();
    for (String line : new String(bundle, UTF_8).lines().toList()) {
      JsonNode row = JSON.readTree(line);
      sent.put(row.path("pane_id").asText(), row);
    }

    buffer.add(new RollupRecord(0, 0, bundle));
    List<Record> rows = WrittenRows.of(buffer, schema, folder);

    assertEquals(sent.size(), rows.size());
    for (Record row : rows) {
      JsonNode line = sent.remove((String) row.getField("pane_id"));
      assertTrue(line != null, () -> "pane twice or unknown: " + row);
      for (String text :
          List.of(
              "organization_id",
              "environment_id",
              "metric",
              "metric_type",
              "unit",
              "resource_type",
              "resource_id",
              "series_id")) {
        assertEquals(line.path(text).asText(), row.getField(text), text);
      }
      assertEquals(line.path("count").asLong(), row.getField("count"));
      for (String figure : List.of("sum", "min", "max", "last")) {
        assertEquals(
            line.has(figure) ? line.path(figure).asDouble() : null, row.getField(figure), figure);
      }
      assertEquals(line.path("timestamp").asLong(), millis(row, "event_time"));
      assertEquals(
          line.has("last_timestamp") ? line.path("last_timestamp").asLong() : null,
          millis(row, "last_time"));
      assertEquals(
          line.has("distribution") ? line.path("distribution").asText() : null,
          row.getField("distribution"));
      Map<String, String> resource = new HashMap<>();
      Map<String, String> labels = new HashMap<>();
      String id = "resource." + line.path("resource_type").asText() + ".id";
      line.fields()
          .forEachRemaining(
              member -> {
                String name = member.getKey();
                if (name.startsWith("metric.")) {
                  labels.put(name.substring("metric.".length()), member.getValue().asText());
                } else if (name.startsWith("resource.") && !name.equals(id)) {
                  resource.put(name.substring("resource.".length()), member.getValue().asText());
                }
              });
      assertEquals(labels, row.getField("point_attributes"));
      assertEquals(resource, row.getField("resource_attributes"));
    }
    assertEquals(Map.of(), sent);
  }

  /** A fault of ours must be seen, and must not take the rows beside it. */
  @Test
  void aLineThatIsNoRowIsCountedAndTheOthersAreKept() {
    String good = row("org-a", "cpu", 0, 1);
    List<String> lines = new ArrayList<>(List.of(good, "", "{", "[]", "{}", "null", good + "}"));
    lines.add(good.replace("\"count\":1,", ""));
    lines.add(good.replace("\"count\":1,", "\"count\":\"1\","));
    lines.add(good.replace("\"cpu\"", "[\"cpu\"]"));
    lines.add(good.replace("org-a", "org-b"));

    buffer.add(new RollupRecord(0, 0, String.join("\n", lines).getBytes(UTF_8)));

    RowBuffer.Tally tally = buffer.takeTally();
    assertEquals(2, tally.rows());
    assertEquals(lines.size() - 1 - 2, tally.skipped(), "the empty line is none");
    assertEquals(2, WrittenRows.of(buffer, schema, folder).size());
  }

  @Test
  void rowsAreSortedAndSplitByDay() {
    long day = 86_400_000L;
    StringBuilder bundle = new StringBuilder();
    for (String metric : List.of("b", "a")) {
      for (long time : List.of(day + 60_000, 60_000L, day, 0L)) {
        bundle.append(row("org-a", metric, time, 1)).append('\n');
      }
    }
    buffer.add(new RollupRecord(0, 0, bundle.toString().getBytes(UTF_8)));
    assertFalse(buffer.isEmpty());

    List<String> order = new ArrayList<>();
    for (Record row : WrittenRows.of(buffer, schema, folder)) {
      order.add(row.getField("metric") + "@" + millis(row, "event_time"));
    }

    assertEquals(
        List.of(
            "a@0",
            "a@60000",
            "b@0",
            "b@60000",
            "a@86400000",
            "a@86460000",
            "b@86400000",
            "b@86460000"),
        order);
    assertTrue(buffer.isEmpty());
    assertEquals(0, buffer.takeTally().skipped());
  }

  private static String row(String organization, String metric, long time, long count) {
    return "{\"timestamp\":"
        + time
        + ",\"organization_id\":\""
        + organization
        + "\",\"environment_id\":\"env\",\"metric\":\""
        + metric
        + "\",\"metric_type\":\"gauge\",\"unit\":\"1\",\"resource_type\":\"host\",\"resource_id\":\"h\","
        + "\"series_id\":\""
        + organization
        + metric
        + "\",\"sum\":1.5,\"count\":"
        + count
        + ",\"pane_id\":\""
        + organization
        + metric
        + time
        + "\"}";
  }

  private static Long millis(Record row, String column) {
    OffsetDateTime time = (OffsetDateTime) row.getField(column);
    return time == null ? null : time.toInstant().toEpochMilli();
  }
}
