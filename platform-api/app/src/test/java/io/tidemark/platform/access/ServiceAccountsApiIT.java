package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Service accounts and their keys as a caller of the control API sees them. */
@ExtendWith(RunningPlatform.Extension.class)
class ServiceAccountsApiIT {

  private final RunningPlatform platform;
  private final ControlApi self;

  ServiceAccountsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
  }

  private String account(String role) {
    Answer made =
        self.post(
            "/service-accounts", "{\"display_name\":\"Sender\",\"role\":\"%s\"}".formatted(role));
    assertThat(made.status()).isEqualTo(201);
    return made.body().path("id").asString();
  }

  private static String draft(String... scopes) {
    return "{\"environment_id\":\"env-self\",\"scopes\":[\""
        + String.join("\",\"", scopes)
        + "\"]}";
  }

  private Answer issue(String account, String draft, String... headers) {
    return self.post("/service-accounts/" + account + "/api-keys", draft, headers);
  }

  private ControlApi with(String secret) {
    return new ControlApi(platform, "org-self", secret);
  }

  private int send(String key) {
    return Http.post(
            platform.otlp("/v1/metrics"),
            "{}",
            "Content-Type",
            "application/json",
            "Authorization",
            TestingKeys.basic(key))
        .statusCode();
  }

  @Test
  void aKeyIsShownOnceAndNothingKeepsItsSecret() {
    String account = account("developer");
    Answer made =
        issue(account, draft("metrics:write", "metrics:read"), "Idempotency-Key", "shown-once");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    String secret = made.body().path("secret").asString();
    assertThat(secret).startsWith("tdm_env-self_");
    assertThat(send(secret)).isEqualTo(200);

    Answer again =
        issue(account, draft("metrics:write", "metrics:read"), "Idempotency-Key", "shown-once");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.body().has("secret")).isFalse();
    assertThat(again.body().path("api_key").path("id"))
        .isEqualTo(made.body().path("api_key").path("id"));

    String hidden = secret.substring(secret.length() - 46);
    for (String table : new String[] {"api_key", "audit_entry", "idempotent_request"}) {
      assertThat(
              platform
                  .database()
                  .sql("SELECT coalesce(string_agg(t::text, ','), '') FROM " + table + " AS t")
                  .query(String.class)
                  .single())
          .as(table)
          .doesNotContain(hidden)
          .doesNotContain(hidden.substring(0, 40));
    }
    assertThat(Http.text(self.get("/service-accounts/" + account + "/api-keys").response()))
        .doesNotContain(hidden);
  }

  @Test
  void aRevokedKeyIsRefusedAtEveryDoor() {
    String account = account("developer");
    JsonNode made = issue(account, draft("metrics:write", "environments:read")).body();
    String secret = made.path("secret").asString();
    String path = "/service-accounts/" + account + "/api-keys/" + made.at("/api_key/id").asString();
    assertThat(send(secret)).isEqualTo(200);
    assertThat(with(secret).get("/environments").status()).isEqualTo(200);

    assertThat(self.call("DELETE", path, null).status()).isEqualTo(204);

    assertThat(send(secret)).isEqualTo(401);
    assertThat(with(secret).get("/environments").status()).isEqualTo(401);
    JsonNode revoked = self.get(path).body();
    assertThat(revoked.path("state").asString()).isEqualTo("revoked");
    assertThat(self.call("DELETE", path, null).status()).isEqualTo(204);
    assertThat(self.get(path).body()).as("revoking again changes nothing").isEqualTo(revoked);
  }

  @Test
  void twoKeysAreLiveForARotationAndNotThree() {
    String account = account("developer");
    JsonNode old = issue(account, draft("metrics:write")).body();
    assertThat(issue(account, draft("metrics:write")).status()).isEqualTo(201);
    assertThat(issue(account, draft("metrics:write")).status()).isEqualTo(409);
    self.call(
        "DELETE",
        "/service-accounts/" + account + "/api-keys/" + old.at("/api_key/id").asString(),
        null);
    assertThat(issue(account, draft("metrics:write")).status()).isEqualTo(201);
    assertThat(self.get("/service-accounts/" + account + "/api-keys").body().path("data").size())
        .isEqualTo(3);
  }

  @Test
  void aKeyMayDoWhatItsScopesAndItsRoleAllow() {
    String account = account("developer");
    String secret =
        issue(account, draft("environments:read", "budgets:read")).body().path("secret").asString();
    assertThat(with(secret).get("/environments/env-self/budgets").status()).isEqualTo(200);
    assertThat(with(secret).get("/audit-log").status()).isEqualTo(403);
    assertThat(send(secret)).as("the role allows it, the scopes do not").isEqualTo(403);

    Answer less =
        self.call(
            "PATCH",
            "/service-accounts/" + account,
            "{\"role\":\"metrics_viewer\"}",
            "If-Match",
            "\"1\"");
    assertThat(less.status()).isEqualTo(200);
    assertThat(with(secret).get("/environments/env-self/budgets").status()).isEqualTo(403);
    assertThat(with(secret).get("/environments").status()).isEqualTo(200);
  }

  @Test
  void nobodyGivesMoreThanTheyHave() {
    String admins = account("environment_admin");
    String secret =
        issue(admins, draft("service-accounts:write", "api-keys:write", "environments:read"))
            .body()
            .path("secret")
            .asString();
    ControlApi limited = with(secret);
    assertThat(
            limited
                .post(
                    "/service-accounts",
                    "{\"display_name\":\"More\",\"role\":\"organization_admin\"}")
                .status())
        .isEqualTo(403);
    assertThat(
            limited
                .call(
                    "PATCH",
                    "/service-accounts/" + admins,
                    "{\"role\":\"organization_admin\"}",
                    "If-Match",
                    "*")
                .status())
        .isEqualTo(403);
    assertThat(
            limited
                .post("/service-accounts/" + admins + "/api-keys", draft("metrics:write"))
                .status())
        .isEqualTo(403);
    assertThat(
            limited
                .post("/service-accounts/" + admins + "/api-keys", draft("environments:read"))
                .status())
        .isEqualTo(201);
    JsonNode refused = self.get("/audit-log?limit=10").body().path("data");
    assertThat(refused.toString()).contains("\"outcome\":\"refused\"", "service_account.change");
  }

  @Test
  void deletingAServiceAccountEndsItsKeys() {
    String account = account("developer");
    String secret = issue(account, draft("metrics:write")).body().path("secret").asString();
    assertThat(send(secret)).isEqualTo(200);
    assertThat(self.call("DELETE", "/service-accounts/" + account, null).status()).isEqualTo(204);
    assertThat(send(secret)).isEqualTo(401);
    assertThat(self.get("/service-accounts/" + account).status()).isEqualTo(404);
    assertThat(self.get("/service-accounts/" + account + "/api-keys").status()).isEqualTo(404);
  }

  @Test
  void aKeyEndsNeitherItselfNorItsServiceAccount() {
    String account = account("environment_admin");
    JsonNode made = issue(account, draft("service-accounts:write", "api-keys:write")).body();
    ControlApi own = with(made.path("secret").asString());
    String path = "/service-accounts/" + account;
    assertThat(
            own.call("DELETE", path + "/api-keys/" + made.at("/api_key/id").asString(), null)
                .status())
        .isEqualTo(409);
    assertThat(own.call("DELETE", path, null).status()).isEqualTo(409);
  }

  @Test
  void allFaultsOfADraftAreToldAtOnce() {
    String account = account("metrics_viewer");
    Answer wrong =
        issue(
            account,
            "{\"environment_id\":\"env-demo\",\"scopes\":[\"metrics:write\"],"
                + "\"expires_at\":\"2020-01-01T00:00:00Z\"}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.body().path("errors").size()).isEqualTo(3);
    assertThat(issue(account, draft("no:such")).status()).isEqualTo(400);
    assertThat(issue(account, "{\"environment_id\":\"env-self\",\"scopes\":[null]}").status())
        .isEqualTo(400);
    assertThat(
            self.post("/service-accounts", "{\"display_name\":\"\",\"role\":\"developer\"}")
                .status())
        .isEqualTo(400);
    assertThat(self.post("/service-accounts", "{\"display_name\":\"x\",\"role\":\"root\"}").code())
        .isEqualTo("malformed_request");
  }

  @Test
  void theLastUseIsNoted() {
    String account = account("developer");
    JsonNode made = issue(account, draft("environments:read")).body();
    String path = "/service-accounts/" + account + "/api-keys/" + made.at("/api_key/id").asString();
    assertThat(self.get(path).body().has("last_used_at")).isFalse();
    with(made.path("secret").asString()).get("/environments");
    InterruptibleDelay.until(
        "time of last use",
        Duration.ofSeconds(30),
        () -> Optional.of(self.get(path).body()),
        key -> key.has("last_used_at"));
  }
}
