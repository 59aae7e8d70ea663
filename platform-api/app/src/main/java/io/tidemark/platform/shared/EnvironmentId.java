package io.tidemark.platform.shared;

/** Identifies an environment within its organisation; same form as an organisation id. */
public record EnvironmentId(String value) {

  public EnvironmentId {
    if (!TenantId.isWellFormed(value)) {
      throw new IllegalArgumentException(
          "An environment id is 1 to 63 of a-z, 0-9 and '-', not starting with '-'");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
