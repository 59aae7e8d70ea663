package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Nobody is told of what is silenced or inhibited; everybody sees it, and is told when it ends. */
@ExtendWith(RunningPlatform.Extension.class)
class SilencesApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RunningPlatform platform;
  private final ControlApi demo;

  SilencesApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private static <T> T await(String what, Supplier<T> ask, Predicate<T> satisfied) {
    return InterruptibleDelay.until(what, PATIENCE, () -> Optional.of(ask.get()), satisfied);
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    String place = "/environments/" + id;
    // Nobody listens there: the messages stay in the log.
    assertThat(
            demo.post(
                    place + "/integrations",
                    TestingAlerts.INTEGRATION.replace("}", ",\"send_test\":false}"))
                .status())
        .isEqualTo(201);
    return place;
  }

  private String rule(String place, String body) {
    Answer made = demo.post(place + "/alert-rules", body);
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    return made.body().path("id").asString();
  }

  private JsonNode silence(String place, String more) {
    Instant end = platform.bean(Clock.class).instant().plus(Duration.ofHours(1));
    Answer made =
        demo.post(
            place + "/silences",
            """
            {"comment":"Upgrade","matchers":[{"label":"labels.team","operator":"eq","value":"it"}],
             "ends_at":"%s"%s}
            """
                .formatted(end, more));
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    return made.body();
  }

  private void tell(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind));
  }

  /** Types of messages, oldest first. */
  private List<String> messages(String place) {
    String integration =
        demo.get(place + "/integrations").body().path("data").path(0).path("id").asString();
    List<String> types =
        new ArrayList<>(
            demo.get(place + "/integrations/" + integration + "/deliveries")
                .body()
                .path("data")
                .findValuesAsString("type"));
    Collections.reverse(types);
    return types;
  }

  @Test
  void whatIsSilencedIsSeenAndToldWhenTheSilenceEnds() {
    String place = environment("env-silence");
    String rule = rule(place, TestingAlerts.RULE);
    JsonNode silence = silence(place, "");
    assertThat(silence.path("state").asString()).isEqualTo("active");
    tell("env-silence", rule, "inc-silenced", 1, Kind.FIRED);
    tell("env-silence", rule, "inc-silenced", 2, Kind.CHANGED);
    String path = place + "/incidents/inc-silenced";
    JsonNode seen = demo.get(path).body();
    assertThat(seen.path("suppressed_by").asString()).isEqualTo(silence.path("id").asString());
    assertThat(seen.path("timeline").findValuesAsString("suppressed_by"))
        .containsExactly(silence.path("id").asString(), silence.path("id").asString());
    assertThat(messages(place)).isEmpty();

    assertThat(
            demo.call("DELETE", place + "/silences/" + silence.path("id").asString(), null)
                .status())
        .isEqualTo(204);

    JsonNode told = await("the end", () -> demo.get(path).body(), it -> !it.has("suppressed_by"));
    assertThat(told.path("timeline").findValuesAsString("kind"))
        .containsExactly("fired", "changed", "unsuppressed");
    assertThat(messages(place)).containsExactly("incident.fired");
    tell("env-silence", rule, "inc-silenced", 3, Kind.RESOLVED);
    assertThat(messages(place)).containsExactly("incident.fired", "incident.resolved");
  }

  @Test
  void theEndOfWhatWasToldIsToldThoughItIsSilencedAndThatOfWhatWasNotIsNot() {
    String place = environment("env-silence-end");
    String rule = rule(place, TestingAlerts.RULE);
    tell("env-silence-end", rule, "inc-heard", 1, Kind.FIRED);
    silence(place, "");
    tell("env-silence-end", rule, "inc-quiet", 1, Kind.FIRED);
    tell("env-silence-end", rule, "inc-quiet", 2, Kind.RESOLVED);
    assertThat(demo.post(place + "/incidents/inc-heard/acknowledge", null).status()).isEqualTo(200);
    tell("env-silence-end", rule, "inc-heard", 2, Kind.RESOLVED);

    assertThat(messages(place)).containsExactly("incident.fired", "incident.resolved");
    JsonNode quiet = demo.get(place + "/incidents/inc-quiet").body();
    assertThat(quiet.path("state").asString()).isEqualTo("resolved");
    assertThat(quiet.path("suppressed_by").asString()).startsWith("sil-");
    assertThat(demo.get(place + "/incidents/inc-heard").body().has("suppressed_by")).isFalse();
  }

  @Test
  void anOpenIncidentInhibitsOthersUntilItEnds() {
    String place = environment("env-inhibit");
    String source = rule(place, TestingAlerts.RULE);
    String target = rule(place, TestingAlerts.RULE.replace("critical", "warning"));
    Answer made =
        demo.post(
            place + "/inhibitions",
            """
            {"name":"Critical before warning","equal":["metric.queue"],
             "source":[{"label":"severity","operator":"eq","value":"critical"}],
             "target":[{"label":"severity","operator":"eq","value":"warning"}]}
            """);
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    tell("env-inhibit", source, "inc-source", 1, Kind.FIRED);
    tell("env-inhibit", target, "inc-target", 1, Kind.FIRED);
    assertThat(demo.get(place + "/incidents/inc-target").body().path("suppressed_by").asString())
        .isEqualTo(made.body().path("id").asString());
    assertThat(messages(place)).containsExactly("incident.fired");

    tell("env-inhibit", source, "inc-source", 2, Kind.RESOLVED);

    await(
        "the target to be told",
        () -> demo.get(place + "/incidents/inc-target").body(),
        incident -> !incident.has("suppressed_by"));
    assertThat(messages(place))
        .containsExactly("incident.fired", "incident.resolved", "incident.fired");
  }

  @Test
  void aSilenceIsChangedWithItsVersionAndWaitsForItsTime() {
    String place = environment("env-silence-change");
    String later = platform.bean(Clock.class).instant().plus(Duration.ofMinutes(10)).toString();
    JsonNode silence =
        silence(
            place,
            ",\"starts_at\":\"%s\",\"repeat\":{\"every\":\"week\",\"time_zone\":\"Europe/Berlin\"}"
                .formatted(later));
    assertThat(silence.path("state").asString()).isEqualTo("waiting");
    String path = place + "/silences/" + silence.path("id").asString();
    String body =
        """
        {"comment":"Other","matchers":[{"label":"severity","operator":"eq","value":"info"}],
         "ends_at":"%s"}
        """
            .formatted(silence.path("ends_at").asString());
    assertThat(demo.call("PUT", path, body).status()).isEqualTo(428);
    Answer changed = demo.call("PUT", path, body, "If-Match", "\"1\"");
    assertThat(changed.status()).as("%s", changed.body()).isEqualTo(200);
    assertThat(changed.body().path("starts_at")).isEqualTo(silence.path("starts_at"));
    assertThat(changed.body().has("repeat")).isFalse();
    assertThat(demo.call("PUT", path, body, "If-Match", "\"1\"").status()).isEqualTo(412);
    assertThat(demo.get(place + "/silences").body().path("data")).hasSize(1);
    Answer refused =
        demo.post(
            place + "/silences",
            "{\"comment\":\"\",\"matchers\":[],\"ends_at\":\"2020-01-01T00:00:00Z\"}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("errors").toString())
        .contains("comment must", "matchers must", "ends_at must");
  }
}
