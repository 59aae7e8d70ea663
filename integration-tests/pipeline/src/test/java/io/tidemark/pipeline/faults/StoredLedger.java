package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.LakeReader;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.RowFigures;
import io.tidemark.pipeline.support.RunningStack;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;

/** What Druid and the lake hold of points that a load was acknowledged. */
record StoredLedger(RunningStack.Started stack, String organization, Instant from) {
  private static final Duration PATIENCE = Duration.ofSeconds(300);

  /** Waits until answers by minute and the lake are the load's, each point once. */
  void assertHolds(String metric, LedgerLoad load) throws Exception {
    MetricsQuery query =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization(organization));
    ObjectNode sums =
        MetricsQuery.body(
            metric, "SUM", "PT1M", from, from.plus(3, ChronoUnit.HOURS), List.of("metric.worker"));
    TreeMap<Bucket, Double> expected = new TreeMap<>(load.sums());
    expected.keySet().removeIf(bucket -> bucket.time().isBefore(from));
    Await.until(
        "Druid equals the ledger", PATIENCE, () -> query.ask("cloud", sums), expected::equals);
    RowFigures all = load.figures().values().stream().reduce(RowFigures::plus).orElseThrow();
    JsonNode lake =
        Await.until(
            "the lake holds as much as was acknowledged",
            PATIENCE,
            () -> new LakeReader(stack).read(organization, metric),
            read ->
                read.at("/raw_points/rows").asLong() >= all.count()
                    && read.at("/rollup_1m/count").asLong() >= all.count());
    assertThat(lake.at("/raw_points/rows").asLong()).as("raw points").isEqualTo(all.count());
    assertThat(lake.at("/raw_points/sum").asDouble()).as("their sum").isEqualTo(all.sum());
    assertThat(lake.at("/rollup_1m/count").asLong()).as("in minutes").isEqualTo(all.count());
    assertThat(stack.stack().failedCommits()).as("transactions lost").isEmpty();
  }
}
