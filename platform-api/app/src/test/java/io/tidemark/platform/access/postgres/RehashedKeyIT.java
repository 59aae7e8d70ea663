package io.tidemark.platform.access.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.access.application.ApiKeyAuthenticator;
import io.tidemark.platform.access.application.ApiKeyBootstrapper;
import io.tidemark.platform.access.application.ApiKeyWriter;
import io.tidemark.platform.access.domain.BootstrapKeys;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.tenancy.Organizations;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A key that was used while the pepper is replaced works without the earlier one. */
@ExtendWith(RunningPlatform.Extension.class)
class RehashedKeyIT {
  private static final byte[] BEFORE =
      "the pepper before, of at least 32 characters".getBytes(StandardCharsets.UTF_8);
  private static final byte[] PRESENT =
      "the present pepper, of at least 32 characters".getBytes(StandardCharsets.UTF_8);

  private final RunningPlatform platform;

  RehashedKeyIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void aUseStoresTheHashOfThePresentPepper() {
    String used = TestingKeys.key("env-rehashed", 'M');
    String unused = TestingKeys.key("env-not-rehashed", 'N');
    ApiKeyBootstrapper bootstrapper =
        new ApiKeyBootstrapper(
            platform.bean(Organizations.class),
            platform.bean(ApiKeyWriter.class),
            new SecretHash(BEFORE));
    bootstrapper.ensure(BootstrapKeys.grants("", "", "org-rehashed=" + used));
    bootstrapper.ensure(BootstrapKeys.grants("", "", "org-not-rehashed=" + unused));
    Authentication after = authentication(new SecretHash(PRESENT));
    assertRefused(after, used);

    assertThat(
            authentication(new SecretHash(PRESENT, List.of(BEFORE)))
                .authenticate(TestingKeys.bearer(used)))
        .isNotNull();
    platform.bean(ApiKeyUsageRecorder.class).write();

    assertThat(after.authenticate(TestingKeys.bearer(used))).isNotNull();
    assertRefused(authentication(new SecretHash(BEFORE)), used);
    assertRefused(after, unused);
  }

  private static void assertRefused(Authentication authentication, String key) {
    assertThatThrownBy(() -> authentication.authenticate(TestingKeys.bearer(key)))
        .isInstanceOf(ProblemException.class);
  }

  private Authentication authentication(SecretHash hash) {
    return new ApiKeyAuthenticator(
        platform.bean(CrossTenantApiKeys.class),
        hash,
        Clock.systemUTC(),
        platform.bean(ApiKeyUsageRecorder.class),
        (organization, key) -> {});
  }
}
