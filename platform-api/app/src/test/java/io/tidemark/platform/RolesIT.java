package io.tidemark.platform;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.ingest.grpc.OtlpGrpcServer;
import io.tidemark.platform.ingest.web.OtlpHttpPort;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.SmartLifecycle;

/**
 * Processes with some of the roles beside one that has all: each serves and does what is its own,
 * and limits hold over all of them.
 */
@ExtendWith(RunningPlatform.Extension.class)
class RolesIT {

  private static final String ENVIRONMENTS = "/api/v1/organizations/org-demo/environments";
  private static final String METRICS = "/v2/metrics/cloud/descriptors/metrics";
  private static final long WIDE = 1_000_000_000;

  /** Work in the background, by role. */
  private static final Map<String, Set<String>> WORK =
      Map.of(
          "ingest",
          Set.of(
              "OtlpGrpcServer",
              "KafkaListenerServer",
              "BudgetViolationConsumer",
              "DescriptionRecorder"),
          "query",
          Set.of("OpenMinuteConsumer", "RecentRowConsumer"),
          "control",
          Set.of(
              "CatalogDiscoveryConsumer",
              "EnvironmentDeletionFinalizer",
              "ReceiptConsumer",
              "PeriodCloser",
              "SpendingWatcher",
              "UsageRecordConsumer",
              "AlertPruner",
              "PublisherLoop",
              "DeletionLoop",
              "DeletionReportConsumer"),
          "notify",
          Set.of("DispatcherLoop", "DeliveryPruner", "SuppressionLoop", "TransitionConsumer"));

  private final RunningPlatform whole;

  RolesIT(RunningPlatform platform) {
    this.whole = platform;
  }

  private static int get(URI address) {
    return Http.get(address, "Authorization", TestingKeys.bearer(RunningPlatform.DEMO_KEY))
        .statusCode();
  }

  private static int send(RunningPlatform to, String key, int points) {
    NumberDataPoint[] many = new NumberDataPoint[points];
    Arrays.fill(many, point(to.bean(Clock.class).instant(), 1));
    return Http.post(
            to.otlp("/v1/metrics"),
            request(counter("roles", many)).toByteArray(),
            "Content-Type",
            "application/x-protobuf",
            "Authorization",
            TestingKeys.bearer(key))
        .statusCode();
  }

  private static List<String> work(RunningPlatform process) {
    return process.beans(SmartLifecycle.class).stream()
        .map(work -> work.getClass().getSimpleName())
        .toList();
  }

  /** Runs what is its own, and nothing of another role. */
  private static void worksAs(String own, RunningPlatform process) {
    List<String> runs = work(process);
    WORK.forEach(
        (role, work) -> {
          if (role.equals(own)) {
            assertThat(runs).containsAll(work);
          } else {
            assertThat(runs).doesNotContainAnyElementsOf(work);
          }
        });
  }

  private static void serves(
      RunningPlatform process, boolean points, boolean control, boolean query) {
    // Tests have no Kafka, which matters only where points are taken.
    assertThat(get(process.api("/readyz"))).as("readiness").isEqualTo(points ? 503 : 200);
    assertThat(get(process.api("/livez"))).isEqualTo(200);
    assertThat(get(process.api(ENVIRONMENTS))).as("control API").isEqualTo(control ? 200 : 404);
    assertThat(get(process.api(METRICS)) != 404).as("Metrics API").isEqualTo(query);
    assertThat(get(process.api("/auth/sign-in")) != 404).as("pages").isEqualTo(control);
  }

  @Test
  void aProcessThatTakesPointsDoesNothingElseAndQuotasHoldOverTwo() throws IOException {
    try (RunningPlatform ingest = whole.beside(Map.of("TIDEMARK_ROLES", "ingest"))) {
      serves(ingest, true, false, false);
      worksAs("ingest", ingest);
      assertThat(send(ingest, RunningPlatform.DEMO_KEY, 1)).isEqualTo(200);

      QuotaLimits limits = new QuotaLimits(WIDE, WIDE, 10);
      whole.quotas().set("org-quota-r", limits);
      ingest.quotas().set("org-quota-r", limits);
      String key = TestingKeys.key("env-quota-r", 'R');
      assertThat(send(whole, key, 1_000)).isEqualTo(200);
      Awaitility.await("a gateway hears what another one let in")
          .atMost(Duration.ofSeconds(30))
          .until(() -> send(ingest, key, 1), status -> status == 429);
    }
  }

  @Test
  void aProcessForPeopleTakesNoPointsAndAnswersNoQueries() throws IOException {
    try (RunningPlatform control = whole.beside(Map.of("TIDEMARK_ROLES", "control"))) {
      serves(control, false, true, false);
      worksAs("control", control);
      assertThat(control.beans(OtlpGrpcServer.class)).isEmpty();
      assertThat(control.beans(OtlpHttpPort.class)).isEmpty();
    }
  }

  @Test
  void aProcessForQueriesAndOneForMessagesDoTheirOwn() throws IOException {
    try (RunningPlatform query = whole.beside(Map.of("TIDEMARK_ROLES", "query"))) {
      serves(query, false, false, true);
      worksAs("query", query);
    }
    try (RunningPlatform second =
        whole.beside(Map.of("TIDEMARK_ROLES", "query", "TIDEMARK_REGION", "roles-it"))) {
      serves(second, false, false, true);
      assertThat(work(second))
          .as("a second region removes rows of its own stores, and begins nothing")
          .containsAll(WORK.get("query"))
          .contains("DeletionLoop", "DeletionReportConsumer")
          .doesNotContain("PublisherLoop", "CatalogDiscoveryConsumer");
    }
    try (RunningPlatform messages = whole.beside(Map.of("TIDEMARK_ROLES", "notify"))) {
      serves(messages, false, false, false);
      worksAs("notify", messages);
    }
  }
}
