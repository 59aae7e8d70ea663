package io.tidemark.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The stack whose stream a second region reads: it has the gateway, the control plane with its
 * PostgreSQL, metering and alerting.
 *
 * @param home its folder
 */
public record FirstRegion(Path home) {
  /** What the second region that reads it calls itself. */
  public static final String READER = "second";

  /** What both regions must have alike: keys and sessions are valid in both. */
  static final List<String> SHARED =
      List.of(
          "TIDEMARK_POSTGRES_OWNER_PASSWORD",
          "TIDEMARK_POSTGRES_APPLICATION_PASSWORD",
          "TIDEMARK_API_KEY_PEPPER",
          "TIDEMARK_API_KEY_ACCEPTED_PEPPERS",
          "TIDEMARK_SIGN_IN_SECRET",
          "TIDEMARK_SIGN_IN_ACCEPTED_SECRETS",
          "TIDEMARK_BOOTSTRAP_SELF_KEY",
          "TIDEMARK_BOOTSTRAP_DEMO_KEY");

  /** Where something of it answers. */
  public String coordinate(String name) {
    return value("stack.env", name);
  }

  String secret(String name) {
    return value("secrets.env", name);
  }

  private String value(String file, String name) {
    Map<String, String> values = EnvironmentFile.read(home.resolve(file));
    String value = values.get(name);
    if (value == null) {
      throw new StackFailure(
          "TIDEMARK_FIRST_REGION="
              + home
              + " has no "
              + name
              + " in "
              + file
              + ". Start the first region there: TIDEMARK_HOME="
              + home
              + " make up");
    }
    return value;
  }
}
