package io.tidemark.flink.rollup.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Variants that are measured by turns, so that a slow minute of the machine hits them all. */
final class Turns {

  /** One measured run. */
  @FunctionalInterface
  interface Run {
    Result measure() throws Exception;
  }

  private final Report report;
  private final Path folder;
  private final Map<String, Run> everyRound = new LinkedHashMap<>();

  /**
   * @param folder where the report is left after every run
   */
  Turns(Report report, Path folder) {
    this.report = report;
    this.folder = folder;
  }

  void add(String name, Run run) {
    everyRound.put(name, run);
  }

  void take(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Run> run : everyRound.entrySet()) {
        report.add(run.getKey(), run.getValue().measure());
        report.write(folder);
      }
    }
  }
}
