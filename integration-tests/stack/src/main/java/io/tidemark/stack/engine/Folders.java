package io.tidemark.stack.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;

/**
 * Preparation that several engines share: folders, and configuration files with this machine's
 * addresses added.
 */
final class Folders {
  private Folders() {}

  static void create(Path... folders) throws IOException {
    for (Path folder : folders) {
      Files.createDirectories(folder);
    }
  }

  /** Replaces a file that only its owner may read. */
  static void writePrivate(Path target, String text) throws IOException {
    Path fresh =
        Files.createTempFile(
            target.getParent(),
            target.getFileName().toString(),
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text);
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes the base file followed by the overrides; in properties files the last line wins. */
  static void writeProperties(Path base, Properties overrides, Path target) throws IOException {
    StringBuilder text = new StringBuilder(Files.readString(base));
    text.append("\n# Added for this machine.\n");
    overrides.stringPropertyNames().stream()
        .sorted()
        .forEach(
            name -> text.append(name).append('=').append(overrides.getProperty(name)).append('\n'));
    Files.createDirectories(target.getParent());
    Files.writeString(target, text);
  }
}
