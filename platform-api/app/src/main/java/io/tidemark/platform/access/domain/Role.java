package io.tidemark.platform.access.domain;

import static io.tidemark.platform.shared.Permission.API_KEYS_READ;
import static io.tidemark.platform.shared.Permission.API_KEYS_WRITE;
import static io.tidemark.platform.shared.Permission.AUDIT_READ;
import static io.tidemark.platform.shared.Permission.BUDGETS_READ;
import static io.tidemark.platform.shared.Permission.BUDGETS_WRITE;
import static io.tidemark.platform.shared.Permission.CATALOG_READ;
import static io.tidemark.platform.shared.Permission.CATALOG_WRITE;
import static io.tidemark.platform.shared.Permission.ENVIRONMENTS_READ;
import static io.tidemark.platform.shared.Permission.ENVIRONMENTS_WRITE;
import static io.tidemark.platform.shared.Permission.MEMBERS_READ;
import static io.tidemark.platform.shared.Permission.MEMBERS_WRITE;
import static io.tidemark.platform.shared.Permission.METRICS_READ;
import static io.tidemark.platform.shared.Permission.METRICS_WRITE;
import static io.tidemark.platform.shared.Permission.ORGANIZATION_READ;
import static io.tidemark.platform.shared.Permission.ORGANIZATION_WRITE;
import static io.tidemark.platform.shared.Permission.RETENTION_READ;
import static io.tidemark.platform.shared.Permission.RETENTION_WRITE;
import static io.tidemark.platform.shared.Permission.SERVICE_ACCOUNTS_READ;
import static io.tidemark.platform.shared.Permission.SERVICE_ACCOUNTS_WRITE;

import io.tidemark.platform.shared.Permission;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What somebody is for. Equal to {@code contracts/vocabulary/permissions.yaml}; a test compares.
 */
public enum Role {
  ORGANIZATION_ADMIN(
      METRICS_WRITE,
      METRICS_READ,
      ORGANIZATION_READ,
      ORGANIZATION_WRITE,
      ENVIRONMENTS_READ,
      ENVIRONMENTS_WRITE,
      BUDGETS_READ,
      BUDGETS_WRITE,
      CATALOG_READ,
      CATALOG_WRITE,
      RETENTION_READ,
      RETENTION_WRITE,
      AUDIT_READ,
      MEMBERS_READ,
      MEMBERS_WRITE,
      SERVICE_ACCOUNTS_READ,
      SERVICE_ACCOUNTS_WRITE,
      API_KEYS_READ,
      API_KEYS_WRITE),
  ENVIRONMENT_ADMIN(
      METRICS_WRITE,
      METRICS_READ,
      ORGANIZATION_READ,
      ENVIRONMENTS_READ,
      ENVIRONMENTS_WRITE,
      BUDGETS_READ,
      BUDGETS_WRITE,
      CATALOG_READ,
      CATALOG_WRITE,
      RETENTION_READ,
      RETENTION_WRITE,
      MEMBERS_READ,
      SERVICE_ACCOUNTS_READ,
      SERVICE_ACCOUNTS_WRITE,
      API_KEYS_READ,
      API_KEYS_WRITE),
  DEVELOPER(
      METRICS_WRITE,
      METRICS_READ,
      ORGANIZATION_READ,
      ENVIRONMENTS_READ,
      BUDGETS_READ,
      CATALOG_READ,
      CATALOG_WRITE,
      RETENTION_READ,
      SERVICE_ACCOUNTS_READ,
      API_KEYS_READ),
  METRICS_VIEWER(METRICS_READ, ORGANIZATION_READ, ENVIRONMENTS_READ, CATALOG_READ),
  BILLING_VIEWER(ORGANIZATION_READ, ENVIRONMENTS_READ, BUDGETS_READ);

  private final Set<Permission> permissions;

  Role(Permission... permissions) {
    this.permissions = Set.of(permissions);
  }

  /** All that the role allows. */
  public Set<Permission> permissions() {
    return permissions;
  }

  /** The role as stored and shown, in lower_snake_case. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of that name; empty for a name that this version does not know. */
  public static Optional<Role> named(String wireName) {
    return Arrays.stream(values()).filter(role -> role.wireName().equals(wireName)).findFirst();
  }
}
