package io.tidemark.pipeline.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** Writes rows as the rollup job does, to a file that Druid loads. */
final class BenchRows implements AutoCloseable {
  static final String ORGANIZATION = "org-bench";

  private final Path file;
  private final BufferedWriter out;
  private long rows;

  BenchRows(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    this.file = folder.resolve(name + ".ndjson").toAbsolutePath();
    this.out = Files.newBufferedWriter(file);
  }

  /** What tells one series from the others, written once for all of its rows. */
  public static final class Series {
    private final String text;

    Series(String metric, String resource, int number, Map<String, String> labels) {
      StringBuilder columns = new StringBuilder(300);
      columns.append(",\"organization_id\":\"").append(ORGANIZATION);
      columns.append("\",\"environment_id\":\"env-bench\",\"metric\":\"").append(metric);
      columns.append("\",\"metric_type\":\"counter\",\"unit\":\"1\",\"resource_type\":\"kafka\"");
      columns.append(",\"resource_id\":\"").append(resource);
      columns
          .append("\",\"series_id\":\"")
          .append(String.format(Locale.ROOT, "%032x", number * 0x9E3779B97F4A7C15L));
      columns.append("\",\"resource.kafka.id\":\"").append(resource).append('"');
      labels.forEach(
          (name, value) ->
              columns.append(",\"metric.").append(name).append("\":\"").append(value).append('"'));
      this.text = columns.toString();
    }
  }

  public void add(Instant time, Series series, double sum, long count) throws IOException {
    StringBuilder row = new StringBuilder(420);
    row.append("{\"timestamp\":").append(time.toEpochMilli()).append(series.text);
    row.append(",\"sum\":").append(sum).append(",\"count\":").append(count);
    row.append(",\"min\":").append(sum / count).append(",\"max\":").append(sum / count);
    row.append(",\"last\":").append(sum / count);
    row.append(",\"last_timestamp\":").append(time.toEpochMilli()).append("}\n");
    out.append(row);
    rows++;
  }

  public Path file() {
    return file;
  }

  long rows() {
    return rows;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
