package io.tidemark.flink.lake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Arguments of {@code lake-tables.jar}.
 *
 * @param catalogUri {@code --catalog.uri}: as {@link LakeCatalog#open} takes it
 * @param catalogUser {@code --catalog.user}
 * @param catalogPassword environment variable {@value #PASSWORD}
 * @param reader {@code --reader}: what makes the role that may only read the catalog; without it
 *     there is none
 * @param readerPassword environment variable {@value #READER_PASSWORD}: of that role
 * @param warehouse {@code --warehouse}: its URI
 * @param tables {@code --tables}: the table file
 */
record LakeTablesConfig(
    String catalogUri,
    String catalogUser,
    String catalogPassword,
    Optional<Path> reader,
    String readerPassword,
    String warehouse,
    Path tables) {

  static final String PASSWORD = "TIDEMARK_CATALOG_PASSWORD";
  static final String READER_PASSWORD = "TIDEMARK_CATALOG_READER_PASSWORD";
  private static final String URI = "catalog.uri";
  private static final String USER = "catalog.user";
  private static final String WAREHOUSE = "warehouse";
  private static final String TABLES = "tables";
  private static final String READER = "reader";
  private static final List<String> KEYS = List.of(URI, USER, WAREHOUSE, TABLES, READER);

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
    expect(values, URI, "", faults);
    String catalog = values.getOrDefault(URI, "");
    if (!catalog.isEmpty() && !LakeCatalog.URI.matcher(catalog).matches()) {
      faults.add("--" + URI + " is '" + catalog + "', expected " + LakeCatalog.EXPECTED);
    }
    expect(values, USER, "", faults);
    expect(values, WAREHOUSE, "", faults);
    String warehouse = values.getOrDefault(WAREHOUSE, "");
    if (!warehouse.isEmpty() && !WarehouseFiles.isWarehouse(warehouse)) {
      faults.add("--" + WAREHOUSE + " is '" + warehouse + "', expected " + WarehouseFiles.EXPECTED);
    }
    expect(values, TABLES, "", faults);
    if (!environment.containsKey(PASSWORD)) {
      faults.add("the environment variable " + PASSWORD + " is not set");
    }
    if (values.containsKey(READER) && environment.getOrDefault(READER_PASSWORD, "").isEmpty()) {
      faults.add("the environment variable " + READER_PASSWORD + " is not set");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The lake's tables cannot be created:\n  - " + String.join("\n  - ", faults));
    }
    return new LakeTablesConfig(
        checked(values, URI),
        checked(values, USER),
        checked(environment, PASSWORD),
        Optional.ofNullable(values.get(READER)).map(Path::of),
        environment.getOrDefault(READER_PASSWORD, ""),
        checked(values, WAREHOUSE),
        Path.of(values.get(TABLES)));
  }

  /** What was found to be there when faults were collected. */
  private static String checked(Map<String, String> values, String key) {
    return Objects.requireNonNull(values.get(key), key);
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
