package io.tidemark.platform.notification;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.signin.SecretSealer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes secrets of integrations, and seals them for the database. */
@Component
class IntegrationSecrets {

  private static final int KEY_BYTES = 32;
  private static final String PURPOSE = "integration";

  private final SecureRandom random = new SecureRandom();
  private final SecretSealer sealer;

  IntegrationSecrets(NotificationProperties properties) {
    this.sealer = new SecretSealer(properties.secret(), properties.acceptedSecrets(), random);
  }

  byte[] newKey() {
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    return key;
  }

  byte[] seal(TenantId organization, String integration, byte[] open) {
    return sealer.seal(PURPOSE, place(organization, integration), open);
  }

  byte[] seal(TenantId organization, String integration, String open) {
    return seal(organization, integration, open.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @throws IllegalStateException when it was sealed with another secret of the installation
   */
  byte[] open(TenantId organization, String integration, byte[] sealed) {
    try {
      return sealer.open(PURPOSE, place(organization, integration), sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "The secret of the integration cannot be opened: TIDEMARK_API_KEY_PEPPER is another one"
              + " now. Replace the integration's secret.",
          e);
    }
  }

  /** Whether an earlier secret of the installation is taken beside the present one. */
  boolean acceptsOthers() {
    return sealer.acceptsOthers();
  }

  /** Sealed with the present secret; the same bytes when they are, or when nothing opens them. */
  byte @Nullable [] renewed(TenantId organization, String integration, byte @Nullable [] sealed) {
    if (sealed == null) {
      return null;
    }
    try {
      return sealer.renewed(PURPOSE, place(organization, integration), sealed).orElse(sealed);
    } catch (GeneralSecurityException unknownSecret) {
      return sealed;
    }
  }

  private static String place(TenantId organization, String integration) {
    return organization + "/" + integration;
  }
}
