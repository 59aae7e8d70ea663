package io.tidemark.platform.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** Reads the contract files that lie beside the application. */
public final class Contracts {

  private static final Path FOLDER = Path.of("..", "contracts");

  private Contracts() {}

  /** A file's text. */
  public static String text(String path) {
    try {
      return Files.readString(FOLDER.resolve(path));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /** Names of the files in a folder. */
  public static List<String> files(String folder) {
    try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /** The list under a key of a YAML file. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> list(String path, String key) {
    Map<String, Object> file = new Yaml().load(text(path));
    return (List<Map<String, Object>>) file.get(key);
  }
}
