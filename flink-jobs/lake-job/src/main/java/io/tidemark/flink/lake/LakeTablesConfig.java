package io.tidemark.flink.lake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Arguments of {@code lake-tables.jar}.
 *
 * @param catalogUri {@code --catalog.uri}: jdbc:postgresql://host:port/database
 * @param catalogUser {@code --catalog.user}
 * @param catalogPassword environment variable {@value #PASSWORD}
 * @param warehouse {@code --warehouse}: file: URI
 * @param tables {@code --tables}: the table file
 */
record LakeTablesConfig(
    String catalogUri, String catalogUser, String catalogPassword, String warehouse, Path tables) {

  static final String PASSWORD = "TIDEMARK_CATALOG_PASSWORD";
  private static final String URI = "catalog.uri";
  private static final String USER = "catalog.user";
  private static final String WAREHOUSE = "warehouse";
  private static final String TABLES = "tables";
  private static final List<String> KEYS = List.of(URI, USER, WAREHOUSE, TABLES);

  /**
   * @throws IllegalArgumentException naming every fault at once
   */
  static LakeTablesConfig parse(Map<String, String> environment, String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!KEYS.contains(key)) {
        faults.add("'" + arguments[i] + "' is not known; known are --" + String.join(", --", KEYS));
      } else if (i + 1 == arguments.length) {
        faults.add("--" + key + " has no value");
      } else {
        values.put(key, arguments[i + 1]);
      }
    }
    expect(values, URI, "jdbc:postgresql:", faults);
    expect(values, USER, "", faults);
    expect(values, WAREHOUSE, "file:", faults);
    expect(values, TABLES, "", faults);
    if (!environment.containsKey(PASSWORD)) {
      faults.add("the environment variable " + PASSWORD + " is not set");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The lake's tables cannot be created:\n  - " + String.join("\n  - ", faults));
    }
    return new LakeTablesConfig(
        values.get(URI),
        values.get(USER),
        environment.get(PASSWORD),
        values.get(WAREHOUSE),
        Path.of(values.get(TABLES)));
  }

  private static void expect(
      Map<String, String> values, String key, String prefix, List<String> faults) {
    String value = values.getOrDefault(key, "");
    if (value.isEmpty()) {
      faults.add("--" + key + " is missing");
    } else if (!value.startsWith(prefix)) {
      faults.add("--" + key + " is '" + value + "', expected it to start with " + prefix);
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "LakeTablesConfig["
        + catalogUri
        + ", "
        + catalogUser
        + ", "
        + warehouse
        + ", "
        + tables
        + "]";
  }
}
