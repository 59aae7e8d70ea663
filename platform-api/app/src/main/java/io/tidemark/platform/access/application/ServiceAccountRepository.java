package io.tidemark.platform.access.application;

import io.tidemark.platform.access.ServiceAccount;
import io.tidemark.platform.shared.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Keeps service accounts; within a transaction of the organisation. Deleted ones are not found. */
public interface ServiceAccountRepository {

  void add(TenantId organization, ServiceAccount account);

  Optional<ServiceAccount> find(TenantId organization, String id);

  /** Kept from other changes until the transaction ends. */
  Optional<ServiceAccount> lock(TenantId organization, String id);

  /** Those after the given identifier. */
  List<ServiceAccount> list(TenantId organization, String after, int most);

  void update(TenantId organization, ServiceAccount account);

  void delete(TenantId organization, String id, Instant at);
}
