package io.tidemark.flink.lake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Arguments of {@link LakeRowServer}.
 *
 * @param access {@link LakeAccess}
 * @param host {@code --host}: address on which it listens
 * @param password environment variable {@code TIDEMARK_LAKE_ROWS_PASSWORD}: of its readers
 */
record LakeRowServerConfig(LakeAccess access, String host, String password) {

  private static final String HOST = "host";
  private static final int SHORTEST_PASSWORD = 16;

  /**
   * @throws IllegalArgumentException naming every fault at once
   */
  static LakeRowServerConfig parse(Map<String, String> environment, String... arguments) {
    List<String> faults = new ArrayList<>();
    Map<String, String> values = LakeAccess.values(List.of(HOST), faults, arguments);
    LakeAccess access = LakeAccess.of(values, environment, faults);
    String host = LakeAccess.required(values, HOST, faults);
    String password = environment.getOrDefault(LakeRowServer.PASSWORD, "");
    if (!environment.containsKey(LakeRowServer.PASSWORD)) {
      faults.add("the environment variable " + LakeRowServer.PASSWORD + " is not set");
    } else if (password.length() < SHORTEST_PASSWORD) {
      faults.add(LakeRowServer.PASSWORD + " is shorter than " + SHORTEST_PASSWORD + " characters");
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          "Rows of the lake cannot be served:\n  - " + String.join("\n  - ", faults));
    }
    return new LakeRowServerConfig(access, host, password);
  }

  /** Without the passwords. */
  @Override
  public String toString() {
    return "LakeRowServerConfig[" + access + ", " + host + "]";
  }
}
