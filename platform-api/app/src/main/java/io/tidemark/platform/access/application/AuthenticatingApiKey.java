package io.tidemark.platform.access.application;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.access.domain.PresentedCredentials;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.util.Optional;

/** Checks credentials against the stored key. */
public final class AuthenticatingApiKey implements Authentication {

  private final FindApiKey keys;
  private final SecretHash hash;

  public AuthenticatingApiKey(FindApiKey keys, SecretHash hash) {
    this.keys = keys;
    this.hash = hash;
  }

  @Override
  public Caller authenticate(String authorization) {
    if (authorization == null || authorization.isBlank()) {
      throw ProblemException.of(
          ErrorCode.UNAUTHENTICATED,
          "There are no credentials. Send an API key as Authorization: Basic (id and secret) or"
              + " Bearer (the whole key).");
    }
    return PresentedCredentials.parse(authorization)
        .flatMap(this::verified)
        .map(key -> new Caller(key.organization(), key.environment(), key.id(), key.scopes()))
        .orElseThrow(AuthenticatingApiKey::refused);
  }

  private Optional<StoredKey> verified(PresentedCredentials presented) {
    return keys.find(presented.keyId())
        .filter(key -> hash.matches(presented.secretWithChecksum(), key.secretHash()))
        .filter(key -> !key.revoked())
        .filter(
            key ->
                presented.environment().isEmpty()
                    || presented.environment().get().equals(key.environment().value()));
  }

  /** One answer for all cases, so that nobody learns which keys exist. */
  private static ProblemException refused() {
    return ProblemException.of(
        ErrorCode.UNAUTHENTICATED,
        "The credentials are not valid: malformed, unknown, wrong or revoked. Check the key.");
  }
}
