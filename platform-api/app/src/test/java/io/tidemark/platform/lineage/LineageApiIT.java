package io.tidemark.platform.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertProgress;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.alerting.TransitionRecorder;
import io.tidemark.platform.billing.LedgerProgress;
import io.tidemark.platform.billing.MeteredRecord;
import io.tidemark.platform.billing.UsageLedger;
import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.ReceiptRecorder;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Lineage over HTTP; that the real pipeline shows itself so is seen by MainPathIT. */
@ExtendWith(RunningPlatform.Extension.class)
class LineageApiIT {

  private static final TenantId SELF = new TenantId("org-self");
  private static final TenantId DEMO = new TenantId("org-demo");

  private final RunningPlatform platform;
  private final ControlApi self;
  private final ControlApi demo;
  private final Instant now;

  LineageApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    this.now = platform.bean(Clock.class).instant();
  }

  /** Tests of all kinds share what the pipeline says. */
  @BeforeEach
  @AfterEach
  void forgetWhatWasSaid() {
    platform.progress().nothingIsKnown();
    platform.druid().answerWith(200, "[]");
    platform
        .database()
        .sql("DELETE FROM reconciled_hour WHERE organization_id = 'org-self'")
        .update();
  }

  private EnvironmentId environment(ControlApi owner, String id) {
    assertThat(
            owner
                .post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return new EnvironmentId(id);
  }

  private JsonNode lineage(ControlApi caller, EnvironmentId environment) {
    Answer answer = caller.get("/environments/" + environment + "/lineage");
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer.body();
  }

  private static JsonNode edge(JsonNode graph, String from, String to) {
    return graph
        .path("edges")
        .valueStream()
        .filter(edge -> edge.path("from").asString().equals(from))
        .filter(edge -> edge.path("to").asString().equals(to))
        .findFirst()
        .orElseThrow();
  }

  private static String state(JsonNode graph, String node) {
    return graph
        .path("nodes")
        .valueStream()
        .filter(each -> each.path("id").asString().equals(node))
        .findFirst()
        .orElseThrow()
        .path("state")
        .asString();
  }

  private static long counted(JsonNode edge) {
    return edge.path("minutes").valueStream().mapToLong(each -> each.path("count").asLong()).sum();
  }

  private void receive(EnvironmentId environment, Instant at, long points) {
    platform
        .bean(ReceiptRecorder.class)
        .record(
            List.of(
                new BatchCopy(
                    SELF, environment, "1e".repeat(32), null, 0, 77, at, points, Map.of())),
            List.of());
  }

  @Test
  void everyEdgeTellsItsRateItsLagAndItsWatermark() {
    EnvironmentId environment = environment(self, "env-lineage");
    Instant minute = now.minusSeconds(240).truncatedTo(ChronoUnit.MINUTES);
    receive(environment, minute.plusSeconds(7), 1_200);
    platform
        .druid()
        .answerWith(
            200, "[{\"timestamp\":\"%s\",\"event\":{\"n\":30}}]".formatted(minute.toString()));
    platform.progress().committedUntil(now.minusSeconds(70));
    platform.progress().completeUntil(now.minusSeconds(90));
    platform.progress().lakeCompleteUntil(now.minusSeconds(600));
    Instant hour = now.minus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.HOURS);
    platform
        .database()
        .sql(
            """
            INSERT INTO reconciled_hour (organization_id, hour, checked_at, agrees)
            VALUES ('org-self', :hour::timestamptz, now(), true),
              ('org-self', :hour::timestamptz + interval '1 hour', now(), false)
            """)
        .param("hour", hour.toString())
        .update();
    int before = platform.druid().queries().size();

    JsonNode graph = lineage(self, environment);

    assertThat(graph.path("nodes").size()).isEqualTo(11);
    JsonNode gateway = edge(graph, "gateway", "points_topic");
    assertThat(gateway.path("unit").asString()).isEqualTo("points");
    assertThat(gateway.path("minutes").size()).isEqualTo(10);
    assertThat(counted(gateway)).isEqualTo(1_200);
    assertThat(gateway.path("per_minute").asDouble()).isEqualTo(120);
    assertThat(gateway.path("lag_seconds").asLong()).isZero();
    assertThat(gateway.has("watermark")).isFalse();
    JsonNode rollups = edge(graph, "points_topic", "rollup_job");
    assertThat(rollups.path("state").asString()).isEqualTo("flowing");
    assertThat(Instant.parse(rollups.path("watermark").asString())).isEqualTo(now.minusSeconds(70));
    assertThat(rollups.path("lag_seconds").asLong()).isBetween(70L, 130L);
    JsonNode druid = edge(graph, "rollup_topics", "druid");
    assertThat(counted(druid)).isEqualTo(30);
    assertThat(druid.path("counted_at").asString()).isEqualTo("druid");
    assertThat(druid.path("minutes").path(9).path("is_complete").asBoolean())
        .as("a minute that Druid has not whole is open")
        .isFalse();
    assertThat(edge(graph, "lake_job", "lake").path("state").asString()).isEqualTo("late");
    assertThat(state(graph, "lake")).isEqualTo("late");
    assertThat(state(graph, "druid")).isEqualTo("flowing");
    JsonNode alerts = edge(graph, "rollup_topics", "alert_job");
    assertThat(alerts.path("state").asString()).isEqualTo("idle");
    assertThat(alerts.path("watermark_missing").asString()).contains("No alert rule is enabled");
    JsonNode ledger = edge(graph, "usage_job", "ledger");
    assertThat(Instant.parse(ledger.path("watermark").asString()))
        .as("an hour that differs ends what agrees")
        .isEqualTo(hour.plus(1, ChronoUnit.HOURS));

    lineage(self, environment);
    List<String> queries =
        platform.druid().queries().subList(before, platform.druid().queries().size());
    assertThat(queries)
        .as("rows are counted once in ten seconds")
        .singleElement()
        .asString()
        .contains("\"dimension\":\"organization_id\",\"value\":\"org-self\"")
        .contains("\"environment_id\",\"values\":[\"env-lineage\"]")
        .contains("\"lane\":\"slow-lane\"");
    JsonNode others = lineage(demo, environment(demo, "env-lineage-b"));
    assertThat(counted(edge(others, "gateway", "points_topic")))
        .as("of another organisation nothing is counted")
        .isZero();
  }

  @Test
  void whatIsNotKnownIsAbsentWithItsReason() {
    platform.druid().answerWith(500, "{\"error\":\"away\"}");

    JsonNode graph = lineage(self, environment(self, "env-lineage-dark"));

    JsonNode druid = edge(graph, "rollup_topics", "druid");
    assertThat(druid.path("state").asString()).isEqualTo("unknown");
    assertThat(druid.path("rate_missing").asString()).contains("cannot be counted now");
    assertThat(druid.path("minutes").size()).isZero();
    assertThat(druid.has("per_minute")).isFalse();
    assertThat(druid.has("counted_at")).isFalse();
    assertThat(druid.has("lag_seconds")).isFalse();
    assertThat(druid.path("watermark_missing").asString()).contains("Druid");
    assertThat(state(graph, "rollup_job")).isEqualTo("unknown");
    assertThat(state(graph, "gateway")).isEqualTo("idle");
    assertThat(edge(graph, "usage_job", "ledger").path("watermark_missing").asString())
        .contains("No hour");
    assertThat(self.get("/environments/env-lineage-nobodys/lineage").status()).isEqualTo(404);
  }

  @Test
  void transitionsAndEntriesAreThoseOfOneEnvironment() {
    EnvironmentId environment = environment(self, "env-lineage-job");
    String rule =
        self.post("/environments/" + environment + "/alert-rules", TestingAlerts.RULE)
            .body()
            .path("id")
            .asString();
    Instant from = now.truncatedTo(ChronoUnit.MINUTES);
    Instant to = now.plus(5, ChronoUnit.MINUTES);
    platform
        .bean(TransitionRecorder.class)
        .record(
            TestingAlerts.transition(
                SELF, environment.value(), rule, "inc-lineage", 1, Kind.FIRED));
    platform
        .bean(UsageLedger.class)
        .record(
            List.of(
                new MeteredRecord(
                    SELF,
                    "1e".repeat(32),
                    environment.value(),
                    "service",
                    "shop",
                    "cpu",
                    now.truncatedTo(ChronoUnit.HOURS),
                    1,
                    Map.of("points", BigDecimal.ONE, "bytes", BigDecimal.TEN),
                    now,
                    0,
                    77)));

    AlertProgress alerts = platform.bean(AlertProgress.class);
    assertThat(sum(alerts.transitionsByMinute(SELF, environment, from, to))).isEqualTo(1);
    assertThat(alerts.transitionsByMinute(DEMO, environment, from, to)).isEmpty();
    AlertProgress.Decided decided = alerts.decided(SELF, environment);
    assertThat(decided.rules()).isEqualTo(1);
    assertThat(decided.until()).isNull();
    LedgerProgress ledger = platform.bean(LedgerProgress.class);
    assertThat(sum(ledger.entriesByMinute(SELF, environment, from, to).orElseThrow())).isEqualTo(2);
    assertThat(ledger.entriesByMinute(DEMO, environment, from, to).orElseThrow()).isEmpty();
  }

  private static long sum(Map<Instant, Long> minutes) {
    return minutes.values().stream().mapToLong(Long::longValue).sum();
  }
}
