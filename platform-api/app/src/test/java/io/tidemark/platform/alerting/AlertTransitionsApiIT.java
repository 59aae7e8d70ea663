package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Whoever follows transitions is given each of them, in order, as soon as it is there. */
@ExtendWith(RunningPlatform.Extension.class)
class AlertTransitionsApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");

  private final RunningPlatform platform;
  private final ControlApi demo;

  AlertTransitionsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private String rule(String environment) {
    assertThat(
            demo.post(
                    "/environments",
                    "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(environment))
                .status())
        .isEqualTo(201);
    return demo.post("/environments/" + environment + "/alert-rules", TestingAlerts.RULE)
        .body()
        .path("id")
        .asString();
  }

  private void tell(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind));
  }

  private static List<String> ids(JsonNode page) {
    return page.path("data").findValuesAsString("id");
  }

  @Test
  void everyTransitionComesOnceAndInOrder() {
    String rule = rule("env-stream");
    String stream = "/environments/env-stream/alert-transitions";
    JsonNode nothing = demo.get(stream).body();
    assertThat(ids(nothing)).isEmpty();
    tell("env-stream", rule, "inc-s", 1, Kind.FIRED);
    tell("env-stream", rule, "inc-s", 2, Kind.CORRECTED);
    tell("env-stream", rule, "inc-s", 2, Kind.CORRECTED);
    tell("env-stream", rule, "inc-s", 3, Kind.RESOLVED);

    JsonNode first = demo.get(stream + "?limit=2&wait_seconds=10&cursor=" + cursor(nothing)).body();
    JsonNode second = demo.get(stream + "?limit=2&wait_seconds=10&cursor=" + cursor(first)).body();
    JsonNode third = demo.get(stream + "?limit=2&cursor=" + cursor(second)).body();

    assertThat(ids(first)).containsExactly("inc-s-1", "inc-s-2");
    assertThat(first.path("data").path(1).path("kind").asString()).isEqualTo("corrected");
    assertThat(first.path("data").path(1).path("revised").asBoolean()).isTrue();
    assertThat(ids(second)).containsExactly("inc-s-3");
    assertThat(ids(third)).isEmpty();
    assertThat(cursor(third)).isNotEmpty();
    assertThat(ids(demo.get(stream + "?rule_id=another").body())).isEmpty();
    assertThat(ids(demo.get(stream + "?since=2099-01-01T00:00:00Z").body())).isEmpty();
    assertThat(demo.get(stream + "?wait_seconds=21").status()).isEqualTo(400);
    assertThat(demo.get(stream + "?cursor=" + "MTpub25zZW5zZQ").status()).isEqualTo(400);
  }

  private static String cursor(JsonNode page) {
    return page.path("meta").path("next_cursor").asString();
  }

  @Test
  void whoeverWaitsIsAnsweredWhenSomethingComes() throws Exception {
    String rule = rule("env-stream-wait");
    String stream = "/environments/env-stream-wait/alert-transitions";
    String from = cursor(demo.get(stream).body());

    CompletableFuture<JsonNode> answer =
        CompletableFuture.supplyAsync(
            () -> demo.get(stream + "?wait_seconds=20&cursor=" + from).body());
    tell("env-stream-wait", rule, "inc-w", 1, Kind.FIRED);

    assertThat(ids(answer.get(Duration.ofSeconds(25).toSeconds(), TimeUnit.SECONDS)))
        .containsExactly("inc-w-1");
  }

  /** A number that is taken before and committed after another one must not be passed over. */
  @Test
  void aTransitionThatCommitsLateIsNotPassedOver() {
    String rule = rule("env-stream-late");
    String other =
        demo.post("/environments/env-stream-late/alert-rules", TestingAlerts.RULE)
            .body()
            .path("id")
            .asString();
    String stream = "/environments/env-stream-late/alert-transitions";
    JsonNode[] meanwhile = new JsonNode[1];

    platform
        .bean(TenantTransactions.class)
        .run(
            DEMO,
            () -> {
              tell("env-stream-late", rule, "inc-slow", 1, Kind.FIRED);
              CompletableFuture.runAsync(
                      () -> {
                        tell("env-stream-late", other, "inc-fast", 1, Kind.FIRED);
                        meanwhile[0] = demo.get(stream).body();
                      })
                  .join();
            });

    JsonNode after = demo.get(stream + "?wait_seconds=10&cursor=" + cursor(meanwhile[0])).body();
    assertThat(ids(meanwhile[0])).as("what is newer than a running transaction waits").isEmpty();
    assertThat(ids(after)).containsExactly("inc-slow-1", "inc-fast-1");
  }

  @Test
  void incidentsAreExportedWithTheirTimelines() {
    String rule = rule("env-export");
    for (int i = 0; i < 60; i++) {
      tell("env-export", rule, "inc-x" + i, 1, Kind.FIRED);
    }
    tell("env-export", rule, "inc-x7", 2, Kind.RESOLVED);

    String text = Http.text(demo.get("/environments/env-export/incidents/export").response());
    List<String> lines = text.lines().toList();

    assertThat(lines).hasSize(60);
    assertThat(lines.get(0)).contains("\"id\":\"inc-x59\"", "\"timeline\":[{");
    assertThat(
            Http.text(
                    demo.get("/environments/env-export/incidents/export?state=resolved").response())
                .lines())
        .hasSize(1);
  }
}
