package io.tidemark.platform.shared;

import java.util.Set;

/** Who a request is from, authenticated: an API key, whose it is, and what it may do. */
public record Caller(
    TenantId organization, EnvironmentId environment, String keyId, Set<Permission> permissions) {

  public Caller {
    permissions = Set.copyOf(permissions);
  }

  /**
   * Refuses a caller that lacks the permission.
   *
   * @throws ProblemException {@code forbidden}
   */
  public void require(Permission permission) {
    if (!permissions.contains(permission)) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          "The key "
              + keyId
              + " lacks the permission "
              + permission.wireName()
              + "; use a key that has it.");
    }
  }
}
