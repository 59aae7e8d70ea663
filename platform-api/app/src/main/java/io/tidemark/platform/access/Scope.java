package io.tidemark.platform.access;

import java.util.Arrays;
import java.util.Optional;

/** What a key may do. Equal to {@code contracts/vocabulary/permissions.yaml}; a test compares. */
public enum Scope {
  METRICS_WRITE("metrics:write"),
  METRICS_READ("metrics:read"),
  PLATFORM_METRICS_READ("platform-metrics:read");

  private final String wireName;

  Scope(String wireName) {
    this.wireName = wireName;
  }

  /** The scope as stored and shown. */
  public String wireName() {
    return wireName;
  }

  /** The scope of that name; empty for a name that this version does not know. */
  public static Optional<Scope> named(String wireName) {
    return Arrays.stream(values()).filter(scope -> scope.wireName.equals(wireName)).findFirst();
  }
}
