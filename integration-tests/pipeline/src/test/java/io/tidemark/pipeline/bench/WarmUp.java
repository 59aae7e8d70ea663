package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Work that does not count: until the compilers of the processes that do it have next to nothing
 * left to do. A process that has run for a while is the usual one.
 */
final class WarmUp {
  private static final double TURN_SECONDS = 4;

  /** The compilers' part of what the processes use when they are warm. */
  private static final double QUIET = 0.02;

  private final StackProcesses processes;
  private final List<String> ids;
  private final BenchReport report;

  /** Most of it, in seconds. */
  private final double longest = Integer.getInteger("bench.warm-up", 90);

  WarmUp(StackProcesses processes, List<String> ids, BenchReport report) {
    this.processes = processes;
    this.ids = ids;
    this.report = report;
  }

  /** All in turns, each turn as long, until two turns one after the other were quiet. */
  public void run(Collection<Callable<?>> all) throws Exception {
    double spent = 0;
    double share = 1;
    for (int quiet = 0; quiet < 2 && spent < longest; ) {
      double compiling = processes.compilerSeconds(ids);
      double used = processes.cpuSeconds(ids);
      long begin = System.nanoTime();
      for (Callable<?> each : all) {
        turn(each, TURN_SECONDS / all.size());
      }
      spent += since(begin);
      share = part(processes.compilerSeconds(ids) - compiling, processes.cpuSeconds(ids) - used);
      quiet = share < QUIET ? quiet + 1 : 0;
    }
    report.note(
        "%.0f s of warming up; of the last turn the compilers took %.1f %%"
            .formatted(spent, 100 * share));
  }

  private static double part(double compiling, double used) throws IOException {
    if (used <= 0) {
      throw new IOException("The processes did nothing");
    }
    return Math.max(0, compiling) / used;
  }

  private static void turn(Callable<?> work, double seconds) throws Exception {
    long begin = System.nanoTime();
    do {
      work.call();
    } while (since(begin) < seconds);
  }

  private static double since(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }
}
