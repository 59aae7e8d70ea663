package io.tidemark.platform.shared;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a caller may do. Equal to {@code contracts/vocabulary/permissions.yaml}; a test compares.
 */
public enum Permission {
  METRICS_WRITE("metrics:write"),
  METRICS_READ("metrics:read"),
  PLATFORM_METRICS_READ("platform-metrics:read"),
  ORGANIZATION_READ("organization:read"),
  ORGANIZATION_WRITE("organization:write"),
  ENVIRONMENTS_READ("environments:read"),
  ENVIRONMENTS_WRITE("environments:write"),
  BUDGETS_READ("budgets:read"),
  BUDGETS_WRITE("budgets:write"),
  CATALOG_READ("catalog:read"),
  CATALOG_WRITE("catalog:write"),
  RETENTION_READ("retention:read"),
  RETENTION_WRITE("retention:write"),
  AUDIT_READ("audit:read"),
  MEMBERS_READ("members:read"),
  MEMBERS_WRITE("members:write"),
  SERVICE_ACCOUNTS_READ("service-accounts:read"),
  SERVICE_ACCOUNTS_WRITE("service-accounts:write"),
  API_KEYS_READ("api-keys:read"),
  API_KEYS_WRITE("api-keys:write");

  private final String wireName;

  Permission(String wireName) {
    this.wireName = wireName;
  }

  /** The permission as stored and shown. */
  public String wireName() {
    return wireName;
  }

  /** The permission of that name; empty for a name that this version does not know. */
  public static Optional<Permission> named(String wireName) {
    return Arrays.stream(values())
        .filter(permission -> permission.wireName.equals(wireName))
        .findFirst();
  }
}
