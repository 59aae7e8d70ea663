package io.tidemark.pipeline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.support.PointFleet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerCostTest {
  @Test
  void aMinuteOfPointsTakesAsLongAsItsRateNeeds() {
    assertThat(PeerCost.interval(10_000, 40_000)).isEqualTo(2);
    assertThat(PeerCost.interval(100_000, 40_000)).isEqualTo(15);
    assertThat(PeerCost.interval(100, 40_000)).isEqualTo(2);
  }

  /** Six steps, half a step away from the ends of the interval. */
  @Test
  void stepsOfAMinuteAreWithinOneIntervalOfTheClock() {
    Instant begin = PeerCost.begin(Instant.parse("2026-01-01T00:00:07.300Z"), 15);
    assertThat(begin).isEqualTo("2026-01-01T00:00:31.250Z");
    Instant last = begin.plusMillis(5 * 2_500);
    assertThat(last).isBetween("2026-01-01T00:00:30Z", "2026-01-01T00:00:45Z");
  }

  @Test
  void prometheusHasARuleForEachFigureOfEachMetric() {
    assertThat(RecordingPrometheus.rules(2, List.of("a.b", "c")))
        .contains(
            "{record: \"a.b:interval_sum\", expr: 'sum_over_time({\"a.b\"}[2s])'}",
            "{record: \"c:interval_max\", expr: 'max_over_time({\"c\"}[2s])'}",
            "query_offset: 2s")
        .hasLineCount(1 + 2 * (4 + 5));
  }

  @Test
  void whatIntervalsLackIsSaid() {
    Map<String, PointFleet.Total> sent = Map.of("a", new PointFleet.Total(200, 5));
    assertThat(PeerCost.added(sent, sent)).isEqualTo("all, sums equal");
    assertThat(PeerCost.added(sent, Map.of("a", new PointFleet.Total(190, 4.5))))
        .isEqualTo("95.000 %");
    // As many points, and yet not the same.
    assertThat(PeerCost.added(sent, Map.of("a", new PointFleet.Total(200, 4.5))))
        .isEqualTo("100.000 %, sums differ");
  }
}
