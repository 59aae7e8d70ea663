package io.tidemark.platform.notification;

import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.signin.SealedSecrets;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Secrets and routing keys of integrations, when the secret that they are sealed with changes. */
@Component
class SealedIntegrationSecrets implements SealedSecrets {

  private final CrossTenantDeliveries organizations;
  private final TenantTransactions transactions;
  private final JdbcIntegrations integrations;
  private final IntegrationSecrets secrets;

  SealedIntegrationSecrets(
      CrossTenantDeliveries organizations,
      TenantTransactions transactions,
      JdbcIntegrations integrations,
      IntegrationSecrets secrets) {
    this.organizations = organizations;
    this.transactions = transactions;
    this.integrations = integrations;
    this.secrets = secrets;
  }

  @Override
  public boolean acceptsOthers() {
    return secrets.acceptsOthers();
  }

  @Override
  public String what() {
    return "secrets of integrations";
  }

  @Override
  public int renew() {
    int renewed = 0;
    for (TenantId organization : organizations.withIntegrations()) {
      renewed += transactions.within(organization, () -> renew(organization));
    }
    return renewed;
  }

  private int renew(TenantId organization) {
    int renewed = 0;
    for (JdbcIntegrations.Sealed before : integrations.sealed(organization)) {
      JdbcIntegrations.Sealed present =
          new JdbcIntegrations.Sealed(
              before.id(),
              Objects.requireNonNull(secrets.renewed(organization, before.id(), before.secret())),
              secrets.renewed(organization, before.id(), before.oldSecret()),
              secrets.renewed(organization, before.id(), before.routingKey()));
      if (present.secret() != before.secret()
          || present.oldSecret() != before.oldSecret()
          || present.routingKey() != before.routingKey()) {
        integrations.setSealed(organization, present);
        renewed++;
      }
    }
    return renewed;
  }
}
