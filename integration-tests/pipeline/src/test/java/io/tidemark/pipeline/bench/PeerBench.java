package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The peers of {@link PipelineBench} alone, without a stack. Fails when one does not keep every
 * point, or when VictoriaMetrics' intervals do not hold every point. Run by {@code make
 * bench-peers}.
 */
class PeerBench {
  private final BenchReport report = new BenchReport();

  @Test
  void measure() throws Exception {
    PeerCost peers = PeerCost.wanted(Path.of("target/bench-peer"), report).orElseThrow();
    int series = Integer.getInteger("bench.series", 10_000);
    for (String shape : System.getProperty("bench.shapes", "hosts").split(",")) {
      int steps = PipelineBench.steps("bench.points", 6, series);
      List<PeerCost.Measured> measured =
          peers.measure(() -> PipelineBench.fleet(shape, "peers", series), steps);
      peers.report(measured);
      for (PeerCost.Measured each : measured) {
        assertThat(each.raw()).as("points that a peer keeps").isEmpty();
      }
      report.took(shape);
    }
  }
}
