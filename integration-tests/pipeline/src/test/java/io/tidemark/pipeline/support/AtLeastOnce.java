package io.tidemark.pipeline.support;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidemark.stack.engine.DeletedTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The product with one word changed: the rollup job's sinks write at least once. No setting does
 * that, because nobody should; so the word is changed in the compiled class, in a copy of the jar.
 * What a fault test says of this product shows whether it can see a duplicate.
 */
public final class AtLeastOnce {
  private static final String SINKS = "io/tidemark/flink/io/ExactlyOnceSinks.class";
  private static final String JAR = "flink-jobs/rollup-job/target/rollup-job.jar";

  private AtLeastOnce() {}

  /** Whether this run is to show what the fault test says of such a product. */
  public static boolean isWanted() {
    return Boolean.getBoolean("faults.at-least-once");
  }

  /** A folder that looks like the checkout, but for that jar. */
  static Path checkout(Path root) throws IOException {
    Path copy = root.resolve("integration-tests/pipeline/target/at-least-once");
    DeletedTree.delete(copy);
    Files.createDirectories(copy.resolve(JAR).getParent());
    Files.createDirectories(copy.resolve(".tidemark"));
    link(root, copy, List.of("flink-jobs", ".tidemark", ".git"));
    link(root.resolve("flink-jobs"), copy.resolve("flink-jobs"), List.of("rollup-job"));
    Files.createSymbolicLink(
        copy.resolve(".tidemark/engines"), root.resolve(".tidemark/engines").toRealPath());
    Path tools = root.resolve(".tidemark/tools");
    if (Files.exists(tools)) {
      Files.createSymbolicLink(copy.resolve(".tidemark/tools"), tools.toRealPath());
    }
    Files.copy(root.resolve(JAR), copy.resolve(JAR));
    try (FileSystem jar = FileSystems.newFileSystem(copy.resolve(JAR))) {
      Path sinks = jar.getPath(SINKS);
      Files.write(sinks, changed(Files.readAllBytes(sinks)));
    }
    return copy;
  }

  private static void link(Path from, Path to, List<String> without) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        String name = entry.getFileName().toString();
        if (!without.contains(name)) {
          Files.createSymbolicLink(to.resolve(name), entry);
        }
      }
    }
  }

  /** The name of the constant that the class asks for is a text in its pool of constants. */
  private static byte[] changed(byte[] compiled) {
    byte[] exactly = text("EXACTLY_ONCE");
    byte[] atLeast = text("AT_LEAST_ONCE");
    int at = indexOf(compiled, exactly, 0);
    if (at < 0 || indexOf(compiled, exactly, at + 1) >= 0) {
      throw new IllegalStateException(SINKS + " does not name EXACTLY_ONCE once");
    }
    int after = at + exactly.length;
    return ByteBuffer.allocate(compiled.length - exactly.length + atLeast.length)
        .put(compiled, 0, at)
        .put(atLeast)
        .put(compiled, after, compiled.length - after)
        .array();
  }

  /** As class files hold texts: a tag, the length, the characters. */
  private static byte[] text(String text) {
    byte[] characters = text.getBytes(US_ASCII);
    return ByteBuffer.allocate(3 + characters.length)
        .put((byte) 1)
        .putShort((short) characters.length)
        .put(characters)
        .array();
  }

  private static int indexOf(byte[] bytes, byte[] wanted, int from) {
    for (int i = from; i <= bytes.length - wanted.length; i++) {
      if (java.util.Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }
}
