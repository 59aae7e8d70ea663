package io.tidemark.platform.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Dashboards are kept with every version, and no change overwrites another unseen. */
@ExtendWith(RunningPlatform.Extension.class)
class DashboardsApiIT {

  private final RunningPlatform platform;
  private final ControlApi demo;

  DashboardsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private static String definition(String title) {
    return """
        {"version":1,"title":"%s","description":"Queues","resource_type":"kafka",
         "variables":[{"name":"topic","label":"metric.topic","default":["orders"],"multi":true}],"panels":[
         {"title":"In","type":"time_series","metric":"queue.in","agg":"RATE","by":["metric.topic"],
          "where":[{"label":"metric.topic","op":"NE","value":"_x"},
           {"label":"metric.topic","op":"EQ","value":"$topic"}],"width":2},
         {"type":"text","text":"Ask the team.\\nTwice."}]}
        """
        .formatted(title);
  }

  private Answer create(String title) {
    Answer made = demo.post("/dashboards", definition(title));
    assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    return made;
  }

  private Answer change(String id, String title, String tag) {
    return demo.call("PUT", "/dashboards/" + id, definition(title), "If-Match", tag);
  }

  @Test
  void aDashboardIsMadeOnceReadListedAndDeleted() {
    Answer made = demo.post("/dashboards", definition("Once"), "Idempotency-Key", "dash-once");
    Answer again = demo.post("/dashboards", definition("Once"), "Idempotency-Key", "dash-once");
    String id = made.body().path("id").asString();
    assertThat(again.body().path("id").asString()).isEqualTo(id);
    assertThat(made.header("Location")).endsWith("/dashboards/" + id);
    Answer read = demo.get("/dashboards/" + id);
    assertThat(read.header("ETag")).isEqualTo("\"1\"");
    JsonNode panel = read.body().path("definition").path("panels").path(0);
    assertThat(panel.path("metric").asString()).isEqualTo("queue.in");
    assertThat(panel.path("where").path(0).path("op").asString()).isEqualTo("NE");
    JsonNode variable = read.body().path("definition").path("variables").path(0);
    assertThat(variable.path("name").asString()).isEqualTo("topic");
    assertThat(variable.path("default").path(0).asString()).isEqualTo("orders");
    assertThat(variable.path("multi").asBoolean()).isTrue();
    assertThat(read.body().path("created_by").path("kind").asString()).isEqualTo("api_key");
    JsonNode listed = entry(id);
    assertThat(listed.path("title").asString()).isEqualTo("Once");
    assertThat(listed.path("panel_count").asInt()).isEqualTo(2);
    assertThat(listed.path("resource_type").asString()).isEqualTo("kafka");

    assertThat(demo.call("DELETE", "/dashboards/" + id, null, "If-Match", "\"7\"").status())
        .isEqualTo(412);
    assertThat(demo.call("DELETE", "/dashboards/" + id, null).status()).isEqualTo(204);
    assertThat(demo.get("/dashboards/" + id).status()).isEqualTo(404);
    assertThat(demo.get("/dashboards/" + id + "/versions").status()).isEqualTo(404);
    assertThat(audited(id)).containsExactly("dashboard.create", "dashboard.delete");
  }

  private JsonNode entry(String id) {
    String cursor = "";
    while (true) {
      Answer page = demo.get("/dashboards?limit=200" + cursor);
      for (JsonNode each : page.body().path("data")) {
        if (each.path("id").asString().equals(id)) {
          return each;
        }
      }
      String next = page.body().path("meta").path("next_cursor").asString("");
      assertThat(next).as("%s is in the list", id).isNotEmpty();
      cursor = "&cursor=" + next;
    }
  }

  private List<String> audited(String id) {
    return platform
        .database()
        .sql(
            """
            SELECT action FROM audit_entry
            WHERE organization_id = 'org-demo' AND object_id = :id AND outcome = 'done' ORDER BY sequence
            """)
        .param("id", id)
        .query(String.class)
        .list();
  }

  @Test
  void everyVersionIsKeptWithWhoMadeItAndCanBeRestored() {
    String id = create("First").body().path("id").asString();
    assertThat(change(id, "Second", "\"1\"").header("ETag")).isEqualTo("\"2\"");
    // The same again is no version.
    assertThat(change(id, "Second", "\"2\"").header("ETag")).isEqualTo("\"2\"");
    assertThat(change(id, "Late", "\"1\"").status()).isEqualTo(412);
    assertThat(demo.call("PUT", "/dashboards/" + id, definition("x")).status()).isEqualTo(428);

    Answer versions = demo.get("/dashboards/" + id + "/versions?limit=1");
    assertThat(versions.body().path("data").path(0).path("version").asInt()).isEqualTo(2);
    assertThat(versions.body().path("data").path(0).path("title").asString()).isEqualTo("Second");
    assertThat(versions.body().path("data").path(0).path("changed_by").path("id").asString())
        .isNotEmpty();
    Answer older =
        demo.get(
            "/dashboards/"
                + id
                + "/versions?cursor="
                + versions.body().path("meta").path("next_cursor").asString());
    assertThat(older.body().path("data").path(0).path("version").asInt()).isEqualTo(1);
    assertThat(
            demo.get("/dashboards/" + id + "/versions/1")
                .body()
                .path("definition")
                .path("title")
                .asString())
        .isEqualTo("First");
    assertThat(demo.get("/dashboards/" + id + "/versions/9").status()).isEqualTo(404);
    assertThat(demo.get("/dashboards/" + id + "/versions/first").status()).isEqualTo(400);

    assertThat(
            demo.post("/dashboards/" + id + "/versions/1/restore", null, "If-Match", "\"1\"")
                .status())
        .isEqualTo(412);
    Answer restored =
        demo.post("/dashboards/" + id + "/versions/1/restore", null, "If-Match", "\"2\"");
    assertThat(restored.status()).as("%s", restored.body()).isEqualTo(200);
    assertThat(restored.body().path("version").asInt()).isEqualTo(3);
    assertThat(restored.body().path("definition").path("title").asString()).isEqualTo("First");
    assertThat(
            demo.get("/dashboards/" + id + "/versions")
                .body()
                .path("data")
                .path(0)
                .path("restored_from")
                .asInt())
        .isEqualTo(1);
    assertThat(audited(id))
        .containsExactly("dashboard.create", "dashboard.change", "dashboard.restore");
  }

  @Test
  void ofTwoChangesAtATimeOneIsTold() throws Exception {
    String id = create("Race").body().path("id").asString();
    List<Callable<Integer>> changes = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      String title = "Race " + number;
      changes.add(() -> change(id, title, "\"1\"").status());
    }
    List<Integer> statuses = new ArrayList<>();
    ExecutorService people = Executors.newFixedThreadPool(4);
    try {
      for (var answer : people.invokeAll(changes)) {
        statuses.add(answer.get());
      }
    } finally {
      people.shutdownNow();
    }
    assertThat(statuses).containsExactlyInAnyOrder(200, 412, 412, 412);
  }

  @Test
  void aCopyIsADashboardOfItsOwn() {
    String id = create("Original").body().path("id").asString();
    Answer copy = demo.post("/dashboards/" + id + "/duplicate", null, "Idempotency-Key", "copy-1");
    assertThat(copy.status()).as("%s", copy.body()).isEqualTo(201);
    assertThat(copy.body().path("definition").path("title").asString())
        .isEqualTo("Original (copy)");
    assertThat(copy.body().path("version").asInt()).isEqualTo(1);
    assertThat(
            demo.post("/dashboards/" + id + "/duplicate", null, "Idempotency-Key", "copy-1")
                .body()
                .path("id")
                .asString())
        .isEqualTo(copy.body().path("id").asString())
        .isNotEqualTo(id);
  }

  @Test
  void badImportsAreRefusedWithWhatIsWrong() {
    Answer refused =
        demo.post(
            "/dashboards",
            """
            {"version":3,"title":"","variables":[{"name":"1","label":"metric.a"}],
             "panels":[{"type":"stat"},null]}
            """);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    assertThat(refused.body().path("errors").size()).isEqualTo(6);
    Answer unknown =
        demo.post(
            "/dashboards", "{\"version\":1,\"title\":\"x\",\"panels\":[{\"type\":\"iframe\"}]}");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.body().path("detail").asString()).contains("type must be one of");
    String deep = "[".repeat(5_000) + "]".repeat(5_000);
    assertThat(
            demo.post("/dashboards", "{\"version\":1,\"title\":\"x\",\"panels\":" + deep + "}")
                .status())
        .isEqualTo(400);
    String text = "{\"type\":\"text\",\"text\":\"" + "\u20ac".repeat(4_000) + "\"}";
    Answer large =
        demo.post(
            "/dashboards",
            "{\"version\":1,\"title\":\"x\",\"panels\":["
                + String.join(",", java.util.Collections.nCopies(30, text))
                + "]}");
    assertThat(large.status()).isEqualTo(400);
    assertThat(large.body().path("detail").asString()).contains("262144 bytes");
    assertThat(demo.post("/dashboards", "{\"title\":\"" + "x".repeat(2_000_000) + "\"}").status())
        .isEqualTo(413);
  }
}
