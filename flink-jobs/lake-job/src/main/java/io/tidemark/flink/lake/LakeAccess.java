package io.tidemark.flink.lake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a command reaches the lake.
 *
 * @param catalogUri {@code --catalog.uri}: as {@link LakeCatalog#open} takes it
 * @param catalogUser {@code --catalog.user}
 * @param catalogPassword environment variable {@value #PASSWORD}
 * @param warehouse {@code --warehouse}: its URI
 */
record LakeAccess(String catalogUri, String catalogUser, String catalogPassword, String warehouse) {

  static final String PASSWORD = "TIDEMARK_CATALOG_PASSWORD";
  private static final String URI = "catalog.uri";
  private static final String USER = "catalog.user";
  private static final String WAREHOUSE = "warehouse";

  /**
   * Reads {@code --key value} pairs.
   *
   * @param more keys that a command knows beside those of the access
   * @param faults gains what is not known, and what has no value
   */
  static Map<String, String> values(List<String> more, List<String> faults, String... arguments) {
    List<String> known = new ArrayList<>(List.of(URI, USER, WAREHOUSE));
    known.addAll(more);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String key = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!known.contains(key)) {
        faults.add(
            "'" + arguments[i] + "' is not known; known are --" + String.join(", --", known));
      } else if (i + 1 == arguments.length) {
        faults.add("--" + key + " has no value");
      } else {
        values.put(key, arguments[i + 1]);
      }
    }
    return values;
  }

  /** Adds a fault for a key without a value, and returns the value or an empty text. */
  static String required(Map<String, String> values, String key, List<String> faults) {
    String value = values.getOrDefault(key, "");
    if (value.isEmpty()) {
      faults.add("--" + key + " is missing");
    }
    return value;
  }

  /** Takes the access from {@link #values}; of use only when {@code faults} stays empty. */
  static LakeAccess of(
      Map<String, String> values, Map<String, String> environment, List<String> faults) {
    String catalog = required(values, URI, faults);
    if (!catalog.isEmpty() && !LakeCatalog.URI.matcher(catalog).matches()) {
      faults.add("--" + URI + " is '" + catalog + "', expected " + LakeCatalog.EXPECTED);
    }
    String user = required(values, USER, faults);
    String warehouse = required(values, WAREHOUSE, faults);
    if (!warehouse.isEmpty() && !WarehouseFiles.isWarehouse(warehouse)) {
      faults.add("--" + WAREHOUSE + " is '" + warehouse + "', expected " + WarehouseFiles.EXPECTED);
    }
    if (!environment.containsKey(PASSWORD)) {
      faults.add("the environment variable " + PASSWORD + " is not set");
    }
    return new LakeAccess(catalog, user, environment.getOrDefault(PASSWORD, ""), warehouse);
  }

  LakeCatalog open() {
    return LakeCatalog.open(catalogUri, catalogUser, catalogPassword, warehouse);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return catalogUri + ", " + catalogUser + ", " + warehouse;
  }
}
