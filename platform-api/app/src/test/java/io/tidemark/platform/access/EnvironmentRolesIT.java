package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.access.domain.Role;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingPeople;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A role in one environment allows there what it allows, and nothing in the next one. */
@ExtendWith(RunningPlatform.Extension.class)
class EnvironmentRolesIT {

  private record Operation(String method, String path, String body, Permission needed) {
    String in(String environment) {
      return "/api/v1/organizations/org-demo/environments/" + environment + path;
    }
  }

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("GET", "", null, Permission.ENVIRONMENTS_READ),
          new Operation("GET", "/quotas", null, Permission.BUDGETS_READ),
          new Operation("PUT", "/quotas", "{}", Permission.BUDGETS_WRITE),
          new Operation("GET", "/metrics", null, Permission.CATALOG_READ),
          new Operation("POST", "/metrics", "{}", Permission.CATALOG_WRITE),
          new Operation("GET", "/metrics/bm9ib2R5", null, Permission.CATALOG_READ),
          new Operation("PUT", "/metrics/bm9ib2R5", "{}", Permission.CATALOG_WRITE),
          new Operation("DELETE", "/metrics/bm9ib2R5", null, Permission.CATALOG_WRITE),
          new Operation("GET", "/resources", null, Permission.CATALOG_READ),
          new Operation("POST", "/resources", "{}", Permission.CATALOG_WRITE),
          new Operation("GET", "/resources/bm8KYm9keQ", null, Permission.CATALOG_READ),
          new Operation("PATCH", "/resources/bm8KYm9keQ", "{}", Permission.CATALOG_WRITE),
          new Operation("DELETE", "/resources/bm8KYm9keQ", null, Permission.CATALOG_WRITE),
          new Operation("GET", "/retention", null, Permission.RETENTION_READ),
          new Operation("PUT", "/retention", "{}", Permission.RETENTION_WRITE),
          new Operation("POST", "/retention/preview", "{}", Permission.RETENTION_READ),
          new Operation("GET", "/deletions", null, Permission.RETENTION_READ),
          new Operation("POST", "/deletions", "{}", Permission.RETENTION_WRITE),
          new Operation("POST", "/deletions/preview", "{}", Permission.RETENTION_READ),
          new Operation("GET", "/deletions/del-none", null, Permission.RETENTION_READ),
          new Operation("POST", "/alert-rules/preview", "{}", Permission.METRICS_READ));

  private final RunningPlatform platform;

  EnvironmentRolesIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private TestingBrowser somebody(Role role) {
    TestingBrowser somebody =
        TestingPeople.signedIn(platform, "role-" + role.wireName() + "@example.org");
    String person =
        somebody.call("GET", "/api/v1/caller", null).body().path("person").path("id").asString();
    platform
        .database()
        .sql(
            """
            INSERT INTO membership (organization_id, person_id, grants, created_at, updated_at)
            VALUES ('org-demo', :person, ARRAY[:grant], now(), now())
            """)
        .param("person", person)
        .param("grant", role.wireName() + "@env-roles")
        .update();
    return somebody;
  }

  @Test
  void everyRoleAllowsInItsEnvironmentWhatItSaysAndNothingElsewhere() {
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    for (String id : List.of("env-roles", "env-roles-not")) {
      demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id));
    }
    for (Role role : Role.values()) {
      TestingBrowser somebody = somebody(role);
      for (Operation operation : OPERATIONS) {
        boolean isAllowed = role.permissions().contains(operation.needed());
        Answer there = call(somebody, operation, "env-roles");
        assertThat(there.status() == 403)
            .as("%s of %s: %s", operation, role.name().toLowerCase(Locale.ROOT), there.body())
            .isEqualTo(!isAllowed);
        assertThat(there.status()).as("%s", operation).isLessThan(500);
        assertThat(call(somebody, operation, "env-roles-not").status())
            .as("%s of %s elsewhere", operation, role)
            .isEqualTo(403);
      }
    }
  }

  private static Answer call(TestingBrowser somebody, Operation operation, String environment) {
    return operation.method().equals("GET")
        ? somebody.call("GET", operation.in(environment), null)
        : somebody.change(
            operation.method(), operation.in(environment), operation.body(), "If-Match", "*");
  }
}
