package io.tidemark.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.dao.DataAccessException;

/** Organisations in a real PostgreSQL, on the migrated schema. */
@ExtendWith(RunningPlatform.Extension.class)
class OrganizationsIT {

  private final RunningPlatform platform;
  private final Organizations organizations;

  OrganizationsIT(RunningPlatform platform) {
    this.platform = platform;
    this.organizations = platform.bean(Organizations.class);
  }

  @Test
  void anOrganisationIsMadeOnceWithItsEnvironments() {
    TenantId organization = new TenantId("org-once");
    organizations.ensureExists(organization, new EnvironmentId("production"), Actor.system("test"));
    organizations.ensureExists(organization, new EnvironmentId("production"), Actor.system("test"));
    organizations.ensureExists(organization, new EnvironmentId("staging"), Actor.system("test"));
    assertThat(
            platform
                .bean(Environments.class)
                .hasActive(organization, new EnvironmentId("production")))
        .isTrue();
    assertThat(
            platform.bean(Environments.class).hasActive(organization, new EnvironmentId("staging")))
        .isTrue();
    assertThat(
            platform.bean(Environments.class).hasActive(organization, new EnvironmentId("other")))
        .isFalse();
  }

  @Test
  void environmentsOfEqualNameInTwoOrganisationsAreTwo() {
    organizations.ensureExists(
        new TenantId("org-one"), new EnvironmentId("shared-name"), Actor.system("test"));
    assertThat(
            platform
                .bean(Environments.class)
                .hasActive(new TenantId("org-two"), new EnvironmentId("shared-name")))
        .isFalse();
  }

  @Test
  void anEntryOfTheLogDoesNotWaitForWhoeverHoldsTheOrganisation() throws Exception {
    TenantId organization = new TenantId("org-held");
    organizations.ensureExists(organization, new EnvironmentId("e-0"), Actor.system("test"));
    AuditLog audit = platform.bean(AuditLog.class);
    ExecutorService another = Executors.newSingleThreadExecutor();
    try {
      platform
          .bean(TenantTransactions.class)
          .run(
              organization,
              () -> {
                assertThat(platform.bean(JdbcOrganizations.class).lock(organization)).isPresent();
                Future<?> entry =
                    another.submit(
                        () ->
                            audit.refused(
                                organization,
                                Actor.system("test"),
                                "organization.change",
                                "organization",
                                organization.value(),
                                ErrorCode.CONFLICT));
                assertThat(entry).succeedsWithin(Duration.ofSeconds(10));
              });
    } finally {
      another.shutdownNow();
    }
  }

  @Test
  void requestsAtOnceMakeNoMoreEnvironmentsThanThePlanHas() throws Exception {
    TenantId organization = new TenantId("org-many");
    Environments environments = platform.bean(Environments.class);
    organizations.ensureExists(organization, new EnvironmentId("e-0"), Actor.system("test"));
    int room = 4;
    for (int i = 1; i < RunningPlatform.MAX_ENVIRONMENTS - room; i++) {
      organizations.ensureExists(organization, new EnvironmentId("e-" + i), Actor.system("test"));
    }

    ExecutorService callers = Executors.newFixedThreadPool(16);
    List<Future<Boolean>> made = new ArrayList<>();
    try {
      for (int i = 0; i < 32; i++) {
        String id = "f-" + i;
        made.add(callers.submit(() -> isMade(environments, organization, id)));
      }
      int succeeded = 0;
      for (Future<Boolean> each : made) {
        succeeded += each.get() ? 1 : 0;
      }
      assertThat(succeeded).isEqualTo(room);
    } finally {
      callers.shutdownNow();
    }
  }

  private static boolean isMade(
      Environments environments, TenantId organization, String environment) {
    try {
      environments.create(organization, Actor.system("test"), null, environment, "Name");
      return true;
    } catch (ProblemException full) {
      assertThat(full.code()).isEqualTo(ErrorCode.CONFLICT);
      return false;
    }
  }

  @Test
  void theSchemaRefusesIdentifiersOfTheWrongForm() {
    assertThatThrownBy(
            () ->
                platform
                    .database()
                    .sql("INSERT INTO organization (id, display_name) VALUES ('Org_1', 'x')")
                    .update())
        .isInstanceOf(DataAccessException.class);
  }
}
