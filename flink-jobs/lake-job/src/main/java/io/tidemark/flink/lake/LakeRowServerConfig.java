package io.tidemark.flink.lake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of {@link LakeRowServer}.
 *
 * @param catalogPassword environment variable {@code TIDEMARK_CATALOG_PASSWORD}
 * @param warehouse file: or s3: URI
 * @param host address on which it listens
 * @param password environment variable {@code TIDEMARK_LAKE_ROWS_PASSWORD}: of its readers
 */
record LakeRowServerConfig(
    String catalogUri,
    String catalogUser,
    String catalogPassword,
    String warehouse,
    String host,
    String password) {

  private static final List<String> KEYS =
      List.of("catalog.uri", "catalog.user", "warehouse", "host");

  /**
   * @throws IllegalArgumentException naming every fault at once
   */
  static LakeRowServerConfig parse(Map<String, String> environment, String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!KEYS.contains(key) || i + 1 == arguments.length) {
        faults.add(
            "'"
                + arguments[i]
                + "' is not known or has no value; known are --"
                + String.join(", --", KEYS));
      } else {
        values.put(key, arguments[i + 1]);
      }
    }
    for (String key : KEYS) {
      if (values.getOrDefault(key, "").isEmpty()) {
        faults.add("--" + key + " is missing");
      }
    }
    for (String name : List.of(LakeTablesConfig.PASSWORD, LakeRowServer.PASSWORD)) {
      if (!environment.containsKey(name)) {
        faults.add("the environment variable " + name + " is not set");
      }
    }
    if (environment.getOrDefault(LakeRowServer.PASSWORD, "?").length() < 16
        && environment.containsKey(LakeRowServer.PASSWORD)) {
      faults.add(LakeRowServer.PASSWORD + " is shorter than 16 characters");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "Rows of the lake cannot be served:\n  - " + String.join("\n  - ", faults));
    }
    return new LakeRowServerConfig(
        values.getOrDefault("catalog.uri", ""),
        values.getOrDefault("catalog.user", ""),
        environment.getOrDefault(LakeTablesConfig.PASSWORD, ""),
        values.getOrDefault("warehouse", ""),
        values.getOrDefault("host", ""),
        environment.getOrDefault(LakeRowServer.PASSWORD, ""));
  }

  /** Without the passwords. */
  @Override
  public String toString() {
    return "LakeRowServerConfig[" + catalogUri + ", " + warehouse + ", " + host + "]";
  }
}
