package io.tidemark.flink.rollup.savepoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.junit.jupiter.api.Test;

/** A job that was stopped with an older version goes on with this one, at another parallelism. */
class SavepointRestoreIT {

  private static final Path SAVEPOINT = Path.of("src/test/resources/savepoints/0.1");

  @Test
  void rowsBeforeAndAfterTheSavepointAddUp() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(
        StateRecoveryOptions.SAVEPOINT_PATH, SAVEPOINT.toAbsolutePath().toUri().toString());
    SavepointJob job = new SavepointJob(3, 1_000, configuration);
    job.environment.execute("restored");

    List<String> before = Files.readAllLines(SAVEPOINT.resolve("rows-before.txt"));
    List<String> rows = new ArrayList<>(before);
    rows.addAll(job.rows());
    SavepointInput input = SavepointInput.make();
    Map<String, double[]> added = new TreeMap<>();
    Set<String> paneIds = new HashSet<>();
    for (String line : rows) {
      JsonNode row = SavepointJob.row(line);
      String level = line.substring(0, line.indexOf(' '));
      String key =
          SavepointInput.key(
              level,
              row.get("timestamp").asLong(),
              row.get("organization_id").asText(),
              row.get("metric").asText());
      assertTrue(paneIds.add(level + row.get("pane_id").asText()), key);
      if (!row.get("metric").asText().equals("bytes")) {
        double[] figures = added.computeIfAbsent(key, ignored -> new double[2]);
        figures[0] += row.get("sum").asDouble();
        figures[1] += row.get("count").asLong();
      }
    }
    Map<String, String> text = new TreeMap<>();
    added.forEach((key, figures) -> text.put(key, figures[0] + "/" + (long) figures[1]));
    assertEquals(input.expected(), text);
    assertTrue(before.size() > 100, "some rows were written before");
    assertTrue(job.rows().size() > before.size(), "more were open or came later");
  }
}
