package io.tidemark.pipeline.bench;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * What answers held at times after a fault.
 *
 * @param sent points that they should hold
 */
record RecoveryCurve(String fault, long sent, List<Observation> seen) {
  private static final String[] HEIGHTS = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  private static final int MAX_COLUMNS = 60;

  RecoveryCurve {
    seen = List.copyOf(seen);
  }

  /**
   * One answer.
   *
   * @param seconds after the fault
   * @param points that it counts; none where there was no answer
   * @param isFinal whether it says that nothing is missing
   */
  record Observation(double seconds, long points, boolean isFinal) {}

  /** When all points were counted for the first time and from then on. */
  public OptionalDouble counted() {
    return since(each -> each.points() == sent);
  }

  /** When answers were as before the fault: all points, and said to be all. */
  OptionalDouble whole() {
    return since(each -> each.points() == sent && each.isFinal());
  }

  private OptionalDouble since(Predicate<Observation> holds) {
    OptionalDouble since = OptionalDouble.empty();
    for (Observation each : seen) {
      if (!holds.test(each)) {
        since = OptionalDouble.empty();
      } else if (since.isEmpty()) {
        since = OptionalDouble.of(each.seconds());
      }
    }
    return since;
  }

  /** The most that an answer counted beyond what was sent: rows that count twice. */
  long surplus() {
    return seen.stream().mapToLong(each -> Math.max(0, each.points() - sent)).max().orElse(0);
  }

  double lacking(Observation each) {
    return Math.max(0, 1 - (double) each.points() / sent);
  }

  double seconds() {
    return seen.isEmpty() ? 0 : seen.get(seen.size() - 1).seconds();
  }

  /** One column for each equal part of the time: how much of the points answers lacked. */
  String line() {
    int columns = Math.min(MAX_COLUMNS, seen.size());
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < columns; column++) {
      double until = seconds() * (column + 1) / columns;
      double lacking = 1;
      for (Observation each : seen) {
        if (each.seconds() <= until) {
          lacking = lacking(each);
        }
      }
      line.append(HEIGHTS[(int) Math.round(lacking * (HEIGHTS.length - 1))]);
    }
    return "%s: lacking over %.0f s %s".formatted(fault, seconds(), line);
  }
}
