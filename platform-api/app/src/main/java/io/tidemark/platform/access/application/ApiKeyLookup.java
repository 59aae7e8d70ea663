package io.tidemark.platform.access.application;

import io.tidemark.platform.access.domain.StoredKey;
import java.util.Optional;

/** Finds a key by its public id, before it is known whose it is. */
@FunctionalInterface
public interface ApiKeyLookup {

  /**
   * The key, revoked or not; empty when there is none.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code control_plane_unavailable}
   */
  Optional<StoredKey> find(String keyId);
}
