package io.tidemark.flink.lake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Arguments of {@link LakeTables}.
 *
 * @param access {@link LakeAccess}
 * @param reader {@code --reader}: what makes the role that may only read the catalog; without it
 *     there is none
 * @param readerPassword environment variable {@value #READER_PASSWORD}: of that role
 * @param tables {@code --tables}: the table file
 */
record LakeTablesConfig(
    LakeAccess access, Optional<Path> reader, String readerPassword, Path tables) {

  static final String READER_PASSWORD = "TIDEMARK_CATALOG_READER_PASSWORD";
  private static final String TABLES = "tables";
  private static final String READER = "reader";

  /**
   * @throws IllegalArgumentException naming every fault at once
   */
  static LakeTablesConfig parse(Map<String, String> environment, String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = LakeAccess.values(List.of(TABLES, READER), faults, arguments);
    LakeAccess access = LakeAccess.of(values, environment, faults);
    String tables = LakeAccess.required(values, TABLES, faults);
    String readerPassword = environment.getOrDefault(READER_PASSWORD, "");
    if (values.containsKey(READER) && readerPassword.isEmpty()) {
      faults.add("the environment variable " + READER_PASSWORD + " is not set");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "The lake's tables cannot be created:\n  - " + String.join("\n  - ", faults));
    }
    return new LakeTablesConfig(
        access,
        Optional.ofNullable(values.get(READER)).map(Path::of),
        readerPassword,
        Path.of(tables));
  }

  /** Without the passwords. */
  @Override
  public String toString() {
    return "LakeTablesConfig[" + access + ", " + tables + "]";
  }
}
