package io.tidemark.platform.access.application;

import io.tidemark.platform.access.domain.BootstrapKeys.Grant;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.access.domain.StoredKey;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.tenancy.Organizations;
import java.util.List;

/** Makes sure that the given keys and their organisations exist. Repeating it changes nothing. */
public final class ApiKeyBootstrapper {

  private final Organizations organizations;
  private final ApiKeyWriter keys;
  private final SecretHash hash;

  public ApiKeyBootstrapper(Organizations organizations, ApiKeyWriter keys, SecretHash hash) {
    this.organizations = organizations;
    this.keys = keys;
    this.hash = hash;
  }

  /** Stores every grant. */
  public void ensure(List<Grant> grants) {
    for (Grant grant : grants) {
      EnvironmentId environment = new EnvironmentId(grant.key().environment());
      organizations.ensureExists(
          grant.organization(), environment, Actor.system("bootstrap-settings"));
      keys.store(
          grant.organization(),
          new StoredKey(
              grant.key().id(),
              grant.organization(),
              environment,
              hash.of(grant.key().secretWithChecksum()),
              grant.scopes(),
              false,
              null));
    }
  }
}
