package io.tidemark.platform.billing;

import io.tidemark.platform.billing.document.Parties;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.tenancy.Organizations;
import org.springframework.stereotype.Component;

/** Names who issues the invoices of an organisation and who gets them. */
@Component
public class InvoiceParties {

  private final Organizations organizations;
  private final BillingProperties properties;

  InvoiceParties(Organizations organizations, BillingProperties properties) {
    this.organizations = organizations;
    this.properties = properties;
  }

  public Parties of(TenantId organization) {
    BillingProperties.Issuer issuer = properties.issuer();
    return new Parties(
        issuer.name(),
        issuer.address(),
        issuer.taxId(),
        organization.value(),
        organizations.get(organization).displayName());
  }
}
