package io.tidemark.platform.access.application;

import io.tidemark.platform.access.ApiKey;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Keeps the keys of service accounts; within a transaction of the organisation. */
public interface ApiKeyRepository {

  void add(TenantId organization, ApiKey key, byte[] secretHash);

  /** A key of any service account, or of none. */
  Optional<ApiKey> find(TenantId organization, String id);

  /** Keys of the account after the given identifier. */
  List<ApiKey> list(TenantId organization, String serviceAccount, String after, int most);

  void revoke(TenantId organization, String id, Instant at);

  /** Sets when a key was last used, unless a later time is known. */
  void used(TenantId organization, String id, Instant at);

  /** Stores another hash of the same secret, unless the secret was changed meanwhile. */
  void rehash(TenantId organization, String id, byte[] before, byte[] present);
}
