package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.ReceiptRecorder;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Contracts;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import io.tidemark.platform.testing.TestingPeople;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.node.ObjectNode;

/**
 * Walks every operation of the control API's contract as the wrong organisation, without a
 * permission and without credentials. An operation added to the contract is walked by itself.
 */
@ExtendWith(RunningPlatform.Extension.class)
class ControlApiIsolationIT {

  private record Operation(String method, String path) {

    String in(String organization, Map<String, String> objects) {
      String filled = path.replace("{organization_id}", organization);
      for (Map.Entry<String, String> object : objects.entrySet()) {
        filled = filled.replace("{" + object.getKey() + "}", object.getValue());
      }
      assertThat(filled)
          .as("every identifier of the path is known to the walk")
          .doesNotContain("{");
      return filled;
    }
  }

  /** Objects of org-self, and some that nobody has. */
  private static Map<String, String> ofSelf;

  private static final Map<String, String> OF_NOBODY =
      Map.ofEntries(
          Map.entry("environment_id", "env-nobody"),
          Map.entry("service_account_id", "sa-nobody"),
          Map.entry("api_key_id", "NOBODY"),
          Map.entry("metric_id", "bm9ib2R5"),
          Map.entry("resource_id", "bm8KYm9keQ"),
          Map.entry("person_id", "per-nobody"),
          Map.entry("receipt_id", "0".repeat(64)),
          Map.entry("invitation_id", "inv-nobody"),
          Map.entry("deletion_id", "del-nobody"),
          Map.entry("alert_rule_id", "rule-nobody"),
          Map.entry("incident_id", "incident-nobody"),
          Map.entry("integration_id", "int-nobody"),
          Map.entry("silence_id", "sil-nobody"),
          Map.entry("alert_pack_id", "nobody"),
          Map.entry("inhibition_id", "inh-nobody"),
          Map.entry("delivery_id", "dlv-nobody"),
          Map.entry("dead_letter_id", "0-1"),
          Map.entry("dead_letter_replay_id", "dlr-nobody"),
          Map.entry("dashboard_id", "dash-nobody"),
          Map.entry("dashboard_version", "1"),
          Map.entry("period", "1999-01"));

  private final RunningPlatform platform;
  private final ControlApi demo;

  ControlApiIsolationIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    if (ofSelf == null) {
      ofSelf = objectsOfSelf();
    }
  }

  private Map<String, String> objectsOfSelf() {
    ControlApi self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
    String account =
        self.post("/service-accounts", "{\"display_name\":\"Walk\",\"role\":\"metrics_viewer\"}")
            .body()
            .path("id")
            .asString();
    String key =
        self.post(
                "/service-accounts/" + account + "/api-keys",
                "{\"environment_id\":\"env-self\",\"scopes\":[\"metrics:read\"]}")
            .body()
            .path("api_key")
            .path("id")
            .asString();
    assertThat(account).startsWith("sa-");
    assertThat(key).hasSize(16);
    String invitation =
        self.post(
                "/invitations",
                "{\"mail\":\"walk@example.org\",\"grants\":[{\"role\":\"developer\"}]}")
            .body()
            .path("invitation")
            .path("id")
            .asString();
    // Belongs to org-self alone.
    String member =
        TestingPeople.signedIn(platform, "walk-isolation@example.org")
            .call("GET", "/api/v1/caller", null)
            .body()
            .path("person")
            .path("id")
            .asString();
    platform
        .database()
        .sql(
            """
            INSERT INTO membership (organization_id, person_id, grants, created_at, updated_at)
            VALUES ('org-self', :person, '{developer}', now(), now())
            """)
        .param("person", member)
        .update();
    assertThat(invitation).startsWith("inv-");
    assertThat(member).startsWith("per-");
    String place = "/environments/env-self";
    String rule = idOf(self.post(place + "/alert-rules", TestingAlerts.RULE));
    String integration =
        self.post(place + "/integrations", TestingAlerts.INTEGRATION)
            .body()
            .path("integration")
            .path("id")
            .asString();
    return Map.ofEntries(
        Map.entry("environment_id", "env-self"),
        Map.entry("service_account_id", account),
        Map.entry("api_key_id", key),
        Map.entry("person_id", member),
        Map.entry("receipt_id", receipt()),
        Map.entry("period", "1999-02"),
        Map.entry("invitation_id", invitation),
        Map.entry("metric_id", idOf(self.post(place + "/metrics", "{\"name\":\"walk\"}"))),
        Map.entry(
            "deletion_id",
            self.post(place + "/deletions", "{\"metric\":\"walk\"}").body().path("id").asString()),
        Map.entry(
            "resource_id",
            idOf(self.post(place + "/resources", "{\"type\":\"kafka\",\"name\":\"walk\"}"))),
        Map.entry("alert_rule_id", rule),
        Map.entry(
            "incident_id", TestingAlerts.incident(platform, TenantId.PLATFORM, "env-self", rule)),
        Map.entry("integration_id", integration),
        Map.entry("dead_letter_id", "0-2"),
        Map.entry(
            "dead_letter_replay_id",
            self.post(place + "/dead-letter-replays", "{}").body().path("id").asString()),
        Map.entry(
            "dashboard_id",
            idOf(self.post("/dashboards", "{\"version\":1,\"title\":\"Walk\",\"panels\":[]}"))),
        Map.entry("dashboard_version", "1"),
        Map.entry("alert_pack_id", "kafka"),
        Map.entry("silence_id", idOf(self.post(place + "/silences", TestingAlerts.SILENCE))),
        Map.entry(
            "inhibition_id", idOf(self.post(place + "/inhibitions", TestingAlerts.INHIBITION))),
        Map.entry(
            "delivery_id",
            self.get(place + "/integrations/" + integration + "/deliveries")
                .body()
                .path("data")
                .path(0)
                .path("id")
                .asString()));
  }

  private String receipt() {
    Instant now = platform.bean(Clock.class).instant();
    platform
        .bean(ReceiptRecorder.class)
        .record(
            List.of(
                new BatchCopy(
                    TenantId.PLATFORM,
                    new EnvironmentId("env-self"),
                    "ab".repeat(32),
                    null,
                    0,
                    1,
                    now,
                    5,
                    Map.of())),
            List.of());
    return "ab".repeat(32);
  }

  private static String idOf(Answer made) {
    assertThat(made.status()).isEqualTo(201);
    return made.body().path("id").asString();
  }

  private static List<Operation> operations() {
    Map<String, Map<String, Map<String, Object>>> contract =
        new Yaml().load(Contracts.text("openapi/control-api.yaml"));
    List<Operation> operations = new ArrayList<>();
    contract
        .get("paths")
        .forEach(
            (path, methods) ->
                methods.keySet().stream()
                    .filter(method -> !method.equals("parameters"))
                    .forEach(
                        method ->
                            operations.add(
                                new Operation(method.toUpperCase(java.util.Locale.ROOT), path))));
    assertThat(operations).hasSizeGreaterThan(10);
    return operations;
  }

  private static Stream<Operation> ofOrganizations() {
    return operations().stream()
        .filter(operation -> operation.path().contains("{organization_id}"));
  }

  private static Stream<Operation> ofObjects() {
    return operations().stream()
        .filter(operation -> operation.path().matches(".*\\{(?!organization_id)\\w+}.*"));
  }

  private Answer call(Operation operation, String path) {
    boolean withBody = !operation.method().equals("GET") && !operation.method().equals("DELETE");
    return demo.callAt(operation.method(), asked(path), withBody ? "{}" : null, "If-Match", "*");
  }

  /** With the parameters that a request must have: they are read before who may make it. */
  private static String asked(String path) {
    if (path.endsWith("/cardinality/labels")) {
      return path + "?metric=walk";
    }
    return path.endsWith("/cardinality/what-if")
        ? path + "?metric=walk&label=metric.a&action=drop"
        : path;
  }

  /** All that an answer tells, but for the identifier of the occurrence and what passes. */
  private static String told(Answer answer) {
    ObjectNode body = (ObjectNode) answer.body();
    body.remove("instance");
    return answer.status() + " " + body;
  }

  @Test
  void anotherOrganisationAnswersAsOneThatDoesNotExist() {
    ofOrganizations()
        .forEach(
            operation -> {
              Answer others = call(operation, operation.in("org-self", ofSelf));
              Answer nobodys = call(operation, operation.in("org-nobody", OF_NOBODY));
              assertThat(others.status()).as("%s", operation).isEqualTo(404);
              assertThat(told(others)).as("%s", operation).isEqualTo(told(nobodys));
            });
  }

  @Test
  void anObjectOfAnotherOrganisationAnswersAsOneThatDoesNotExist() {
    ofObjects()
        .forEach(
            operation -> {
              Answer others = call(operation, operation.in("org-demo", ofSelf));
              Answer nobodys = call(operation, operation.in("org-demo", OF_NOBODY));
              assertThat(others.status()).as("%s", operation).isEqualTo(404);
              assertThat(told(others)).as("%s", operation).isEqualTo(told(nobodys));
            });
  }

  @Test
  void nothingIsDoneWithoutItsPermissionAndEveryAttemptIsWrittenDown() {
    ControlApi extra = new ControlApi(platform, "org-extra", RunningPlatform.EXTRA_KEY);
    List<Operation> guarded =
        operations().stream()
            .filter(operation -> !operation.path().endsWith("/caller"))
            // The addresses of the installation belong to no organisation.
            .filter(operation -> !operation.path().endsWith("/endpoints"))
            .filter(operation -> !operation.path().endsWith("/sizing"))
            // The key of the walk reads and writes metrics, which is all that these need.
            .filter(operation -> !operation.path().endsWith("/alert-rules/preview"))
            .filter(
                operation ->
                    !operation.method().equals("POST")
                        || !operation.path().contains("/dead-letter-replays"))
            // Every sender may ask for receipts; ReceiptsIT has a key that may not.
            .filter(operation -> !operation.path().contains("/receipts/"))
            .toList();
    long before = refusals();
    for (Operation operation : guarded) {
      Answer answer =
          extra.callAt(
              operation.method(),
              asked(operation.in("org-extra", OF_NOBODY)),
              "{}",
              "If-Match",
              "*");
      assertThat(answer.status()).as("%s", operation).isEqualTo(403);
      assertThat(answer.code()).isEqualTo("forbidden");
    }
    assertThat(refusals() - before).isEqualTo(guarded.size());
  }

  private long refusals() {
    return platform
        .database()
        .sql(
            """
            SELECT count(*) FROM audit_entry
            WHERE organization_id = 'org-extra' AND outcome = 'refused'
            """)
        .query(Long.class)
        .single();
  }

  @Test
  void nothingAnswersWithoutCredentials() {
    for (Operation operation : operations()) {
      boolean withBody = !operation.method().equals("GET");
      var response =
          Http.send(
              operation.method(),
              platform.api(operation.in("org-self", ofSelf)),
              withBody ? "{}" : null,
              "Content-Type",
              "application/json");
      assertThat(response.statusCode()).as("%s", operation).isEqualTo(401);
      assertThat(response.headers().firstValue("Content-Type"))
          .as("%s", operation)
          .contains("application/problem+json");
    }
  }
}
