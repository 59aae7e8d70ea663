package io.tidemark.platform.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Resources registered by hand, discovered from rows, and confirmed. */
@ExtendWith(RunningPlatform.Extension.class)
class ResourcesApiIT {

  private final RunningPlatform platform;
  private final ControlApi demo;

  ResourcesApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private String resourcesOf(String environment) {
    demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(environment));
    return "/environments/" + environment + "/resources";
  }

  private void see(String environment, String type, String name, long minute) {
    Sightings seen = new Sightings();
    seen.add("org-demo", environment, "cpu", "gauge", "", type, name, List.of(), minute);
    platform.bean(SightingRecorder.class).record(seen);
  }

  @Test
  void aResourceIsRegisteredRenamedAndDeleted() {
    String resources = resourcesOf("env-registered");
    String draft = "{\"type\":\"kafka\",\"name\":\"lkc/1\",\"display_name\":\"Orders\"}";
    Answer made = demo.post(resources, draft, "Idempotency-Key", "once");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().path("state").asString()).isEqualTo("confirmed");
    assertThat(
            demo.post(resources, draft, "Idempotency-Key", "once").header("Idempotency-Replayed"))
        .isEqualTo("true");
    assertThat(demo.post(resources, draft).code()).isEqualTo("conflict");
    String path = resources + "/" + made.body().path("id").asString();
    assertThat(demo.call("PATCH", path, "{\"display_name\":\"All\"}").code())
        .isEqualTo("precondition_required");
    assertThat(
            demo.call("PATCH", path, "{\"display_name\":\"All\"}", "If-Match", "\"1\"")
                .body()
                .path("display_name")
                .asString())
        .isEqualTo("All");
    assertThat(demo.call("DELETE", path, null, "If-Match", "\"1\"").code())
        .isEqualTo("precondition_failed");
    assertThat(demo.call("DELETE", path, null).status()).isEqualTo(204);
    assertThat(demo.get(path).status()).isEqualTo(404);
  }

  @Test
  void whatSendsIsDiscoveredAndCanBeConfirmed() {
    String resources = resourcesOf("env-senders");
    see("env-senders", "service", "checkout", 60_000);
    see("env-senders", "kafka", "lkc-9", 120_000);
    see("env-senders", "kafka", "lkc-9", 6_000_000);
    Answer list = demo.get(resources);
    assertThat(list.body().path("data")).hasSize(2);
    var cluster = list.body().path("data").path(0);
    assertThat(cluster.path("name").asString()).isEqualTo("lkc-9");
    assertThat(cluster.path("state").asString()).isEqualTo("discovered");
    assertThat(cluster.path("first_seen").asString()).isEqualTo("1970-01-01T00:02:00Z");
    assertThat(cluster.path("last_seen").asString()).isEqualTo("1970-01-01T01:40:00Z");
    String confirm = resources + "/" + cluster.path("id").asString() + "/confirm";
    assertThat(demo.post(confirm, null).body().path("state").asString()).isEqualTo("confirmed");
    assertThat(demo.post(confirm, null).header("ETag")).isEqualTo("\"2\"");
    // Registering what was discovered confirms it under the name given.
    Answer registered =
        demo.post(
            resources,
            "{\"type\":\"service\",\"name\":\"checkout\",\"display_name\":\"Checkout\"}");
    assertThat(registered.status()).isEqualTo(201);
    assertThat(registered.body().path("display_name").asString()).isEqualTo("Checkout");
    assertThat(registered.body().path("first_seen").asString()).isEqualTo("1970-01-01T00:01:00Z");
  }

  @Test
  void theListIsInPages() {
    String resources = resourcesOf("env-resource-pages");
    for (String name : List.of("a", "b", "c")) {
      demo.post(resources, "{\"type\":\"kafka\",\"name\":\"%s\"}".formatted(name));
    }
    Answer first = demo.get(resources + "?limit=2");
    String cursor = first.body().path("meta").path("next_cursor").asString();
    assertThat(demo.get(resources + "?limit=2&cursor=" + cursor).body().path("data"))
        .hasSize(1)
        .allSatisfy(resource -> assertThat(resource.path("name").asString()).isEqualTo("c"));
  }
}
