package io.tidemark.pipeline.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.pipeline.clients.CollectorSender.EnvironmentRef;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.MetricsQuery;
import io.tidemark.pipeline.support.RunningStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An OpenTelemetry Collector at the Kafka door writes to the topic of its key and to no other. Run
 * by {@code make test-clients}; the property {@code collector} is its binary.
 */
@ExtendWith(RunningStack.class)
class CollectorWrites {
  private static final String METRIC = "collector.cups";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final RunningStack.Started stack = RunningStack.get();
  private final Instant begin = Instant.now().truncatedTo(ChronoUnit.MINUTES);

  private CollectorSender collector(Path folder, EnvironmentRef place) throws Exception {
    return new CollectorSender(
        Path.of(System.getProperty("collector")),
        Files.createDirectories(folder.resolve(place.organization())),
        stack.coordinates().get("TIDEMARK_KAFKA_DOOR"),
        place,
        stack.keys().get("org-late"));
  }

  @Test
  void itsOwnTopicIsTakenToThePointAndAnotherTenantsIsRefused(@TempDir Path folder)
      throws Exception {
    try (CollectorSender own = collector(folder, new EnvironmentRef("org-late", "env-late"));
        CollectorSender foreign = collector(folder, new EnvironmentRef("org-other", "env-other"));
        CollectorSender nobodys = collector(folder, new EnvironmentRef("org-none", "env-none"))) {
      assertThat(foreign.send(METRIC, 1_000, 2_000)).as("another tenant's topic").isFalse();
      assertThat(nobodys.send(METRIC, 1_000, 2_000)).as("nobody's topic").isFalse();
      assertThat(own.send(METRIC, 3, 4)).as("its own topic").isTrue();
      assertThat(own.send(METRIC, 5, 6)).as("its own topic").isTrue();
    }
    Await.until("what was taken", PATIENCE, () -> total("org-late"), total -> total == 18);
    assertThat(total("org-other")).isZero();
  }

  private double total(String organization) throws Exception {
    MetricsQuery query =
        new MetricsQuery(
            stack.coordinates().get("TIDEMARK_URL"), stack.authorization(organization));
    return query
        .ask(
            "cloud",
            MetricsQuery.body(
                METRIC, "SUM", "ALL", begin, begin.plus(1, ChronoUnit.HOURS), List.of()))
        .values()
        .stream()
        .mapToDouble(Double::doubleValue)
        .sum();
  }
}
