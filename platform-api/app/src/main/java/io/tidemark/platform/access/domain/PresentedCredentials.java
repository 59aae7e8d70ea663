package io.tidemark.platform.access.domain;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * What a request shows to prove who it is.
 *
 * @param keyId public id of the key
 * @param secretWithChecksum the part that only the owner knows
 * @param environment the environment named by the whole key; empty with Basic credentials
 */
public record PresentedCredentials(
    String keyId, String secretWithChecksum, Optional<String> environment) {

  /** Reads an Authorization header; empty when it is neither scheme or not well-formed. */
  public static Optional<PresentedCredentials> parse(String authorization) {
    int space = authorization.indexOf(' ');
    if (space < 0) {
      return Optional.empty();
    }
    String rest = authorization.substring(space + 1).strip();
    return switch (authorization.substring(0, space).toLowerCase(Locale.ROOT)) {
      case "basic" -> basic(rest);
      case "bearer" ->
          ApiKeyText.parse(rest)
              .map(
                  key ->
                      new PresentedCredentials(
                          key.id(), key.secretWithChecksum(), Optional.of(key.environment())));
      default -> Optional.empty();
    };
  }

  private static Optional<PresentedCredentials> basic(String encoded) {
    String pair;
    try {
      pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    int colon = pair.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String user = pair.substring(0, colon);
    String password = pair.substring(colon + 1);
    return ApiKeyText.isId(user) && ApiKeyText.isPassword(password)
        ? Optional.of(new PresentedCredentials(user, password, Optional.empty()))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "PresentedCredentials[" + keyId + "]";
  }
}
