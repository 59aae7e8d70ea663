package io.tidemark.platform.access.application;

import io.tidemark.platform.access.Authentication;
import io.tidemark.platform.access.domain.PresentedCredentials;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks credentials against the stored key. */
public final class ApiKeyAuthenticator implements Authentication {

  private final ApiKeyLookup keys;
  private final SecretHash hash;
  private final Clock clock;
  private final ApiKeyUsageListener uses;
  private final AuthFailureListener refusals;

  public ApiKeyAuthenticator(
      ApiKeyLookup keys,
      SecretHash hash,
      Clock clock,
      ApiKeyUsageListener uses,
      AuthFailureListener refusals) {
    this.keys = keys;
    this.hash = hash;
    this.clock = clock;
    this.uses = uses;
    this.refusals = refusals;
  }

  @Override
  public Caller authenticate(@Nullable String authorization) {
    if (authorization == null || authorization.isBlank()) {
      refusals.refused(null, null);
      throw ProblemException.of(
          ErrorCode.UNAUTHENTICATED,
          "There are no credentials. Send an API key as Authorization: Basic (id and secret) or"
              + " Bearer (the whole key).");
    }
    Optional<PresentedCredentials> presented = PresentedCredentials.parse(authorization);
    return presented
        .flatMap(this::verified)
        .map(this::caller)
        .orElseThrow(
            () -> {
              note(presented);
              return refused();
            });
  }

  private void note(Optional<PresentedCredentials> presented) {
    Optional<StoredKey> key = presented.flatMap(credentials -> keys.find(credentials.keyId()));
    refusals.refused(
        key.map(StoredKey::organization).orElse(null), key.map(StoredKey::id).orElse(null));
  }

  private Caller caller(StoredKey key) {
    uses.used(key.organization(), key.id());
    return new Caller(key.organization(), key.environment(), key.id(), key.scopes());
  }

  private Optional<StoredKey> verified(PresentedCredentials presented) {
    return keys.find(presented.keyId())
        .filter(key -> hash.matches(presented.secretWithChecksum(), key.secretHash()))
        .filter(key -> !key.revoked())
        .filter(key -> key.expiresAt() == null || clock.instant().isBefore(key.expiresAt()))
        .filter(
            key ->
                presented.environment().isEmpty()
                    || presented.environment().get().equals(key.environment().value()))
        .map(
            key -> {
              hash.renewed(presented.secretWithChecksum(), key.secretHash())
                  .ifPresent(
                      present ->
                          uses.outdated(key.organization(), key.id(), key.secretHash(), present));
              return key;
            });
  }

  /** One answer for all cases, so that nobody learns which keys exist. */
  private static ProblemException refused() {
    return ProblemException.of(
        ErrorCode.UNAUTHENTICATED,
        "The credentials are not valid: malformed, unknown, wrong, expired or revoked, or their"
            + " environment is not active. Check the key.");
  }
}
