package io.tidemark.platform.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.access.application.ApiKeyBootstrapper;
import io.tidemark.platform.access.application.ApiKeyWriter;
import io.tidemark.platform.access.domain.BootstrapKeys;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Organizations;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys in a real PostgreSQL. */
@ExtendWith(RunningPlatform.Extension.class)
class ApiKeysIT {

  private final RunningPlatform platform;
  private final Authentication authentication;

  ApiKeysIT(RunningPlatform platform) {
    this.platform = platform;
    this.authentication = platform.bean(Authentication.class);
  }

  private void bootstrap(String extraKeys) {
    new ApiKeyBootstrapper(
            platform.bean(Organizations.class),
            platform.bean(ApiKeyWriter.class),
            platform.bean(SecretHash.class))
        .ensure(BootstrapKeys.grants("", "", extraKeys));
  }

  @Test
  void theKeysOfTheSettingsWorkFromTheStart() {
    Caller demo = authentication.authenticate(TestingKeys.bearer(RunningPlatform.DEMO_KEY));
    assertThat(demo.organization()).isEqualTo(new TenantId("org-demo"));
    assertThat(demo.permissions()).containsExactlyInAnyOrder(Permission.values());
    Caller self = authentication.authenticate(TestingKeys.bearer(RunningPlatform.SELF_KEY));
    assertThat(self.organization()).isEqualTo(Organizations.PLATFORM);
    Caller extra = authentication.authenticate(TestingKeys.bearer(RunningPlatform.EXTRA_KEY));
    assertThat(extra.permissions())
        .containsExactlyInAnyOrder(Permission.METRICS_READ, Permission.METRICS_WRITE);
  }

  @Test
  void bootstrappingAgainChangesNothing() {
    String entry = "org-again=" + TestingKeys.key("env-again", 'G');
    bootstrap(entry);
    bootstrap(entry);
    assertThat(
            platform
                .database()
                .sql("SELECT count(*) FROM api_key WHERE organization_id = 'org-again'")
                .query(Long.class)
                .single())
        .isEqualTo(1);
  }

  @Test
  void aRevokedKeyStopsWorkingAndBootstrappingDoesNotBringItBack() {
    String key = TestingKeys.key("env-revoked", 'V');
    bootstrap("org-revoked=" + key);
    assertThat(authentication.authenticate(TestingKeys.bearer(key))).isNotNull();
    platform
        .database()
        .sql("UPDATE api_key SET revoked_at = now() WHERE organization_id = 'org-revoked'")
        .update();
    assertThatThrownBy(() -> authentication.authenticate(TestingKeys.bearer(key)))
        .isInstanceOf(ProblemException.class);
    bootstrap("org-revoked=" + key);
    assertThatThrownBy(() -> authentication.authenticate(TestingKeys.bearer(key)))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void aKeyNeverChangesHands() {
    String key = TestingKeys.key("env-owner", 'W');
    bootstrap("org-owner=" + key);
    assertThatThrownBy(() -> bootstrap("org-thief=" + key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("belongs to another organisation");
    assertThat(authentication.authenticate(TestingKeys.bearer(key)).organization())
        .isEqualTo(new TenantId("org-owner"));
  }

  @Test
  void theDatabaseDoesNotHoldSecrets() {
    String rows =
        platform
            .database()
            .sql("SELECT string_agg(api_key::text, ',') FROM api_key")
            .query(String.class)
            .single();
    assertThat(rows).contains("D".repeat(16)).doesNotContain("D".repeat(40));
  }
}
