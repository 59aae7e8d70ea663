package io.tidemark.platform.shared;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a caller may do. Equal to {@code contracts/vocabulary/permissions.yaml}; a test compares.
 */
public enum Permission {
  METRICS_WRITE("metrics:write"),
  METRICS_READ("metrics:read"),
  PLATFORM_METRICS_READ("platform-metrics:read");

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
