package io.tidemark.platform.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Packs give an environment their rules once, leave what somebody changed, and go again. */
@ExtendWith(RunningPlatform.Extension.class)
class AlertPacksApiIT {

  private final RunningPlatform platform;
  private final ControlApi demo;

  AlertPacksApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  private JsonNode rules(String place) {
    return demo.get(place + "/alert-rules?limit=200").body().path("data");
  }

  @Test
  void enablingIsDoneOnceAndLeavesWhatSomebodyChanged() {
    String place = environment("env-packs");
    String pack = place + "/alert-packs/jvm";
    assertThat(demo.get(pack).body().has("enabled_version")).isFalse();
    Answer first = demo.call("PUT", pack, null);
    assertThat(first.status()).as("%s", first.body()).isEqualTo(200);
    assertThat(first.body().path("enabled_version").asLong())
        .isPositive()
        .isEqualTo(first.body().path("version").asLong());
    int count = first.body().path("rules").size();
    assertThat(rules(place)).hasSize(count);

    Answer again = demo.call("PUT", pack, null);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(rules(place)).hasSize(count);

    JsonNode rule = rules(place).path(0);
    String path = place + "/alert-rules/" + rule.path("id").asString();
    assertThat(
            demo.call(
                    "PUT",
                    path,
                    """
                    {"name":"Ours","severity":"info",
                     "condition":{"metric":"jvm.gc.duration","operator":"gt","threshold":9}}
                    """,
                    "If-Match",
                    "*")
                .status())
        .isEqualTo(200);
    JsonNode seen = demo.call("PUT", pack, null).body();
    assertThat(seen.path("rules").findValues("is_changed").stream().filter(JsonNode::asBoolean))
        .hasSize(1);
    assertThat(demo.get(path).body().path("name").asString()).isEqualTo("Ours");

    assertThat(demo.call("DELETE", pack, null).status()).isEqualTo(204);
    assertThat(demo.call("DELETE", pack, null).status()).isEqualTo(204);
    assertThat(rules(place)).isEmpty();
    assertThat(demo.call("PUT", place + "/alert-packs/nobody", null).status()).isEqualTo(404);
  }

  @Test
  void anOlderVersionIsBroughtUpToTodays() {
    String place = environment("env-packs-old");
    String pack = place + "/alert-packs/druid";
    assertThat(demo.call("PUT", pack, null).status()).isEqualTo(200);
    int count = rules(place).size();
    // As a version before would have left it: one rule is missing and one is not in the pack.
    platform
        .database()
        .sql("UPDATE alert_pack SET version = 0 WHERE environment_id = 'env-packs-old'")
        .update();
    platform
        .database()
        .sql(
            """
            UPDATE alert_rule SET pack_key = 'of-before'
            WHERE environment_id = 'env-packs-old' AND pack_key = 'druid-silent'
            """)
        .update();

    platform
        .bean(AlertPacks.class)
        .enableOnce(
            new TenantId("org-demo"),
            Actor.system("test"),
            new EnvironmentId("env-packs-old"),
            "druid");

    JsonNode now = demo.get(pack).body();
    assertThat(now.path("enabled_version").asLong()).isEqualTo(now.path("version").asLong());
    assertThat(now.path("rules").findValues("alert_rule_id")).hasSize(count);
    assertThat(rules(place)).hasSize(count);
  }

  @Test
  void thePlatformsOwnOrganisationHasThemFromTheStart() {
    ControlApi self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);

    assertThat(
            self.get("/environments/env-self/alert-packs")
                .body()
                .path("data")
                .findValues("enabled_version"))
        .hasSize(5);
  }
}
