package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provision.Datasource;
import io.tidemark.stack.HealthReport.Jobs;
import io.tidemark.stack.HealthReport.StackSnapshot;
import io.tidemark.stack.TidemarkStack.ComponentStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A stack that is well has no line; each thing that is wrong has one. */
class HealthReportTest {
  private static final OwnAnswer GOOD =
      new OwnAnswer(
          false,
          Duration.ofMillis(80),
          Optional.of(Duration.ofSeconds(70)),
          Map.of("kafka", Duration.ofSeconds(75), "flink-taskmanager", Duration.ofSeconds(-10)));

  private static ComponentStatus component(String id, String state, long tookMillis) {
    return new ComponentStatus(id, state, 1, 1, Optional.empty(), Duration.ofMillis(tookMillis));
  }

  private static Datasource datasource(boolean isHealthy) {
    return new Datasource("rollup_1m", "RUNNING", isHealthy, 0, 0, 0, 0);
  }

  private static List<String> faults(OwnAnswer answer) {
    return HealthReport.faults(
        new StackSnapshot(
            List.of(component("kafka", "up", 300)),
            List.of("rollup"),
            Optional.of(
                new Jobs(Map.of("rollup", "RUNNING"), Map.of("rollup", Duration.ofSeconds(9)))),
            Optional.of(List.of(datasource(true))),
            Optional.of(List.of()),
            Optional.of(answer),
            Optional.of(true)));
  }

  @Test
  void aStackThatIsWellHasNoLine() {
    assertThat(faults(GOOD)).isEmpty();
  }

  @Test
  void processesJobsCheckpointsAndDatasourcesThatAreNotWellHaveALineEach() {
    assertThat(
            HealthReport.faults(
                new StackSnapshot(
                    List.of(
                        component("kafka", "down", 1),
                        component("postgres", "not ready", 5_000),
                        component("platform-api", "up", 2_100)),
                    List.of("rollup", "lake", "alert"),
                    Optional.of(
                        new Jobs(
                            Map.of("rollup", "RUNNING", "lake", "RESTARTING"),
                            Map.of("rollup", Duration.ofSeconds(61)))),
                    Optional.of(List.of(datasource(false))),
                    Optional.of(List.of("rollup-rows-0-7")),
                    Optional.of(GOOD),
                    Optional.of(false))))
        .containsExactly(
            "kafka is down",
            "postgres is not ready",
            "platform-api answers slowly",
            "job lake is restarting",
            "job alert is not there",
            "job rollup completes no checkpoint for over 60 s",
            "druid rollup_1m is not healthy",
            "transaction rollup-rows-0-7 has been open for over 120 s",
            "the Metrics API does not answer a query for minutes of hours ago");
  }

  @Test
  void whoDoesNotSayInTimeHasALine() {
    assertThat(
            HealthReport.faults(
                new StackSnapshot(
                    List.of(component("kafka", "up", 1)),
                    List.of("rollup"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())))
        .containsExactly(
            "flink-jobmanager does not say how its jobs are",
            "druid-coordinator does not say how its supervisors are",
            "the Metrics API does not answer a query",
            "the Metrics API does not answer a query for minutes of hours ago");
  }

  @Test
  void whatComesOutAtTheEndCountsToo() {
    assertThat(faults(new OwnAnswer(true, Duration.ZERO, Optional.empty(), Map.of())))
        .containsExactly("the Metrics API does not answer a query");
    assertThat(
            faults(
                new OwnAnswer(
                    false, Duration.ofSeconds(3), Optional.of(Duration.ofSeconds(111)), Map.of())))
        .containsExactly(
            "the Metrics API answers a query slowly", "answers are not complete up to 110 s ago");
    assertThat(faults(new OwnAnswer(false, Duration.ofMillis(80), Optional.empty(), Map.of())))
        .containsExactly("answers are not complete up to 110 s ago");
  }

  @Test
  void aComponentWhoseClockIsWrongHasALine() {
    assertThat(
            faults(
                new OwnAnswer(
                    false,
                    Duration.ofMillis(80),
                    Optional.of(Duration.ofSeconds(70)),
                    new TreeMap<>(
                        Map.of(
                            "kafka",
                            Duration.ofSeconds(111),
                            "platform-api",
                            Duration.ofSeconds(-61))))))
        .containsExactly(
            "metrics of kafka end over 110 s ago",
            "metrics of platform-api come from the future: its clock is ahead");
  }
}
