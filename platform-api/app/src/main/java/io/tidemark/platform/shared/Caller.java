package io.tidemark.platform.shared;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a request is from, authenticated, in one organisation, and what it may do there: an API key
 * or a person.
 *
 * @param environment of the key; null for a person
 * @param keyId null for a person
 * @param personId null for a key
 * @param permissions in the whole organisation
 * @param inEnvironments permissions beyond these in single environments
 */
public record Caller(
    TenantId organization,
    @Nullable EnvironmentId environment,
    @Nullable String keyId,
    @Nullable String personId,
    Set<Permission> permissions,
    Map<EnvironmentId, Set<Permission>> inEnvironments) {

  public Caller {
    if ((keyId == null) == (personId == null)) {
      throw new IllegalArgumentException("A caller is either a key or a person");
    }
    permissions = Set.copyOf(permissions);
    inEnvironments = Map.copyOf(inEnvironments);
  }

  /** A key, which belongs to an environment and may do its part in the whole organisation. */
  public Caller(
      TenantId organization, EnvironmentId environment, String keyId, Set<Permission> permissions) {
    this(organization, environment, keyId, null, permissions, Map.of());
  }

  public boolean isPerson() {
    return personId != null;
  }

  /** Whether the caller has the permission, at least in that environment. */
  public boolean mayIn(String environmentId, Permission permission) {
    return permissions.contains(permission)
        || inEnvironments.entrySet().stream()
            .anyMatch(
                grant ->
                    grant.getKey().value().equals(environmentId)
                        && grant.getValue().contains(permission));
  }

  /** Whether the caller has the permission, at least in one environment. */
  public boolean mayAnywhere(Permission permission) {
    return permissions.contains(permission)
        || inEnvironments.values().stream().anyMatch(some -> some.contains(permission));
  }

  /**
   * Refuses a caller that lacks the permission in the whole organisation.
   *
   * @throws ProblemException {@code forbidden}
   */
  public void require(Permission permission) {
    require(permissions.contains(permission), permission);
  }

  /**
   * Refuses a caller that lacks the permission in that environment.
   *
   * @throws ProblemException {@code forbidden}
   */
  public void requireIn(String environmentId, Permission permission) {
    require(mayIn(environmentId, permission), permission);
  }

  /**
   * Refuses a caller that has the permission nowhere.
   *
   * @throws ProblemException {@code forbidden}
   */
  public void requireAnywhere(Permission permission) {
    require(mayAnywhere(permission), permission);
  }

  private void require(boolean has, Permission permission) {
    if (!has) {
      throw ProblemException.of(
          ErrorCode.FORBIDDEN,
          isPerson()
              ? "You lack the permission "
                  + permission.wireName()
                  + " here; ask an administrator of the organisation for it."
              : "The key "
                  + keyId
                  + " lacks the permission "
                  + permission.wireName()
                  + "; use a key that has it.");
    }
  }
}
