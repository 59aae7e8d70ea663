package io.tidemark.platform.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * An organisation with two objects of every kind, one to keep and one to end, and a key that may do
 * everything in it. The key belongs to an environment and a service account that are neither.
 */
public final class ContractTenant {

  private final TestingBrowser founder;
  private final String path;
  private final String secret;
  private final Map<String, String> names = new LinkedHashMap<>();

  public ContractTenant(RunningPlatform platform) {
    founder = TestingPeople.signedIn(platform, "contract@example.org");
    String organization = id(make("/api/v1/organizations", "{\"display_name\":\"Contract\"}"), "");
    path = "/api/v1/organizations/" + organization;
    environment("env-caller");
    secret = key(account("organization_admin"), everyScope()).path("secret").asString();
    names.put("ORGANIZATION_ID", organization);
    names.put("PERSON_ID", id(founder.call("GET", "/api/v1/caller", null).body(), "person"));
    environment("env-kept");
    environment("env-ending");
    names.put("ENVIRONMENT_ID", "env-kept");
    names.put("ENVIRONMENT_ID_ENDING", "env-ending");
    names.put("SERVICE_ACCOUNT_ID", account("metrics_viewer"));
    names.put("SERVICE_ACCOUNT_ID_ENDING", account("metrics_viewer"));
    objects("kept", "");
    objects("ending", "_ENDING");
    alerts(platform, organization, "");
    alerts(platform, organization, "_ENDING");
  }

  /** The whole key. */
  public String secret() {
    return secret;
  }

  /**
   * Identifiers by the name of the path parameter in capitals; of what is there to be ended with
   * {@code _ENDING} behind it.
   */
  public Map<String, String> names() {
    return names;
  }

  private void objects(String name, String suffix) {
    String inside = path + "/environments/env-kept";
    JsonNode key = key(names.get("SERVICE_ACCOUNT_ID"), "\"metrics:read\"");
    names.put("API_KEY_ID" + suffix, id(key, "api_key"));
    names.put(
        "METRIC_ID" + suffix, id(make(inside + "/metrics", "{\"name\":\"" + name + "\"}"), ""));
    names.put(
        "RESOURCE_ID" + suffix,
        id(make(inside + "/resources", "{\"type\":\"kafka\",\"name\":\"" + name + "\"}"), ""));
    names.put(
        "DASHBOARD_ID" + suffix,
        id(make(path + "/dashboards", "{\"version\":1,\"title\":\"C\",\"panels\":[]}"), ""));
    String mail = name + "@example.org";
    names.put(
        "INVITATION_ID" + suffix,
        id(
            make(
                path + "/invitations",
                "{\"mail\":\"" + mail + "\",\"grants\":[{\"role\":\"developer\"}]}"),
            "invitation"));
  }

  /** A rule with an incident, and an integration whose receiver is not there. */
  private void alerts(RunningPlatform platform, String organization, String suffix) {
    String inside = path + "/environments/env-kept";
    String rule = id(make(inside + "/alert-rules", TestingAlerts.RULE), "");
    names.put("ALERT_RULE_ID" + suffix, rule);
    names.put(
        "INCIDENT_ID" + suffix,
        TestingAlerts.incident(platform, new TenantId(organization), "env-kept", rule));
    String integration =
        id(make(inside + "/integrations", TestingAlerts.INTEGRATION), "integration");
    names.put("INTEGRATION_ID" + suffix, integration);
    names.put("ALERT_PACK_ID" + suffix, suffix.isEmpty() ? "kafka" : "jvm");
    names.put("SILENCE_ID" + suffix, id(make(inside + "/silences", TestingAlerts.SILENCE), ""));
    names.put(
        "INHIBITION_ID" + suffix, id(make(inside + "/inhibitions", TestingAlerts.INHIBITION), ""));
    names.put(
        "DELIVERY_ID" + suffix,
        founder
            .call("GET", inside + "/integrations/" + integration + "/deliveries", null)
            .body()
            .path("data")
            .path(0)
            .path("id")
            .asString());
  }

  private void environment(String id) {
    make(path + "/environments", "{\"id\":\"" + id + "\",\"display_name\":\"Contract\"}");
  }

  private String account(String role) {
    return id(
        make(path + "/service-accounts", "{\"display_name\":\"C\",\"role\":\"" + role + "\"}"), "");
  }

  private JsonNode key(String account, String scopes) {
    return make(
        path + "/service-accounts/" + account + "/api-keys",
        "{\"environment_id\":\"env-caller\",\"scopes\":[" + scopes + "]}");
  }

  private JsonNode make(String where, String body) {
    Answer made = founder.change("POST", where, body);
    assertThat(made.status()).as(where + " " + made.body()).isEqualTo(201);
    return made.body();
  }

  private static String id(JsonNode made, String member) {
    String id = (member.isEmpty() ? made : made.path(member)).path("id").asString();
    assertThat(id).as(made.toString()).isNotEmpty();
    return id;
  }

  @SuppressWarnings("unchecked")
  private static String everyScope() {
    return Contracts.list("vocabulary/permissions.yaml", "roles").stream()
        .filter(role -> role.get("name").equals("organization_admin"))
        .flatMap(role -> ((List<String>) role.get("permissions")).stream())
        .map(scope -> "\"" + scope + "\"")
        .collect(Collectors.joining(","));
  }
}
