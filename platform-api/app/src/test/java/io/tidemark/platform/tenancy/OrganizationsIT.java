package io.tidemark.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.RunningPlatform;
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
