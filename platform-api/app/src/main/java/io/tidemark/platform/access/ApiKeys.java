package io.tidemark.platform.access;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an organisation's service accounts. Whether the caller may give the scopes is not
 * asked here.
 *
 * <p>Throws {@link io.tidemark.platform.shared.ProblemException}: {@code not_found}, {@code
 * invalid_request}, {@code conflict}.
 */
public interface ApiKeys {

  /**
   * What a new key is to be; scopes are wire names.
   *
   * @param secret the caller's own, 40 characters of base 62; null for one that is drawn
   */
  record Draft(
      String environmentId,
      List<String> scopes,
      @Nullable Instant expiresAt,
      @Nullable String secret) {

    @Override
    public String toString() {
      return "Draft[environmentId="
          + environmentId
          + ", scopes="
          + scopes
          + ", expiresAt="
          + expiresAt
          + "]";
    }
  }

  /**
   * A new key.
   *
   * @param secret its whole text, which nobody can read again; null when a repeated request found
   *     the key that was made before, and when the caller gave the secret
   */
  record Issued(ApiKey key, @Nullable String secret) {

    @Override
    public String toString() {
      return "Issued[" + key + "]";
    }
  }

  /** By identifier; revoked and expired ones too. */
  Page<ApiKey> list(TenantId organization, String serviceAccount, PageRequest page);

  ApiKey get(TenantId organization, String serviceAccount, String id);

  /** Makes a key, once for an idempotency key; two of an account are live in an environment. */
  Created<Issued> issue(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String serviceAccount,
      Draft draft);

  /**
   * Revokes a key for good.
   *
   * @param callersKey the key that asks for it, which cannot revoke itself ({@code conflict})
   */
  void revoke(
      TenantId organization,
      Actor actor,
      String serviceAccount,
      String id,
      @Nullable String callersKey);
}
