package io.tidemark.pipeline;

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

  /** What tells one series from the others. */
  record Series(String metric, String resource, int number, Map<String, String> labels) {}

  void add(Instant time, Series series, double sum, long count) throws IOException {
    StringBuilder row = new StringBuilder(420);
    row.append("{\"timestamp\":").append(time.toEpochMilli());
    row.append(",\"organization_id\":\"").append(ORGANIZATION);
    row.append("\",\"environment_id\":\"env-bench\",\"metric\":\"").append(series.metric());
    row.append("\",\"metric_type\":\"counter\",\"unit\":\"1\",\"resource_type\":\"kafka\"");
    row.append(",\"resource_id\":\"").append(series.resource());
    row.append("\",\"series_id\":\"")
        .append(String.format(Locale.ROOT, "%032x", series.number() * 0x9E3779B97F4A7C15L));
    row.append("\",\"resource.kafka.id\":\"").append(series.resource()).append('"');
    series
        .labels()
        .forEach(
            (name, value) ->
                row.append(",\"metric.").append(name).append("\":\"").append(value).append('"'));
    row.append(",\"sum\":").append(sum).append(",\"count\":").append(count);
    row.append(",\"min\":").append(sum / count).append(",\"max\":").append(sum / count);
    row.append(",\"last\":").append(sum / count);
    row.append(",\"last_timestamp\":").append(time.toEpochMilli()).append("}\n");
    out.append(row);
    rows++;
  }

  Path file() {
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
