import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Writes the enums {@code Permission} and {@code Role} from the contract. The build runs this file
 * as it is, before it compiles: {@code GenerateVocabulary.java <permissions.yaml> <folder>}.
 */
final class GenerateVocabulary {

  /** What the compiler would not find: a name that is no constant once it is in upper case. */
  private static final String NAME = "[a-z]+(?:[-_:][a-z]+)*";

  private GenerateVocabulary() {}

  public static void main(String[] arguments) throws IOException {
    Path contract = Path.of(arguments[0]);
    Path target = Path.of(arguments[1]);
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    Map<String, List<Map<String, Object>>> vocabulary =
        new Yaml(new SafeConstructor(strict)).load(Files.readString(contract));
    write(
        target.resolve("io/tidemark/platform/shared/Permission.java"),
        permission(vocabulary.get("permissions")));
    write(
        target.resolve("io/tidemark/platform/access/domain/Role.java"),
        role(vocabulary.get("roles")));
  }

  private static String permission(List<Map<String, Object>> permissions) {
    return """
        package io.tidemark.platform.shared;

        import java.util.Arrays;
        import java.util.Optional;

        /** What a caller may do. Generated from {@code contracts/vocabulary/permissions.yaml}. */
        public enum Permission {
        %s;

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
            return Arrays.stream(values()).filter(one -> one.wireName.equals(wireName)).findFirst();
          }
        }
        """
        .formatted(
            permissions.stream()
                .map(one -> constant(one) + "(\"" + one.get("name") + "\")")
                .collect(Collectors.joining(",\n")));
  }

  private static String role(List<Map<String, Object>> roles) {
    return """
        package io.tidemark.platform.access.domain;

        import io.tidemark.platform.shared.Permission;
        import java.util.Arrays;
        import java.util.Optional;
        import java.util.Set;

        /** What somebody is for. Generated from {@code contracts/vocabulary/permissions.yaml}. */
        public enum Role {
        %s;

          private final String wireName;
          private final Set<Permission> permissions;

          Role(String wireName, Permission... permissions) {
            this.wireName = wireName;
            this.permissions = Set.of(permissions);
          }

          /** All that the role allows. */
          public Set<Permission> permissions() {
            return permissions;
          }

          /** The role as stored and shown. */
          public String wireName() {
            return wireName;
          }

          /** The role of that name; empty for a name that this version does not know. */
          public static Optional<Role> named(String wireName) {
            return Arrays.stream(values()).filter(one -> one.wireName.equals(wireName)).findFirst();
          }
        }
        """
        .formatted(
            roles.stream()
                .map(
                    one ->
                        ((List<?>) one.get("permissions"))
                            .stream()
                                .map(allowed -> ",\n      Permission." + constant(allowed))
                                .collect(
                                    Collectors.joining(
                                        "",
                                        constant(one) + "(\n      \"" + one.get("name") + "\"",
                                        ")")))
                .collect(Collectors.joining(",\n")));
  }

  /** With what the contract says of it above. */
  private static String constant(Map<String, Object> entry) {
    return "  /** " + entry.get("meaning") + " */\n  " + constant(entry.get("name"));
  }

  private static String constant(Object name) {
    if (!(name instanceof String text) || !text.matches(NAME)) {
      throw new IllegalArgumentException("Not a name for a vocabulary: " + name);
    }
    return text.toUpperCase(Locale.ROOT).replaceAll("[-:]", "_");
  }

  /** Only when it differs, so that nothing is compiled again without need. */
  private static void write(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
  }
}
