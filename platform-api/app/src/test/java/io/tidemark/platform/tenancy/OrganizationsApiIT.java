package io.tidemark.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingPeople;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** People make, archive and delete organisations; keys and the pipeline follow. */
@ExtendWith(RunningPlatform.Extension.class)
class OrganizationsApiIT {

  private final RunningPlatform platform;

  OrganizationsApiIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private static Answer make(TestingBrowser browser, String name, String... headers) {
    return browser.change(
        "POST", "/api/v1/organizations", "{\"display_name\":\"" + name + "\"}", headers);
  }

  private void pipelineHears(String organization, TenantState state) {
    InterruptibleDelay.until(
        "the pipeline hears " + state,
        Duration.ofSeconds(5),
        () -> platform.controlTopics().last("control.tenants.v1", organization + "/env"),
        record -> read(record).getState() == state);
  }

  private static TenantControl read(ControlRecord record) {
    try {
      return TenantControl.parseFrom(record.value());
    } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @Test
  void aRepeatedRequestMakesOneOrganisation() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "maker@example.org");
    Answer first = make(founder, "One", "Idempotency-Key", "key-1");
    Answer again = make(founder, "One", "Idempotency-Key", "key-1");
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(make(founder, "Two", "Idempotency-Key", "key-1").code())
        .isEqualTo("idempotency_key_reused");
    TestingBrowser other = TestingPeople.signedIn(platform, "maker2@example.org");
    Answer theirs = make(other, "One", "Idempotency-Key", "key-1");
    assertThat(theirs.header("Idempotency-Replayed")).isEqualTo("false");
    assertThat(theirs.body().path("id")).isNotEqualTo(first.body().path("id"));
    assertThat(make(founder, " ").code()).isEqualTo("invalid_request");
    assertThat(
            founder
                .call("GET", "/api/v1/organizations/" + theirs.body().path("id").asString(), null)
                .code())
        .isEqualTo("not_found");
  }

  @Test
  void keysMakeAndEndNoOrganisation() {
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    assertThat(demo.callAt("POST", "/api/v1/organizations", "{\"display_name\":\"Key's\"}").code())
        .isEqualTo("forbidden");
    assertThat(demo.post("/archive", null).code()).isEqualTo("conflict");
    assertThat(demo.call("DELETE", "", null).code()).isEqualTo("conflict");
    assertThat(
            TestingPeople.admin(platform)
                .change("DELETE", "/api/v1/organizations/org-self", null)
                .code())
        .isEqualTo("conflict");
  }

  private TenantControl pipelineHearsOfSeries(String key, long activeSeries) {
    return InterruptibleDelay.until(
        key + " has " + activeSeries + " series",
        Duration.ofSeconds(5),
        () ->
            platform.controlTopics().last("control.tenants.v1", key).map(OrganizationsApiIT::read),
        record -> record.getBudgets().getActiveSeries() == activeSeries);
  }

  @Test
  void anEnvironmentHasItsOwnBudgetElseItsOrganisationsElseThePlans() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "budgets@example.org");
    String organization = make(founder, "Budgets").body().path("id").asString();
    String path = "/api/v1/organizations/" + organization;
    founder.change("POST", path + "/environments", "{\"id\":\"env\",\"display_name\":\"E\"}");
    founder.change("POST", path + "/environments", "{\"id\":\"own\",\"display_name\":\"O\"}");
    founder.change(
        "PUT", path + "/environments/own/budgets", "{\"active_series\":7}", "If-Match", "\"1\"");
    pipelineHearsOfSeries(organization + "/own", 7);
    Answer plan = founder.call("GET", path + "/budgets", null);
    assertThat(plan.body().path("set").isEmpty()).isTrue();
    assertThat(plan.body().path("in_force").path("active_series").asLong()).isEqualTo(200_000);

    assertThat(plan.body().path("in_force").path("when_series_exceeded").asString())
        .isEqualTo("fold");

    String wanted =
        "{\"active_series\":500,\"label_value_length\":80,\"when_series_exceeded\":\"refuse\"}";
    Answer set = founder.change("PUT", path + "/budgets", wanted, "If-Match", plan.header("ETag"));
    assertThat(set.status()).as("%s", set.body()).isEqualTo(200);
    assertThat(set.body().path("in_force").path("active_series").asLong()).isEqualTo(500);
    assertThat(set.body().path("in_force").path("labels_per_series").asInt()).isEqualTo(64);
    TenantControl env = pipelineHearsOfSeries(organization + "/env", 500);
    assertThat(env.getBudgets().getLabelValueLength()).isEqualTo(80);
    assertThat(env.getBudgets().getLabelsPerSeries()).as("the plan's").isZero();
    InterruptibleDelay.until(
        "the environment with a budget of its own",
        Duration.ofSeconds(5),
        () ->
            platform
                .controlTopics()
                .last("control.tenants.v1", organization + "/own")
                .map(OrganizationsApiIT::read),
        record ->
            record.getBudgets().getActiveSeries() == 7
                && record.getBudgets().getLabelValueLength() == 80);
    JsonNode own = founder.call("GET", path + "/environments/own/budgets", null).body();
    assertThat(own.path("set").toString()).isEqualTo("{\"active_series\":7}");
    assertThat(own.path("in_force").path("label_value_length").asInt()).isEqualTo(80);
    assertThat(own.path("in_force").path("when_series_exceeded").asString()).isEqualTo("refuse");
    String folding = "{\"active_series\":7,\"when_series_exceeded\":\"fold\"}";
    assertThat(
            founder
                .change("PUT", path + "/environments/own/budgets", folding, "If-Match", "*")
                .body()
                .path("in_force")
                .path("when_series_exceeded")
                .asString())
        .isEqualTo("fold");
    assertThat(
            founder
                .change(
                    "PUT",
                    path + "/environments/own/budgets",
                    "{\"when_series_exceeded\":\"drop\"}",
                    "If-Match",
                    "*")
                .status())
        .isEqualTo(400);
    founder.change("POST", path + "/environments", "{\"id\":\"new\",\"display_name\":\"N\"}");
    pipelineHearsOfSeries(organization + "/new", 500);

    assertThat(
            founder
                .change("PUT", path + "/budgets", wanted, "If-Match", plan.header("ETag"))
                .code())
        .isEqualTo("precondition_failed");
    assertThat(
            founder
                .change("PUT", path + "/budgets", "{\"active_series\":0}", "If-Match", "*")
                .code())
        .isEqualTo("invalid_request");
    assertThat(founder.change("PUT", path + "/budgets", "{}", "If-Match", "*").status())
        .isEqualTo(200);
    pipelineHearsOfSeries(organization + "/env", 0);
    assertThat(founder.call("GET", path + "/audit-log", null).body().toString())
        .contains("budgets.change", "REFUSE");
  }

  @Test
  void itsKeysAndThePipelineFollowItThroughItsLife() {
    TestingBrowser founder = TestingPeople.signedIn(platform, "life@example.org");
    String organization = make(founder, "Life").body().path("id").asString();
    String path = "/api/v1/organizations/" + organization;
    founder.change("POST", path + "/environments", "{\"id\":\"env\",\"display_name\":\"E\"}");
    String account =
        founder
            .change(
                "POST",
                path + "/service-accounts",
                "{\"display_name\":\"S\",\"role\":\"metrics_viewer\"}")
            .body()
            .path("id")
            .asString();
    String key =
        founder
            .change(
                "POST",
                path + "/service-accounts/" + account + "/api-keys",
                "{\"environment_id\":\"env\",\"scopes\":[\"environments:read\"]}")
            .body()
            .path("secret")
            .asString();
    ControlApi machine = new ControlApi(platform, organization, key);
    assertThat(machine.get("/environments").status()).isEqualTo(200);
    pipelineHears(organization, TenantState.TENANT_STATE_ACTIVE);

    Answer archived = founder.change("POST", path + "/archive", null);
    assertThat(archived.body().path("state").asString()).isEqualTo("archived");
    assertThat(machine.get("/environments").status()).isEqualTo(401);
    pipelineHears(organization, TenantState.TENANT_STATE_SUSPENDED);
    assertThat(founder.change("POST", path + "/restore", null).header("ETag")).isEqualTo("\"3\"");
    assertThat(machine.get("/environments").status()).isEqualTo(200);
    pipelineHears(organization, TenantState.TENANT_STATE_ACTIVE);

    assertThat(founder.change("DELETE", path, null, "If-Match", "\"1\"").code())
        .isEqualTo("precondition_failed");
    Answer deleting = founder.change("DELETE", path, null);
    assertThat(deleting.status()).isEqualTo(202);
    assertThat(deleting.body().path("delete_after").asString()).isNotBlank();
    assertThat(machine.get("/environments").status()).isEqualTo(401);
    platform.bean(EnvironmentDeletionFinalizer.class).finishDue();
    assertThat(founder.call("GET", path, null).body().path("state").asString())
        .isEqualTo("deleting");
    platform
        .database()
        .sql("UPDATE organization SET delete_after = now() - interval '1 second' WHERE id = :id")
        .param("id", organization)
        .update();
    platform.bean(EnvironmentDeletionFinalizer.class).finishDue();
    assertThat(founder.call("GET", path, null).code()).isEqualTo("not_found");
    assertThat(founder.change("POST", path + "/restore", null).code()).isEqualTo("not_found");
    pipelineHears(organization, TenantState.TENANT_STATE_DELETED);
  }
}
