package io.tidemark.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Organisations, environments and budgets as a caller of the control API sees them. */
@ExtendWith(RunningPlatform.Extension.class)
class EnvironmentsApiIT {

  private final RunningPlatform platform;
  private final ControlApi self;

  EnvironmentsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
  }

  private Answer make(String id, String... headers) {
    return self.post(
        "/environments", "{\"id\":\"%s\",\"display_name\":\"Name\"}".formatted(id), headers);
  }

  private static void assertProblem(Answer answer, int status, String code) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.body().path("type").asString()).isEqualTo("urn:tidemark:error:" + code);
    assertThat(answer.body().path("status").asInt()).isEqualTo(status);
    assertThat(answer.body().path("title").asString()).isNotBlank();
    assertThat(answer.body().path("detail").asString()).isNotBlank();
    assertThat(answer.body().path("next_step").asString()).isNotBlank();
    assertThat(answer.body().path("instance").asString()).startsWith("urn:uuid:");
    assertThat(answer.body().path("errors").size()).isPositive();
  }

  @Test
  void anEnvironmentIsMadeReadRenamedAndListed() {
    Answer made = make("env-made");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.header("Location")).endsWith("/org-self/environments/env-made");
    assertThat(made.header("ETag")).isEqualTo("\"1\"");
    assertThat(made.body().path("state").asString()).isEqualTo("active");
    assertThat(made.body().has("delete_after")).isFalse();

    Answer read = self.callAt("GET", made.header("Location"), null);
    assertThat(read.body()).isEqualTo(made.body());

    Answer renamed =
        self.call(
            "PATCH",
            "/environments/env-made",
            "{\"display_name\":\"Neuer Name\"}",
            "If-Match",
            read.header("ETag"));
    assertThat(renamed.status()).isEqualTo(200);
    assertThat(renamed.body().path("display_name").asString()).isEqualTo("Neuer Name");
    assertThat(renamed.header("ETag")).isEqualTo("\"2\"");
    assertThat(self.get("/environments?limit=200").body().path("data").toString())
        .contains("env-made", "env-self");
  }

  @Test
  void aChangeNamesTheVersionItIsMeantFor() {
    make("env-versions");
    String change = "{\"display_name\":\"Other\"}";
    assertProblem(
        self.call("PATCH", "/environments/env-versions", change), 428, "precondition_required");
    assertProblem(
        self.call("PATCH", "/environments/env-versions", change, "If-Match", "\"7\""),
        412,
        "precondition_failed");
    assertProblem(
        self.call("PATCH", "/environments/env-versions", change, "If-Match", "W/\"1\""),
        412,
        "precondition_failed");
    assertProblem(
        self.call("POST", "/environments/env-versions/archive", null, "If-Match", "\"7\""),
        412,
        "precondition_failed");
    assertThat(
            self.call("PATCH", "/environments/env-versions", "{}", "If-Match", "\"1\"")
                .header("ETag"))
        .as("nothing to change leaves the version")
        .isEqualTo("\"1\"");
  }

  @Test
  void aRepeatedRequestMakesOneEnvironment() throws Exception {
    List<Callable<Answer>> same = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      same.add(() -> make("env-repeated", "Idempotency-Key", "key-1"));
    }
    ExecutorService threads = Executors.newFixedThreadPool(same.size());
    try {
      int replayed = 0;
      for (Future<Answer> answer : threads.invokeAll(same)) {
        assertThat(answer.get().status()).isEqualTo(201);
        replayed += Boolean.parseBoolean(answer.get().header("Idempotency-Replayed")) ? 1 : 0;
      }
      assertThat(replayed).isEqualTo(3);
    } finally {
      threads.shutdownNow();
    }
    assertProblem(make("env-another", "Idempotency-Key", "key-1"), 422, "idempotency_key_reused");
    assertProblem(make("env-repeated"), 409, "conflict");
    assertProblem(make("env-x", "Idempotency-Key", "a b"), 400, "invalid_request");
  }

  @Test
  void aKeyOfAFailedRequestCanBeUsedAgain() {
    make("env-taken");
    assertProblem(make("env-taken", "Idempotency-Key", "key-2"), 409, "conflict");
    assertThat(make("env-free", "Idempotency-Key", "key-2").status()).isEqualTo(201);
  }

  @Test
  void listsComeInPages() {
    for (String id : List.of("page-a", "page-b", "page-c")) {
      make(id);
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = self.get("/environments?limit=2" + cursor).body();
      page.path("data").forEach(item -> seen.add(item.path("id").asString()));
      JsonNode next = page.path("meta").path("next_cursor");
      cursor = next.isMissingNode() ? "" : "&cursor=" + next.asString();
    } while (!cursor.isEmpty());
    assertThat(seen).isSorted().doesNotHaveDuplicates().contains("page-a", "page-b", "page-c");
    assertProblem(self.get("/environments?limit=0"), 400, "invalid_request");
    assertProblem(self.get("/environments?limit=201"), 400, "invalid_request");
    assertProblem(self.get("/environments?limit=many"), 400, "malformed_request");
    assertProblem(self.get("/environments?cursor=x"), 400, "invalid_request");
  }

  @Test
  void allFaultsAreToldAtOnce() {
    Answer answer = self.post("/environments", "{\"id\":\"Env_1\",\"display_name\":\" \"}");
    assertProblem(answer, 400, "invalid_request");
    assertThat(answer.body().path("errors").size()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "null", "[]", "3", "{\"id\":[]}"})
  void bodiesOfTheWrongFormAreMalformed(String body) {
    assertProblem(self.post("/environments", body), 400, "malformed_request");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/environments/none,404,not_found",
    "GET,/environments/%00,404,not_found",
    "GET,/environments/A%2FB,404,not_found",
    "GET,/nothing,404,not_found",
    "POST,/environments/env-self,405,method_not_allowed"
  })
  void otherFaultsAreProblemsToo(String method, String path, int status, String code) {
    Answer answer = self.call(method, path, null);
    // The container itself refuses some encoded characters, before there is an API.
    if (answer.status() != 400) {
      assertProblem(answer, status, code);
    }
  }

  @Test
  void anEnvironmentIsArchivedAndRestoredAndItsKeysWithIt() {
    // org-demo has a second environment, so that one of its keys can archive the other's.
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    String key = io.tidemark.platform.testing.TestingKeys.key("env-archive", 'A');
    platform
        .database()
        .sql(
            """
            INSERT INTO environment (organization_id, id, display_name)
              VALUES ('org-demo', 'env-archive', 'x');
            INSERT INTO api_key (id, organization_id, environment_id, secret_hmac, scopes)
              SELECT repeat('A', 16), 'org-demo', 'env-archive', :hmac, '{environments:read}'
            """)
        .param(
            "hmac",
            platform
                .bean(io.tidemark.platform.access.domain.SecretHash.class)
                .of(key.substring(key.length() - 46)))
        .update();
    ControlApi other = new ControlApi(platform, "org-demo", key);
    assertThat(other.get("/environments").status()).isEqualTo(200);

    assertThat(demo.post("/environments/env-archive/archive", null).status()).isEqualTo(200);
    assertThat(other.get("/environments").status()).isEqualTo(401);
    assertThat(demo.post("/environments/env-archive/restore", null).status()).isEqualTo(200);
    assertThat(other.get("/environments").status()).isEqualTo(200);
    Answer deleting = demo.call("DELETE", "/environments/env-archive", null);
    assertThat(deleting.status()).isEqualTo(202);
    assertThat(deleting.body().path("delete_after").asString()).isNotBlank();
    assertThat(other.get("/environments").status()).isEqualTo(401);
    demo.post("/environments/env-archive/restore", null);
  }

  @Test
  void nobodyLocksItselfOut() {
    assertProblem(self.post("/environments/env-self/archive", null), 409, "conflict");
    assertProblem(self.call("DELETE", "/environments/env-self", null), 409, "conflict");
  }

  @Test
  void aDeletionBecomesFinalAfterItsTimeOfGrace() {
    make("env-gone");
    self.call("DELETE", "/environments/env-gone", null);
    platform.bean(EnvironmentDeletionFinalizer.class).finishDue();
    assertThat(self.get("/environments/env-gone").body().path("state").asString())
        .isEqualTo("deleting");
    platform
        .database()
        .sql(
            """
            UPDATE environment SET delete_after = now() - interval '1 second'
            WHERE id = 'env-gone'
            """)
        .update();
    platform.bean(EnvironmentDeletionFinalizer.class).finishDue();
    assertProblem(self.get("/environments/env-gone"), 404, "not_found");
    assertProblem(self.post("/environments/env-gone/restore", null), 404, "not_found");
    assertThat(self.get("/environments?limit=200").body().toString()).doesNotContain("env-gone");
    assertProblem(make("env-gone"), 409, "conflict");
    InterruptibleDelay.until(
        "record of the deletion",
        Duration.ofSeconds(5),
        () -> platform.controlTopics().last("control.tenants.v1", "org-self/env-gone"),
        record -> {
          try {
            return TenantControl.parseFrom(record.value()).getState()
                == TenantState.TENANT_STATE_DELETED;
          } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
            throw new AssertionError(unreadable);
          }
        });
    assertThat(
            platform
                .bean(Environments.class)
                .inAnyState(new TenantId("org-self"), new EnvironmentId("env-gone")))
        .isPresent();
  }

  @Test
  void budgetsAreReplacedAsAWhole() {
    make("env-budgets");
    Answer plan = self.get("/environments/env-budgets/budgets");
    assertThat(plan.body().path("set").isEmpty()).isTrue();
    assertThat(plan.body().path("in_force").path("active_series").asLong()).isEqualTo(200_000);
    Answer set =
        self.call(
            "PUT",
            "/environments/env-budgets/budgets",
            "{\"active_series\":5000,\"labels_per_series\":20}",
            "If-Match",
            plan.header("ETag"));
    assertThat(set.status()).isEqualTo(200);
    assertThat(set.body().path("set").path("active_series").asLong()).isEqualTo(5000);
    assertThat(set.body().path("in_force").path("active_series").asLong()).isEqualTo(5000);
    assertThat(set.body().path("in_force").path("label_keys_per_metric").asInt()).isEqualTo(64);
    assertThat(set.header("ETag")).isEqualTo("\"2\"");
    Answer less =
        self.call(
            "PUT",
            "/environments/env-budgets/budgets",
            "{\"active_series\":7}",
            "If-Match",
            set.header("ETag"));
    assertThat(less.body().path("set").has("labels_per_series")).isFalse();
    Answer wrong =
        self.call(
            "PUT",
            "/environments/env-budgets/budgets",
            "{\"active_series\":0,\"label_value_length\":-1}",
            "If-Match",
            less.header("ETag"));
    assertProblem(wrong, 400, "invalid_request");
    assertThat(wrong.body().path("errors").size()).isEqualTo(2);
  }

  @Test
  void aTenantGivesItselfNoMoreThanThePlan() {
    make("env-greedy");
    Answer own =
        self.call(
            "PUT",
            "/environments/env-greedy/budgets",
            "{\"active_series\":200001,\"label_keys_per_metric\":65}",
            "If-Match",
            "*");
    assertProblem(own, 400, "invalid_request");
    assertThat(own.body().path("errors").size()).isEqualTo(2);
    assertThat(
            self.call("PUT", "/budgets", "{\"active_series\":1000000000}", "If-Match", "*")
                .status())
        .isEqualTo(400);
  }

  @Test
  void theOrganisationIsReadAndRenamed() {
    Answer own = self.get("");
    assertThat(own.body().path("id").asString()).isEqualTo("org-self");
    Answer renamed =
        self.call(
            "PATCH", "", "{\"display_name\":\"Tidemark itself\"}", "If-Match", own.header("ETag"));
    assertThat(renamed.body().path("display_name").asString()).isEqualTo("Tidemark itself");
    JsonNode list = self.callAt("GET", "/api/v1/organizations", null).body();
    assertThat(list.path("data").size()).isEqualTo(1);
    assertThat(list.path("data").get(0).path("id").asString()).isEqualTo("org-self");
  }

  @Test
  void aCallerLearnsWhoItIsAndWhatIsLeft() {
    Answer caller = self.callAt("GET", "/api/v1/caller", null);
    assertThat(caller.body().path("organization_id").asString()).isEqualTo("org-self");
    assertThat(caller.body().path("permissions").toString()).contains("audit:read");
    assertThat(caller.header("RateLimit-Policy")).matches("\"control\";q=\\d+;w=60");
    assertThat(caller.header("RateLimit")).matches("\"control\";r=\\d+;t=\\d+");
  }

  @Test
  void theContractIsServedAsItIsWritten() {
    assertThat(Http.text(Http.get(platform.api("/openapi/control-api.yaml"))))
        .isEqualTo(Contracts.text("openapi/control-api.yaml"));
  }
}
