package io.tidemark.platform.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingAlerts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Webhooks are signed as before when the secret that their secrets are sealed with is replaced. */
@ExtendWith(RunningPlatform.Extension.class)
class SealedIntegrationSecretsIT {
  private static final TenantId ORGANIZATION = new TenantId("org-demo");
  private static final String REPLACED = "another pepper of 32 characters, at least";

  private final RunningPlatform platform;

  SealedIntegrationSecretsIT(RunningPlatform platform) {
    this.platform = platform;
  }

  @Test
  void secretsOpenWithThePresentSecretAlone() {
    String integration = integration();
    String present = platform.bean(NotificationProperties.class).secret();
    byte[] key = secrets(present, List.of()).open(ORGANIZATION, integration, sealed(integration));
    try {
      assertThatThrownBy(
              () ->
                  secrets(REPLACED, List.of()).open(ORGANIZATION, integration, sealed(integration)))
          .isInstanceOf(IllegalStateException.class);

      assertThat(renewal(secrets(REPLACED, List.of(present))).renew()).isPositive();

      assertThat(secrets(REPLACED, List.of()).open(ORGANIZATION, integration, sealed(integration)))
          .isEqualTo(key);
      assertThat(renewal(secrets(REPLACED, List.of(present))).renew()).isZero();
    } finally {
      renewal(secrets(present, List.of(REPLACED))).renew();
    }
    assertThat(secrets(present, List.of()).open(ORGANIZATION, integration, sealed(integration)))
        .isEqualTo(key);
  }

  private String integration() {
    ControlApi demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    assertThat(
            demo.post("/environments", "{\"id\":\"env-sealed\",\"display_name\":\"x\"}").status())
        .isEqualTo(201);
    return demo.post(
            "/environments/env-sealed/integrations",
            TestingAlerts.INTEGRATION.replace("}", ",\"send_test\":false,\"enabled\":false}"))
        .body()
        .path("integration")
        .path("id")
        .asString();
  }

  private byte[] sealed(String integration) {
    return platform
        .bean(TenantTransactions.class)
        .within(
            ORGANIZATION,
            () ->
                platform.bean(JdbcIntegrations.class).sealed(ORGANIZATION).stream()
                    .filter(one -> one.id().equals(integration))
                    .findFirst()
                    .orElseThrow()
                    .secret());
  }

  private SealedIntegrationSecrets renewal(IntegrationSecrets secrets) {
    return new SealedIntegrationSecrets(
        platform.bean(CrossTenantDeliveries.class),
        platform.bean(TenantTransactions.class),
        platform.bean(JdbcIntegrations.class),
        secrets);
  }

  private static IntegrationSecrets secrets(String present, List<String> accepted) {
    Duration any = Duration.ofSeconds(1);
    return new IntegrationSecrets(
        new NotificationProperties(present, accepted, List.of(), any, any, 1, any, any, any, any));
  }
}
