package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.tidemark.contracts.control.v1.AlertRuleControl;
import io.tidemark.platform.alerting.AlertTransition.Kind;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingDruidRows;
import io.tidemark.platform.testing.TestingKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rules reach the pipeline, what it says becomes incidents, and people work on them. */
@ExtendWith(RunningPlatform.Extension.class)
class AlertsApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final RunningPlatform platform;
  private final ControlApi demo;

  AlertsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private static <T> T await(String what, Supplier<T> ask, Predicate<T> satisfied) {
    return InterruptibleDelay.until(what, PATIENCE, () -> Optional.of(ask.get()), satisfied);
  }

  private static AlertRuleControl rule(byte[] value) {
    try {
      return AlertRuleControl.parseFrom(value);
    } catch (InvalidProtocolBufferException notOfTheContract) {
      throw new AssertionError(notOfTheContract);
    }
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  private void tell(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind));
  }

  @Test
  void aRuleReachesThePipelineWithEachChangeAndGoesWithATombstone() throws Exception {
    String place = environment("env-alerts-rule");
    Answer made = demo.post(place + "/alert-rules", TestingAlerts.RULE, "Idempotency-Key", "r1");
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    String id = made.body().path("id").asString();
    assertThat(
            demo.post(place + "/alert-rules", TestingAlerts.RULE, "Idempotency-Key", "r1")
                .body()
                .path("id")
                .asString())
        .isEqualTo(id);
    String key = "org-demo/env-alerts-rule/" + id;

    AlertRuleControl first = published(key, 1);
    assertThat(first.getSignal().getMetric()).isEqualTo("queue");
    assertThat(first.getComparison().getThreshold()).isEqualTo(100);
    assertThat(first.getEffectiveFromUnixMs() % 60_000).isZero();
    assertThat(first.getEnabledFromUnixMs()).isEqualTo(first.getEffectiveFromUnixMs());
    Answer changed =
        demo.call(
            "PUT",
            place + "/alert-rules/" + id,
            TestingAlerts.RULE.replace("100", "200"),
            "If-Match",
            made.header("ETag"));
    assertThat(changed.status()).isEqualTo(200);
    AlertRuleControl second = published(key, 2);
    assertThat(second.getComparison().getThreshold()).isEqualTo(200);
    assertThat(second.getEnabledFromUnixMs()).isEqualTo(first.getEnabledFromUnixMs());
    assertThat(
            demo.call(
                    "PUT",
                    place + "/alert-rules/" + id,
                    TestingAlerts.RULE,
                    "If-Match",
                    made.header("ETag"))
                .status())
        .isEqualTo(412);

    String disabled = TestingAlerts.RULE.replaceFirst("\\{", "{\"enabled\":false,");
    for (String definition : List.of(disabled, TestingAlerts.RULE)) {
      assertThat(
              demo.call("PUT", place + "/alert-rules/" + id, definition, "If-Match", "*").status())
          .isEqualTo(200);
    }
    AlertRuleControl enabled = published(key, 4);
    assertThat(enabled.getEnabledFromUnixMs()).isEqualTo(enabled.getEffectiveFromUnixMs());

    assertThat(demo.call("DELETE", place + "/alert-rules/" + id, null).status()).isEqualTo(204);
    await(
        "the tombstone",
        () -> platform.controlTopics().last("control.alert-rules.v1", key),
        record -> record.isPresent() && record.get().value() == null);
    assertThat(demo.get(place + "/alert-rules/" + id).status()).isEqualTo(404);
  }

  private AlertRuleControl published(String key, long version) throws Exception {
    return await(
        "version " + version,
        () -> {
          var record = platform.controlTopics().last("control.alert-rules.v1", key);
          return rule(record.map(ControlRecord::value).orElse(new byte[0]));
        },
        rule -> rule.getVersion() == version);
  }

  @Test
  void everyFaultOfARuleIsNamedAtOnce() {
    String place = environment("env-alerts-bad");
    Answer refused =
        demo.post(
            place + "/alert-rules",
            """
            {"name":"","severity":"info","runbook_url":"ftp://x","annotations":{"a":"%s"},
             "condition":{"metric":"","operator":"gt","threshold":1,"recovery_threshold":2,
               "window_minutes":0,"group_by":["queue"],"kind":"absence","early":true,
               "matchers":[{"label":"metric.q","operator":"regex","value":"("}]}}
            """
                .formatted("x".repeat(1_001)));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    String faults = refused.body().path("errors").toString();
    for (String field :
        List.of(
            "name must",
            "runbook_url must",
            "annotations must",
            "condition.metric must",
            "condition.recovery_threshold must",
            "condition.window_minutes must",
            "condition.group_by must",
            "condition.early must",
            "condition.matchers.value is not")) {
      assertThat(faults).contains(field);
    }
  }

  @Test
  void anEnvironmentHasTwoThousandRulesAndIsToldSo() {
    String place = environment("env-alerts-most");
    String first =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    assertThat(
            platform
                .database()
                .sql(
                    """
                    INSERT INTO alert_rule (organization_id, environment_id, id, definition, version,
                      effective_from, enabled_from, created_at, updated_at)
                    SELECT organization_id, environment_id, 'most-' || i, definition, version,
                      effective_from, enabled_from, created_at, updated_at
                    FROM alert_rule CROSS JOIN generate_series(2, 2000) AS i
                    WHERE id = :first
                    """)
                .param("first", first)
                .update())
        .isEqualTo(1_999);

    Answer refused = demo.post(place + "/alert-rules", TestingAlerts.RULE);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.body().toString()).contains("2000 alert rules", "delete one");
    assertThat(demo.call("DELETE", place + "/alert-rules/most-2", null).status()).isEqualTo(204);
    assertThat(demo.post(place + "/alert-rules", TestingAlerts.RULE).status()).isEqualTo(201);
  }

  @Test
  void anOpenMinuteRaisesAndTheCompleteOneConfirmsOrTakesBack() throws Exception {
    String place = environment("env-alerts-early");
    Answer made =
        demo.post(
            place + "/alert-rules",
            TestingAlerts.RULE.replace("\"threshold\":100", "\"threshold\":100,\"early\":true"));
    String rule = made.body().path("id").asString();
    assertThat(made.body().path("condition").path("early").asBoolean()).isTrue();
    assertThat(published("org-demo/env-alerts-early/" + rule, 1).getEarly()).isTrue();

    early("env-alerts-early", rule, "inc-right", 1, Kind.FIRED);
    JsonNode raised = demo.get(place + "/incidents/inc-right").body();
    assertThat(raised.path("early").asBoolean()).isTrue();
    assertThat(raised.path("state").asString()).isEqualTo("open");
    assertThat(demo.get(place + "/alert-rules/" + rule).body().path("groups")).isEmpty();
    tell("env-alerts-early", rule, "inc-right", 1, Kind.FIRED);
    JsonNode confirmed = demo.get(place + "/incidents/inc-right").body();
    assertThat(confirmed.has("early")).isFalse();
    assertThat(confirmed.path("timeline").findValuesAsString("kind"))
        .containsExactly("fired", "changed");

    // Read again, or too late: a complete minute has decided.
    early("env-alerts-early", rule, "inc-right", 2, Kind.FIRED);
    early("env-alerts-early", rule, "inc-right", 3, Kind.RETRACTED);
    assertThat(demo.get(place + "/incidents/inc-right").body()).isEqualTo(confirmed);

    early("env-alerts-early", rule, "inc-wrong", 1, Kind.FIRED);
    early("env-alerts-early", rule, "inc-wrong", 2, Kind.RETRACTED);
    JsonNode gone = demo.get(place + "/incidents/inc-wrong").body();
    assertThat(gone.path("state").asString()).isEqualTo("retracted");
    assertThat(gone.path("early").asBoolean()).isTrue();
  }

  private void early(String environment, String rule, String incident, long sequence, Kind kind) {
    platform
        .bean(TransitionRecorder.class)
        .record(
            TestingAlerts.early(
                TestingAlerts.transition(DEMO, environment, rule, incident, sequence, kind)));
  }

  @Test
  void lateDataRetractAnIncidentAndPeopleWorkOnIt() {
    String place = environment("env-alerts-work");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    tell("env-alerts-work", rule, "inc-work", 1, Kind.FIRED);
    String incident = place + "/incidents/inc-work";

    assertThat(demo.post(incident + "/acknowledge", null).status()).isEqualTo(200);
    assertThat(demo.post(incident + "/comments", "{\"text\":\"On it\"}").status()).isEqualTo(200);
    assertThat(demo.post(incident + "/assign", "{\"to\":\"Ada\"}").status()).isEqualTo(200);
    tell("env-alerts-work", rule, "inc-work", 2, Kind.RETRACTED);

    JsonNode after = demo.get(incident).body();
    assertThat(after.path("state").asString()).isEqualTo("retracted");
    assertThat(after.path("assigned_to").asString()).isEqualTo("Ada");
    assertThat(after.path("timeline").findValuesAsString("kind"))
        .containsExactly("fired", "acknowledged", "commented", "assigned", "retracted");
    assertThat(demo.post(incident + "/comments", "{\"text\":\"\"}").status()).isEqualTo(400);
    assertThat(demo.get(place + "/incidents?state=retracted&rule_id=" + rule).body().path("data"))
        .hasSize(1);
    assertThat(demo.get(place + "/incidents?state=open").body().path("data")).isEmpty();
  }

  @Test
  void aRuleIsBlindWhileThePipelineStandsAndFiringStays() {
    String place = environment("env-alerts-blind");
    String rule =
        demo.post(place + "/alert-rules", TestingAlerts.RULE).body().path("id").asString();
    String path = place + "/alert-rules/" + rule;
    Instant now = platform.bean(Clock.class).instant();
    platform.progress().completeUntil(now);
    assertThat(demo.get(path).body().path("state").asString()).isEqualTo("normal");
    assertThat(demo.get(path).body().path("evaluation").path("is_blind").asBoolean()).isFalse();

    platform.progress().completeUntil(now.minus(Duration.ofMinutes(10)));
    JsonNode blind = demo.get(path).body();
    assertThat(blind.path("state").asString()).isEqualTo("blind");
    assertThat(blind.path("evaluation").path("reason").asString()).contains("stands");
    tell("env-alerts-blind", rule, "inc-blind", 1, Kind.FIRED);
    JsonNode firing = demo.get(path).body();
    assertThat(firing.path("state").asString()).isEqualTo("firing");
    assertThat(firing.path("evaluation").path("groups").path("firing").asLong()).isEqualTo(1);
    prometheusListsIt("env-alerts-blind", firing.path("name").asString());
    platform.progress().completeUntil(now);
  }

  /** Rules and alerts under the names of Prometheus; of other organisations nothing. */
  private void prometheusListsIt(String environment, String name) {
    JsonNode groups = prometheus("rules", RunningPlatform.DEMO_KEY).path("groups");
    JsonNode group =
        groups
            .valueStream()
            .filter(each -> each.path("name").asString().equals(environment))
            .findFirst()
            .orElseThrow();
    JsonNode listed = group.path("rules").get(0);
    assertThat(listed.path("name").asString()).isEqualTo(name);
    assertThat(listed.path("state").asString()).isEqualTo("firing");
    assertThat(listed.path("health").asString()).isEqualTo("err");
    assertThat(listed.path("lastError").asString()).contains("stands");
    assertThat(listed.path("query").asString()).startsWith("threshold: ");
    JsonNode alert = listed.path("alerts").get(0);
    assertThat(alert.path("labels").path("alertname").asString()).isEqualTo(name);
    assertThat(alert.path("labels").path("environment_id").asString()).isEqualTo(environment);
    assertThat(prometheus("alerts", RunningPlatform.DEMO_KEY).path("alerts").valueStream())
        .contains(alert);
    assertThat(prometheus("alerts", RunningPlatform.EXTRA_KEY).toString())
        .doesNotContain(environment);
    assertThat(prometheus("rules?rule_name[]=none", RunningPlatform.DEMO_KEY).path("groups"))
        .isEmpty();
  }

  private JsonNode prometheus(String path, String key) {
    return JSON.readTree(
            Http.text(
                Http.get(
                    platform.api("/prometheus/api/v1/" + path.replace("[]", "%5B%5D")),
                    "Authorization",
                    TestingKeys.basic(key))))
        .path("data");
  }

  @Test
  void aPreviewSaysWhenARuleWouldHaveFired() {
    String place = environment("env-alerts-preview");
    platform.progress().completeUntil(Instant.parse("2026-01-01T00:30:00Z"));
    platform
        .druid()
        .answerFrom(
            new TestingDruidRows(
                List.of(
                    stored("org-demo", "env-alerts-preview", "orders", "150"),
                    stored("org-demo", "env-alerts-preview", "mails", "7"),
                    stored("org-demo", "env-alerts-other", "orders", "9000"),
                    stored("org-extra", "env-alerts-preview", "orders", "9000"))));
    try {
      Answer answer =
          demo.post(
              place + "/alert-rules/preview",
              """
              {"condition":{"metric":"queue","operator":"gt","threshold":100,
               "group_by":["metric.queue"],
               "matchers":[{"label":"metric.queue","operator":"regex","value":"o.*"}]}}
              """);

      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      assertThat(answer.body().path("incidents_total").asInt()).isEqualTo(1);
      JsonNode incident = answer.body().path("incidents").path(0);
      assertThat(incident.path("started_at").asString()).isEqualTo("2026-01-01T00:00:00Z");
      assertThat(incident.path("value").asDouble()).isEqualTo(150);
      assertThat(incident.at("/group/metric.queue").asString()).isEqualTo("orders");
      assertThat(answer.body().path("groups")).hasSize(1);
      assertThat(demo.get(place + "/alert-rules").body().path("data")).isEmpty();
    } finally {
      platform.druid().answerWith(200, "[]");
      platform.progress().completeUntil(Instant.now());
    }
    Answer refused =
        demo.post(
            place + "/alert-rules/preview",
            "{\"condition\":{\"metric\":\"\",\"operator\":\"gt\",\"threshold\":1},\"days\":31}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body().path("errors").toString())
        .contains("days must be 1 to 30", "condition.metric");
  }

  private static Map<String, String> stored(
      String organization, String environment, String queue, String sum) {
    return Map.ofEntries(
        Map.entry("organization_id", organization),
        Map.entry("environment_id", environment),
        Map.entry("metric", "queue"),
        Map.entry("metric_type", "gauge"),
        Map.entry("unit", "1"),
        Map.entry("resource_type", "service"),
        Map.entry("resource_id", "shop"),
        Map.entry("series_id", "0123456789abcdef0123456789abcdef"),
        Map.entry("metric.queue", queue),
        Map.entry("sum", sum));
  }
}
