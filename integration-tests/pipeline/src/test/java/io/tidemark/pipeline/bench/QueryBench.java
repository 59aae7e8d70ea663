package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.RunningStack;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Measures answers on a stack of its own. Says a line per figure and fails only when an answer is
 * wrong. Run by {@code make bench-query}, which says how to choose rows and sizes.
 */
@ExtendWith(RunningStack.class)
class QueryBench {
  private static final String ALL = "series,live,final,rollup,split,tiers,hashed";

  private final RunningStack.Started stack = RunningStack.get();
  private final int rounds = Integer.getInteger("bench.rounds", 5);
  private final BenchReport report = new BenchReport();

  private interface Row {
    void measure() throws Exception;
  }

  @Test
  void measure() throws Exception {
    Path folder = stack.settings().home().resolve("bench");
    BenchFiles.delete(folder);
    BenchDruid druid = new BenchDruid(stack);
    Freshness freshness = new Freshness(stack, report);
    WeekOfPoints week =
        new WeekOfPoints(druid, folder, Integer.getInteger("bench.week-series", 300));
    StoreRows store = new StoreRows(druid, folder, week, report);
    Map<String, Row> rows =
        Map.of(
            "series", () -> dashboards(druid, folder, Dashboards::compare),
            "overhead", () -> dashboards(druid, folder, Dashboards::compareOld),
            "live", freshness::visible,
            "final", freshness::complete,
            "rollup", () -> store.rollup(rounds),
            "split", () -> store.split(rounds),
            "tiers", () -> store.tiers(rounds),
            "hashed", () -> new HashedCompaction(druid, folder, report).measure());
    Map<String, Throwable> failed = new LinkedHashMap<>();
    for (String name : System.getProperty("bench.rows", ALL).split(",")) {
      Row row = rows.get(name);
      assertThat(row).as("row " + name).isNotNull();
      try {
        row.measure();
      } catch (Exception | AssertionError failure) {
        // The others are worth to be known.
        failed.put(name, failure);
        report.failed(name, failure);
      }
      report.took(name);
    }
    BenchFiles.delete(folder);
    assertThat(failed).isEmpty();
  }

  private interface Comparison {
    void of(Dashboards dashboards, int rounds) throws Exception;
  }

  private void dashboards(BenchDruid druid, Path folder, Comparison comparison) throws Exception {
    Path binary = Path.of(System.getProperty("bench.victoria-metrics"));
    try (VictoriaMetrics other = new VictoriaMetrics(binary, folder.resolve("victoria-metrics"))) {
      comparison.of(new Dashboards(stack, druid, other, report), rounds);
    }
  }
}
