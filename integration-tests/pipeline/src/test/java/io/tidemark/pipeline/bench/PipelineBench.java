package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.PointFleet;
import io.tidemark.pipeline.support.RunningStack;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Measures what a million points cost the whole stack, by process, on a stack of its own, and with
 * {@code PEERS=1} what the same points cost other databases, in turns. Fails only when a sum of the
 * stack or a point that a peer keeps is wrong. Run by {@code make bench-pipeline}, which says how
 * to choose shapes and sizes.
 */
@ExtendWith(RunningStack.class)
class PipelineBench {
  private static final String ORGANIZATION = "org-ledger";
  private static final double MILLION = 1e6;

  private final RunningStack.Started stack = RunningStack.get();
  private final BenchReport report = new BenchReport();
  private Instant end = Instant.now().truncatedTo(ChronoUnit.DAYS);

  @Test
  void measure() throws Exception {
    PipelineCost cost = new PipelineCost(stack, ORGANIZATION, report);
    int series = Integer.getInteger("bench.series", 10_000);
    String[] shapes = System.getProperty("bench.shapes", "hosts").split(",");
    Optional<PeerCost> peers =
        PeerCost.wanted(stack.settings().home().resolve("data/bench-peer"), report);
    int idleSeconds = Integer.getInteger("bench.idle-seconds", 40);
    int round = 0;
    for (String shape : shapes) {
      PointFleet fleet = fleet(shape, "life", series);
      cost.introduce(fleet, this::begin);
      cost.load(fleet, steps("bench.warm-up-points", 2, series), this::begin);
      Map<String, Samples> net = new LinkedHashMap<>();
      for (int i = 0; i < Integer.getInteger("bench.rounds", 1); i++) {
        String name = "round" + round++;
        int steps = steps("bench.points", 6, series);
        cost.idle(idleSeconds);
        PipelineCost.Measured measured = cost.measure(fleet, steps, this::begin);
        assertThat(measured.differences()).as("sums of " + fleet.shape()).isEmpty();
        cost.report(fleet, measured);
        add(net, "Tidemark", cost.net(measured));
        if (peers.isPresent()) {
          List<PeerCost.Measured> theirs =
              peers.get().measure(() -> fleet(shape, name, series), steps);
          peers.get().report(theirs);
          for (PeerCost.Measured each : theirs) {
            assertThat(each.raw()).as("points that a peer keeps").isEmpty();
            add(net, each.peer(), each.net());
          }
        }
      }
      cost.idle(idleSeconds);
      if (peers.isPresent()) {
        reportMedians(shape, net);
      }
      report.took(shape);
    }
    cost.reportCompaction();
  }

  private static void add(Map<String, Samples> net, String contender, double cost) {
    net.computeIfAbsent(contender, unknown -> new Samples()).add(cost);
  }

  private void reportMedians(String shape, Map<String, Samples> net) {
    net.forEach(
        (contender, rounds) ->
            report.row(
                "core-seconds per million points, net, " + contender,
                shape,
                "%.2f (%.2f–%.2f)"
                    .formatted(rounds.quantile(0.5), rounds.quantile(0), rounds.quantile(1)),
                "",
                rounds.size() + " rounds"));
  }

  /**
   * With a whole hour, and so that it ends before the load before begins: no hour has the points of
   * two loads. All are of days that are over, since rows of hours and days come then.
   */
  private Instant begin(int steps) {
    end = end.minusSeconds((long) steps * PointFleet.STEP_SECONDS).truncatedTo(ChronoUnit.HOURS);
    return end;
  }

  static PointFleet fleet(String shape, String round, int series) {
    String prefix = "bench." + round;
    return switch (shape) {
      case "hosts" -> new HostFleet(prefix, series);
      case "pods" -> new PodFleet(prefix, series);
      default -> throw new IllegalArgumentException("There is no shape " + shape);
    };
  }

  static int steps(String property, double millions, int series) {
    double points = Double.parseDouble(System.getProperty(property, Double.toString(millions)));
    return (int) Math.max(1, Math.round(points * MILLION / series));
  }
}
