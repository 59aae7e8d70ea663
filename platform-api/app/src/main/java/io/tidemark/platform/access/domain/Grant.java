package io.tidemark.platform.access.domain;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.TenantId;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A role that a person has, in the whole organisation or in one environment. As text: {@code
 * developer} or {@code developer@env-a}.
 *
 * @param environment null for the whole organisation
 */
public record Grant(Role role, @Nullable EnvironmentId environment) {

  /** The grant of that text; empty when it is not one that this version knows. */
  public static Optional<Grant> parse(String text) {
    int at = text.indexOf('@');
    String environment = at < 0 ? null : text.substring(at + 1);
    if (environment != null && !TenantId.isWellFormed(environment)) {
      return Optional.empty();
    }
    return Role.named(at < 0 ? text : text.substring(0, at))
        .map(role -> new Grant(role, environment == null ? null : new EnvironmentId(environment)));
  }

  /**
   * The grants of those texts; unknown ones, which a later version may have written, give nothing.
   */
  public static List<Grant> parse(Collection<String> texts) {
    return texts.stream().flatMap(text -> parse(text).stream()).toList();
  }

  /** The form that is stored and shown in the audit log. */
  public String text() {
    return environment == null ? role.wireName() : role.wireName() + "@" + environment;
  }

  /** What the grants allow in the whole organisation. */
  public static Set<Permission> everywhere(Collection<Grant> grants) {
    Set<Permission> permissions = EnumSet.noneOf(Permission.class);
    for (Grant grant : grants) {
      if (grant.environment() == null) {
        permissions.addAll(grant.role().permissions());
      } else {
        // Whoever works in a part of an organisation may see which organisation it is.
        permissions.add(Permission.ORGANIZATION_READ);
      }
    }
    return permissions;
  }

  /** What the grants allow in single environments. */
  public static Map<EnvironmentId, Set<Permission>> inEnvironments(Collection<Grant> grants) {
    Map<EnvironmentId, Set<Permission>> permissions = new HashMap<>();
    for (Grant grant : grants) {
      if (grant.environment() != null) {
        permissions
            .computeIfAbsent(grant.environment(), none -> EnumSet.noneOf(Permission.class))
            .addAll(grant.role().permissions());
      }
    }
    return permissions;
  }

  /** Whether one of them makes an administrator of the organisation. */
  public static boolean administer(Collection<Grant> grants) {
    return grants.contains(new Grant(Role.ORGANIZATION_ADMIN, null));
  }
}
