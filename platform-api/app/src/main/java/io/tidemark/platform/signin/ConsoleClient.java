package io.tidemark.platform.signin;

import java.util.Base64;

/**
 * Tidemark as a client of its own provider. The secret between the two is made from the secret of
 * sign-in, so every instance has the same without keeping it.
 */
public final class ConsoleClient {

  /** Where every provider sends browsers back to. */
  public static final String CALLBACK = "/auth/callback";

  private final SecretSealer sealing;
  private final PublicAddress address;

  ConsoleClient(SecretSealer sealing, PublicAddress address) {
    this.sealing = sealing;
    this.address = address;
  }

  public String id() {
    return "tidemark-console";
  }

  public String secret() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealing.mark("client", id()));
  }

  public String redirectUri() {
    return address.origin() + CALLBACK;
  }
}
