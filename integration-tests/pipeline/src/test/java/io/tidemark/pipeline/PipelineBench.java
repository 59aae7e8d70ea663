package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Measures what a million points cost the whole stack, by process, on a stack of its own. Fails
 * only when a sum is wrong. Run by {@code make bench-pipeline}, which says how to choose shapes and
 * sizes.
 */
@ExtendWith(RunningStack.class)
class PipelineBench {
  private static final String ORGANIZATION = "org-ledger";
  private static final double MILLION = 1e6;

  private final RunningStack.Started stack = RunningStack.get();
  private final BenchReport report = new BenchReport();

  @Test
  void measure() throws Exception {
    PipelineCost cost = new PipelineCost(stack, ORGANIZATION, report);
    int series = Integer.getInteger("bench.series", 10_000);
    String[] shapes = System.getProperty("bench.shapes", "hosts").split(",");
    int round = 0;
    for (String shape : shapes) {
      cost.load(fleet(shape, "warm", series), steps("bench.warm-up-points", 2, series), begin());
      cost.idle(Integer.getInteger("bench.idle-seconds", 40));
      for (int i = 0; i < Integer.getInteger("bench.rounds", 1); i++) {
        PointFleet fleet = fleet(shape, "round" + round++, series);
        PipelineCost.Measured measured =
            cost.measure(fleet, steps("bench.points", 6, series), begin());
        assertThat(measured.differences()).as("sums of " + fleet.shape()).isEmpty();
        cost.report(fleet, measured);
      }
      report.took(shape);
    }
  }

  /** The points end with the last day: rows of hours and days come when theirs are over. */
  private static PipelineCost.Begin begin() {
    Instant midnight = Instant.now().truncatedTo(ChronoUnit.DAYS);
    return steps -> midnight.minusSeconds((long) steps * PointFleet.STEP_SECONDS);
  }

  private static PointFleet fleet(String shape, String round, int series) {
    String prefix = "bench." + round;
    return switch (shape) {
      case "hosts" -> new HostFleet(prefix, series);
      case "pods" -> new PodFleet(prefix, series);
      default -> throw new IllegalArgumentException("There is no shape " + shape);
    };
  }

  private static int steps(String property, double millions, int series) {
    double points = Double.parseDouble(System.getProperty(property, Double.toString(millions)));
    return (int) Math.max(1, Math.round(points * MILLION / series));
  }
}
