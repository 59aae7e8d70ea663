package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code NAME=value} files that a shell can source: values are written plain and hold no blanks or
 * quotes.
 */
public final class EnvironmentFile {
  private EnvironmentFile() {}

  /** The file's pairs in order; empty when there is no file. */
  public static Map<String, String> read(Path file) {
    Map<String, String> values = new LinkedHashMap<>();
    if (!Files.exists(file)) {
      return values;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        int equals = line.indexOf('=');
        if (equals > 0 && !line.startsWith("#")) {
          values.put(line.substring(0, equals).trim(), line.substring(equals + 1).trim());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    return values;
  }

  /** Replaces the file at once, readable by its owner only. */
  public static void write(Path file, String comment, Map<String, String> values) {
    List<String> lines =
        values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
    try {
      Files.createDirectories(file.getParent());
      Path fresh =
          Files.createTempFile(
              file.getParent(),
              file.getFileName().toString(),
              ".new",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(fresh, "# " + comment + "\n" + String.join("\n", lines) + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
