package io.tidemark.pipeline.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.Difference;
import io.tidemark.pipeline.support.LedgerLoad;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.MetricsQuery.Bucket;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Acknowledged means kept, once: components are killed under load, repaired as {@code make up}
 * does, and the sums are exact.
 */
@ExtendWith(RunningStack.class)
@Isolated("components die")
class CrashRecoveryIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String METRIC = "crash.requests";

  private final RunningStack.Started stack = RunningStack.get();
  private final MetricsQuery query =
      new MetricsQuery(stack.coordinates().get("TIDEMARK_URL"), stack.authorization("org-ledger"));
  private final JsonHttp http = new JsonHttp();

  @Test
  void sumsAreExactAfterKillsAndAfterARestartOfEverything() throws Exception {
    Instant from = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(10, ChronoUnit.MINUTES);
    Instant to = from.plus(3, ChronoUnit.HOURS);
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-ledger"));
    try (LedgerLoad load = new LedgerLoad(sender, METRIC, LedgerLoad.Habits.PLAIN)) {
      for (String victim :
          List.of("flink-taskmanager", "kafka", "platform-api", "flink-jobmanager")) {
        long before = load.acknowledged();
        Await.until(
            "load flows",
            PATIENCE,
            load::acknowledged,
            acknowledged -> acknowledged > before + 1000);
        stack.stack().kill(victim);
        stack.stack().up();
      }
      long repaired = load.acknowledged();
      Await.until(
          "load flows again",
          PATIENCE,
          load::acknowledged,
          acknowledged -> acknowledged > repaired + 1000);
      load.finish();

      assertExact(load, from, to);
      assertThat(stack.stack().failedCommits()).as("transactions lost").isEmpty();

      stack.stack().down();
      stack.stack().up();
      assertExact(load, from, to);
    }
  }

  private void assertExact(LedgerLoad load, Instant from, Instant to) throws Exception {
    ObjectNode sums =
        MetricsQuery.body(
            METRIC, "SUM", "PT1M", from, from.plus(6, ChronoUnit.HOURS), List.of("metric.worker"));
    ObjectNode counts = MetricsQuery.body(METRIC, "COUNT", "ALL", from, to, List.of());
    TreeMap<Bucket, Double> expected = load.sums();
    Await.until(
        "every acknowledged point is counted",
        PATIENCE,
        () -> Difference.ofSums(expected, query.ask("cloud", sums)),
        List::isEmpty);
    Instant sent = Instant.now();
    Await.until(
        "answers say that they are complete",
        PATIENCE,
        () -> completeUntil(counts),
        until -> until.isAfter(sent));
    // What would come doubled comes with one of the next transactions: look again after two more
    // checkpoints.
    long completed = completedCheckpoints();
    Await.until(
        "two more checkpoints", PATIENCE, this::completedCheckpoints, now -> now >= completed + 2);
    assertThat(query.ask("cloud", sums)).isEqualTo(expected);
    assertThat(query.ask("cloud", counts).values()).containsExactly((double) load.acknowledged());
  }

  private Instant completeUntil(ObjectNode question) throws Exception {
    return Instant.parse(
        query.post("cloud", question).body().at("/meta/completeness/complete_until").asText());
  }

  private long completedCheckpoints() throws Exception {
    String flink = stack.coordinates().get("TIDEMARK_FLINK");
    for (JsonNode job : http.get(flink + "/jobs/overview").body().path("jobs")) {
      if (job.path("name").asText().startsWith("rollup")
          && job.path("state").asText().equals("RUNNING")) {
        return http.get(flink + "/jobs/" + job.path("jid").asText() + "/checkpoints")
            .body()
            .at("/counts/completed")
            .asLong();
      }
    }
    throw new IllegalStateException("the rollup job does not run");
  }
}
