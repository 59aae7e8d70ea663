package io.tidemark.platform.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.replicas.RowChanges.Kind;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Changes of rows, as every process hears of them from PostgreSQL. */
@ExtendWith(RunningPlatform.Extension.class)
class RowChangeListenerIT {

  private static final Duration SOON = Duration.ofSeconds(5);

  private final RunningPlatform platform;
  private final RowChanges changes;
  private final ControlApi demo;

  RowChangeListenerIT(RunningPlatform platform) {
    this.platform = platform;
    this.changes = platform.bean(RowChanges.class);
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  private static void soon(RowChanges process, long before, Kind kind, String id) {
    Awaitility.await(kind + " " + id)
        .pollInterval(Duration.ofMillis(10))
        .atMost(SOON)
        .until(() -> process.notifiedSince(before, kind, id));
  }

  private String post(String path, String body, String pointer) {
    ControlApi.Answer answer = demo.post(path, body);
    assertThat(answer.status()).isEqualTo(201);
    return answer.body().at(pointer).asString();
  }

  @Test
  void everyProcessHearsOfKeysQuotasAndOrganisations() throws IOException {
    try (RunningPlatform other = platform.beside(Map.of("TIDEMARK_ROLES", "ingest"))) {
      RowChanges elsewhere = other.bean(RowChanges.class);
      Awaitility.await("the other process listens")
          .atMost(Duration.ofSeconds(20))
          .until(() -> elsewhere.count() > 0);
      post("/environments", "{\"id\":\"env-heard\",\"display_name\":\"x\"}", "/id");
      String account =
          post("/service-accounts", "{\"display_name\":\"Heard\",\"role\":\"developer\"}", "/id");
      String keys = "/service-accounts/" + account + "/api-keys";

      long before = elsewhere.count();
      String key =
          post(
              keys,
              "{\"environment_id\":\"env-heard\",\"scopes\":[\"metrics:write\"]}",
              "/api_key/id");
      soon(elsewhere, before, Kind.API_KEY, key);

      before = elsewhere.count();
      assertThat(demo.call("DELETE", keys + "/" + key, null, "If-Match", "*").status())
          .isEqualTo(204);
      soon(elsewhere, before, Kind.API_KEY, key);

      before = elsewhere.count();
      String quotas = "/environments/env-heard/quotas";
      assertThat(demo.call("PUT", quotas, "{\"requests_per_second\":9}", "If-Match", "*").status())
          .isEqualTo(200);
      soon(elsewhere, before, Kind.QUOTA, "org-demo");

      before = elsewhere.count();
      assertThat(
              demo.call("DELETE", "/service-accounts/" + account, null, "If-Match", "*").status())
          .isEqualTo(204);
      soon(elsewhere, before, Kind.ORGANIZATION, "org-demo");
    }
  }

  /** Otherwise every use of a key would have all processes ask for it again. */
  @Test
  void whenAKeyWasLastUsedIsNotNotified() {
    String id = "D".repeat(16);
    long before = changes.count();
    platform.bean(Authentication.class).authenticate(TestingKeys.bearer(RunningPlatform.DEMO_KEY));
    platform
        .database()
        .sql("UPDATE api_key SET last_used_at = now() WHERE id = :id")
        .param("id", id)
        .update();
    platform
        .database()
        .sql("UPDATE api_key SET expires_at = expires_at WHERE id = :id")
        .param("id", "S".repeat(16))
        .update();
    // Notifications come in the order of commits.
    soon(changes, before, Kind.API_KEY, "S".repeat(16));
    assertThat(changes.notifiedSince(before, Kind.API_KEY, id)).isFalse();
  }

  @Test
  void whatMayHaveBeenMissedWhileTheConnectionWasLostCountsAsChanged() {
    Awaitility.await("the process listens").until(() -> changes.count() > 0);
    long before = changes.count();
    platform
        .database()
        .sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name")
        .param("name", RowChangeListener.APPLICATION)
        .query(Boolean.class)
        .list();
    Awaitility.await("it listens again")
        .atMost(Duration.ofSeconds(20))
        .until(() -> changes.changedSince(before, Kind.API_KEY, "ANYKEY"));
    long after = changes.count();
    platform
        .database()
        .sql("UPDATE organization SET display_name = display_name WHERE id = 'org-extra'")
        .update();
    soon(changes, after, Kind.ORGANIZATION, "org-extra");
  }
}
