package io.tidemark.pipeline.support;

import io.tidemark.stack.engine.DeletedTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A folder that looks like the checkout, but for some files: the next version of it. */
public final class ChangedCheckout {
  private ChangedCheckout() {}

  /**
   * Makes it anew.
   *
   * @param changes of texts, by path below the root
   */
  public static Path of(Path root, Path copy, Map<String, UnaryOperator<String>> changes)
      throws IOException {
    DeletedTree.delete(copy);
    Files.createDirectories(copy);
    link(root, copy);
    for (Map.Entry<String, UnaryOperator<String>> change : changes.entrySet()) {
      Path relative = Path.of(change.getKey());
      for (int depth = 1; depth < relative.getNameCount(); depth++) {
        Path folder = relative.subpath(0, depth);
        if (Files.isSymbolicLink(copy.resolve(folder))) {
          Files.delete(copy.resolve(folder));
          Files.createDirectory(copy.resolve(folder));
          link(root.resolve(folder), copy.resolve(folder));
        }
      }
      String before = Files.readString(root.resolve(relative));
      String after = change.getValue().apply(before);
      if (after.equals(before)) {
        throw new IllegalStateException("Nothing was changed in " + relative);
      }
      Files.delete(copy.resolve(relative));
      Files.writeString(copy.resolve(relative), after);
    }
    return copy;
  }

  private static void link(Path from, Path to) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
      }
    }
  }
}
