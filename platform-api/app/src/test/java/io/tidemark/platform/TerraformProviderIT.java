package io.tidemark.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingPeople;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * The provider's acceptance tests, integration-tests/terraform, against the application: every
 * resource with the real Terraform program, in an organisation of its own.
 */
@ExtendWith(RunningPlatform.Extension.class)
class TerraformProviderIT {

  private static final Path TESTS =
      Path.of("..", "..", "integration-tests", "terraform").toAbsolutePath().normalize();
  private static final String SCOPES =
      """
      "metrics:write","metrics:read","organization:read","organization:write","environments:read",
      "environments:write","budgets:read","budgets:write","catalog:read","catalog:write",
      "retention:read","retention:write","alerts:read","alerts:write","integrations:read",
      "integrations:write","dashboards:read","dashboards:write","usage:read","billing:read",
      "billing:write","audit:read",
      "members:read","members:write","service-accounts:read",
      "service-accounts:write","api-keys:read","api-keys:write"
      """;

  private final RunningPlatform platform;
  private final TestingBrowser founder;

  TerraformProviderIT(RunningPlatform platform) {
    this.platform = platform;
    this.founder = TestingPeople.signedIn(platform, "terraform@example.org");
  }

  @Test
  void everyResourceIsMadeChangedImportedAndDestroyed() throws Exception {
    String person =
        founder.call("GET", "/api/v1/caller", null).body().path("person").path("id").asString();
    String organization = id(make("/api/v1/organizations", "{\"display_name\":\"Terraform\"}"));
    String path = "/api/v1/organizations/" + organization;
    make(path + "/environments", "{\"id\":\"env-caller\",\"display_name\":\"Caller\"}");
    make(path + "/environments", "{\"id\":\"env-with-data\",\"display_name\":\"With data\"}");
    sent(organization, "env-with-data");
    String account =
        id(
            make(
                path + "/service-accounts",
                "{\"display_name\":\"Terraform\",\"role\":\"organization_admin\"}"));
    String[] key =
        TestingKeys.userAndPassword(
            make(
                    path + "/service-accounts/" + account + "/api-keys",
                    "{\"environment_id\":\"env-caller\",\"scopes\":[" + SCOPES + "]}")
                .path("secret")
                .asString());

    String told =
        run(
            Map.of(
                "TIDEMARK_URL",
                platform.api("").toString(),
                "TIDEMARK_API_KEY",
                key[0],
                "TIDEMARK_API_SECRET",
                key[1],
                "TERRAFORM_PERSON",
                person,
                "TERRAFORM_PERSON_SESSION",
                founder.cookie("__Host-tidemark-session"),
                "TERRAFORM_ENVIRONMENT_WITH_DATA",
                "env-with-data"));

    assertThat(told).contains("--- PASS: ").doesNotContain("--- SKIP");
  }

  private static String run(Map<String, String> environment) throws Exception {
    // Says of each test how long it took.
    Path told = Path.of("target", "terraform-provider.txt");
    ProcessBuilder go =
        new ProcessBuilder("go", "test", "-count=1", "-v", "-timeout", "25m", "./...")
            .directory(TESTS.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told.toFile());
    go.environment().putAll(environment);
    // Another program that understands the same language, as OpenTofu.
    String program = System.getProperty("terraform.program", "");
    if (!program.isEmpty()) {
      go.environment().put("TERRAFORM_PROGRAM", program);
    }
    Process process = go.start();
    boolean isOver = process.waitFor(25, TimeUnit.MINUTES);
    process.destroy();
    String text = Files.readString(told);
    assertThat(isOver).as(text).isTrue();
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  /** As discovery writes it down when a metric of the environment is sent. */
  private void sent(String organization, String environment) {
    platform
        .database()
        .sql(
            "insert into metric_sighting (organization_id, environment_id, name, type, unit, labels,"
                + " labels_complete, first_seen, last_seen)"
                + " values (?, ?, 'kafka.bytes', 'counter', 'By', '{topic}', true, now(), now())")
        .params(organization, environment)
        .update();
  }

  private JsonNode make(String where, String body) {
    Answer made = founder.change("POST", where, body);
    assertThat(made.status()).as(where + " " + made.body()).isEqualTo(201);
    return made.body();
  }

  private static String id(JsonNode made) {
    return made.path("id").asString();
  }
}
