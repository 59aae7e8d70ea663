package io.tidemark.platform.access;

import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.ExpectedVersion;
import io.tidemark.platform.shared.IdempotentCreation.Created;
import io.tidemark.platform.shared.Page;
import io.tidemark.platform.shared.PageRequest;
import io.tidemark.platform.shared.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * The service accounts of an organisation. Whether the caller may give a role is not asked here.
 *
 * <p>Throws {@link io.tidemark.platform.shared.ProblemException}: {@code not_found}, {@code
 * invalid_request}, {@code precondition_failed}, {@code conflict}.
 */
public interface ServiceAccounts {

  /** By identifier. */
  Page<ServiceAccount> list(TenantId organization, PageRequest page);

  ServiceAccount get(TenantId organization, String id);

  /** Makes one, once for an idempotency key. */
  Created<ServiceAccount> create(
      TenantId organization,
      Actor actor,
      @Nullable String idempotencyKey,
      String displayName,
      @Nullable String role);

  /** Changes name and role; null leaves either. */
  ServiceAccount change(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable String displayName,
      @Nullable String role);

  /**
   * Deletes it and revokes its keys.
   *
   * @param callersKey the key that asks for it; one of its own is refused ({@code conflict})
   */
  void delete(
      TenantId organization,
      Actor actor,
      String id,
      ExpectedVersion expected,
      @Nullable String callersKey);
}
