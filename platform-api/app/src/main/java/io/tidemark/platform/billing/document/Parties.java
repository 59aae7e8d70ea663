package io.tidemark.platform.billing.document;

import java.util.List;

/**
 * Who issues an invoice and who gets it.
 *
 * @param address of the issuer, a line each
 * @param taxId of the issuer; empty without one
 */
public record Parties(
    String issuer,
    List<String> address,
    String taxId,
    String organizationId,
    String organizationName) {

  public Parties {
    address = List.copyOf(address);
  }
}
