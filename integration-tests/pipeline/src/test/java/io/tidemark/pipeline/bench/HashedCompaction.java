package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Segments of the high-cardinality datasource as several tasks leave them, and compacted. */
final class HashedCompaction {
  private static final String DATASOURCE = "bench_hc";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int TASKS = 4;
  private static final int PUBLISHED = 3;
  private static final int METRICS = 10;
  private static final int RESOURCES = 20;

  private final BenchDruid druid;
  private final Path folder;
  private final BenchReport report;
  private final int hours = Integer.getInteger("bench.hours", 2);
  private final int series = Integer.getInteger("bench.hc-series", 2_000);
  private final int rowsPerSegment = Integer.getInteger("bench.rows-per-segment", 20_000);
  private final Instant begin =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(hours + 12, ChronoUnit.HOURS);
  private final Instant end = begin.plus(hours, ChronoUnit.HOURS);

  HashedCompaction(BenchDruid druid, Path folder, BenchReport report) {
    this.druid = druid;
    this.folder = folder;
    this.report = report;
  }

  void measure() throws Exception {
    long rows = feed();
    ObjectNode both = question(Map.of("resource_id", "lkc-7", "resource.kafka.id", "lkc-7")).sums();
    ObjectNode asApi = question(Map.of("resource.kafka.id", "lkc-7")).sums();
    List<JsonNode> before = druid.segments(DATASOURCE);
    int bothBefore = druid.segmentsOf(both).size();
    int apiBefore = druid.segmentsOf(asApi).size();
    double sum = sum(both);
    compact();
    List<JsonNode> after = druid.segments(DATASOURCE);
    if (sum != sum(both) || sum != sum(asApi) || sum == 0) {
      throw new IOException("Compaction changed the sum");
    }
    String of =
        "%,d rows of %d hours from %d tasks that published %d times, at most %,d rows a segment"
            .formatted(rows, hours, TASKS, PUBLISHED, rowsPerSegment);
    segments(
        "filtered on metric and resource_id",
        of,
        bothBefore,
        druid.segmentsOf(both).size(),
        "≥ 4x, aim 10x");
    // An attribute of another kind of resource may have that name: nothing is left out for it.
    segments(
        "filtered on metric and the label resource.kafka.id",
        of,
        apiBefore,
        druid.segmentsOf(asApi).size(),
        "");
    report.row(
        "the same: bytes, " + of,
        "%d segments, %.2f MB before; %d, %.2f MB after"
            .formatted(
                before.size(),
                BenchDruid.bytes(before) / 1e6,
                after.size(),
                BenchDruid.bytes(after) / 1e6),
        "%.0f %% smaller"
            .formatted(100 - 100.0 * BenchDruid.bytes(after) / BenchDruid.bytes(before)),
        "smaller, aim ≥ 66 %",
        "1");
  }

  private void segments(String filter, String of, int before, int after, String goal) {
    report.row(
        "hashed compaction: segments read by a query " + filter + ", " + of,
        "%d before, %d after".formatted(before, after),
        "%.1fx fewer".formatted((double) before / after),
        goal,
        "1");
  }

  private StoreQuestion question(Map<String, String> filter) {
    return new StoreQuestion(
        BenchRows.ORGANIZATION, DATASOURCE, "bench.hc3", filter, List.of(), "ALL", begin, end);
  }

  private double sum(ObjectNode query) throws IOException, InterruptedException {
    return druid.read(query).path(0).at("/result/f_sum").asDouble();
  }

  /**
   * A task has every fourth series, as a partition of Kafka does. It publishes what came in time,
   * and twice more what came late, half of it to minutes that the series has a row of.
   */
  private long feed() throws Exception {
    long rows = 0;
    List<String> running = new ArrayList<>();
    for (int task = 0; task < TASKS; task++) {
      for (int published = 0; published < PUBLISHED; published++) {
        BenchRows file = new BenchRows(folder, DATASOURCE + task + "-" + published);
        Random random = new Random(task);
        for (int minute = 0; minute < 60 * hours; minute++) {
          Instant time = begin.plus(minute, ChronoUnit.MINUTES);
          for (int i = task; i < series; i += TASKS) {
            int chance = random.nextInt(100);
            boolean isOnTime = chance < 90;
            boolean isLate = chance >= 80 && published == 1 + chance % 2;
            if (published == 0 ? isOnTime : isLate) {
              file.add(time, series(i), random.nextInt(1_000), 6);
            } else {
              random.nextInt(1_000);
            }
          }
        }
        file.close();
        rows += file.rows();
        running.add(druid.append(druid.schema("rollup_1m_hc", DATASOURCE), file.file()));
      }
    }
    for (String task : running) {
      druid.await(task);
    }
    for (int task = 0; task < TASKS; task++) {
      for (int published = 0; published < PUBLISHED; published++) {
        Files.delete(folder.resolve(DATASOURCE + task + "-" + published + ".ndjson"));
      }
    }
    druid.awaitRows(DATASOURCE, rows);
    return rows;
  }

  private static BenchRows.Series series(int number) {
    return new BenchRows.Series(
        "bench.hc" + number % METRICS,
        "lkc-" + number / METRICS % RESOURCES,
        number,
        Map.of(
            "client", "client-" + number / (METRICS * RESOURCES),
            "topic", "topic-" + number % 17));
  }

  /** As declared for the datasource, but for the size of a segment, which fits the few rows. */
  private void compact() throws Exception {
    ObjectNode tuning =
        (ObjectNode) druid.declared("compaction/rollup_1m_hc.json").path("tuningConfig");
    tuning.put("type", "index_parallel").put("forceGuaranteedRollup", true);
    tuning.withObject("/partitionsSpec").put("maxRowsPerSegment", rowsPerSegment);
    ObjectNode task = JsonHttp.JSON.createObjectNode().put("type", "compact");
    task.put("dataSource", DATASOURCE);
    ObjectNode io = task.putObject("ioConfig").put("type", "compact");
    io.putObject("inputSpec").put("type", "interval").put("interval", begin + "/" + end);
    task.set("tuningConfig", tuning);
    task.putObject("context").put("useConcurrentLocks", true);
    druid.await(druid.submit(task));
    Await.until(
        "hashed segments only",
        PATIENCE,
        () -> kinds(druid.segments(DATASOURCE)),
        kinds -> kinds.equals(Set.of("hashed")));
    ObjectNode everything = question(Map.of()).sums();
    Set<String> compacted = new HashSet<>();
    druid
        .segments(DATASOURCE)
        .forEach(segment -> compacted.add(segment.path("identifier").asText()));
    Await.until(
        "compacted segments are served",
        PATIENCE,
        () -> druid.segmentsOf(everything),
        compacted::equals);
  }

  private static Set<String> kinds(List<JsonNode> segments) {
    Set<String> kinds = new HashSet<>();
    segments.forEach(segment -> kinds.add(segment.at("/shardSpec/type").asText()));
    return kinds;
  }
}
