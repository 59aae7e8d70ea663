package io.tidemark.flink.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.flink.io.rows.RollupRecord;
import io.tidemark.flink.lake.parquet.SortedFile;
import io.tidemark.flink.lake.parquet.SortedFileReader;
import io.tidemark.flink.lake.rows.RollupRows;
import io.tidemark.flink.lake.rows.StoredRowLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.junit.jupiter.api.Test;

/** Rows of the tables as the lines that the topics carry. */
class StoredRowLinesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void goldenRowsComeBackAsTheyWere() throws Exception {
    byte[] bundle =
        Files.readAllBytes(
            Path.of(System.getProperty("tidemark.contracts"), "examples/rollup-row.ndjson"));

    Set<String> expected = new TreeSet<>();
    Set<String> panes = new TreeSet<>();
    for (String line : new String(bundle, UTF_8).lines().toList()) {
      expected.add(sorted(line));
      panes.add(JSON.readTree(line).path("pane_id").asText());
    }
    Schema schema = WrittenRows.schema("rollup_1m");
    RollupRows buffer = new RollupRows(schema, 16, 1_000);
    buffer.add(new RollupRecord(0, 0, bundle));
    Set<String> lines = new TreeSet<>();
    Set<String> found = new TreeSet<>();
    StoredRowLines stored = new StoredRowLines(schema);
    buffer.drain(
        (day, bucket, rows) -> {
          try {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            SortedFile written = new SortedFile(schema, file, 3);
            written.write(rows);
            written.finish();
            SortedFileReader reader = new SortedFileReader(schema, file.toByteArray());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertEquals(rows.rows(), stored.write(reader, out));
            for (String line : out.toString(UTF_8).lines().toList()) {
              lines.add(sorted(line));
            }
            stored.panes(reader, found::add);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertEquals(expected, lines);
    assertEquals(panes, found);
  }

  /** Members in one order; numbers as doubles. */
  private static String sorted(String line) throws IOException {
    TreeSet<String> members = new TreeSet<>();
    JsonNode row = JSON.readTree(line);
    row.properties()
        .forEach(
            member ->
                members.add(
                    member.getKey()
                        + "="
                        + (member.getValue().isNumber()
                            ? Double.toString(member.getValue().asDouble())
                            : member.getValue().toString())));
    return members.toString();
  }
}
