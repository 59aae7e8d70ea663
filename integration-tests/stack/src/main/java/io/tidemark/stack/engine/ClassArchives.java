package io.tidemark.stack.engine;

import io.tidemark.stack.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes the class data archives of one stack from the classes that its processes have written down.
 * An archive that is missing costs the next start time and nothing else.
 */
public final class ClassArchives {
  private static final String GENERATED_SPECIES = "[SPECIES_RESOLVE]";

  private final Path folder;
  private final Progress progress;

  /**
   * @param folder holds a folder for each archive
   */
  public ClassArchives(Path folder, Progress progress) {
    this.folder = folder;
    this.progress = progress;
  }

  /** Whether there are lists without an archive. */
  public boolean isAnyMissing() throws IOException {
    return !missing().isEmpty();
  }

  /** Makes what is missing, one after the other, at the lowest priority. Returns how many. */
  public int make() throws IOException, InterruptedException {
    int made = 0;
    for (Path each : missing()) {
      made += make(each) ? 1 : 0;
    }
    return made;
  }

  private boolean make(Path one) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path list = one.resolve("list");
    Path fresh = one.resolve(ClassArchive.ARCHIVE + ".new");
    Path log = one.resolve("log");
    Files.write(list, merged(lists(one)));
    ProcessBuilder dump =
        new ProcessBuilder(
            "nice",
            "-n",
            "19",
            JavaCommand.java().toString(),
            "-Xshare:dump",
            "-Xmx512m",
            // The only collector that writes the heap's part; the others read it.
            "-XX:+UseG1GC",
            "-XX:TieredStopAtLevel=1",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + fresh);
    dump.environment().put("CLASSPATH", Files.readString(one.resolve(ClassArchive.CLASSPATH)));
    dump.environment().remove("JAVA_TOOL_OPTIONS");
    int code = dump.redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
    boolean isMade = code == 0 && Files.exists(fresh);
    if (isMade) {
      Files.move(fresh, one.resolve(ClassArchive.ARCHIVE), StandardCopyOption.ATOMIC_MOVE);
      deleteOlder(one);
    }
    progress.line(
        "  classes of %-17s %-18s %5.1f s"
                .formatted(
                    engine(one),
                    isMade ? "archived" : "not archived",
                    (System.nanoTime() - begin) / 1e9)
            + (isMade ? "" : "  see " + log));
    return isMade;
  }

  /**
   * Each line once, in the order of the lists. Left out are classes of loaders of their own, whose
   * jars come and go, and proxies, which are in no jar. So are species of method handles: the JVM
   * generates them, and with an agent loaded JDK 17 ends by SIGSEGV when it maps one.
   */
  static Set<String> merged(List<Path> lists) throws IOException {
    Set<String> merged = new LinkedHashSet<>();
    for (Path list : lists) {
      String text = Files.readString(list, StandardCharsets.UTF_8);
      // The process may still write: its last line may be a part.
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.contains(" source: "))
          .filter(line -> line.startsWith("@") || !line.contains("$Proxy"))
          .filter(line -> !line.contains(GENERATED_SPECIES))
          // Numbers differ between processes, and only classes of such loaders refer to them.
          .map(line -> line.startsWith("@") ? line : line.replaceAll(" id: \\d+$", ""))
          .forEach(merged::add);
    }
    return merged;
  }

  private List<Path> missing() throws IOException {
    List<Path> missing = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> all = Files.list(folder)) {
        for (Path one : all.sorted().toList()) {
          if (Files.exists(one.resolve(ClassArchive.CLASSPATH))
              && !Files.exists(one.resolve(ClassArchive.ARCHIVE))
              && !lists(one).isEmpty()) {
            missing.add(one);
          }
        }
      }
    }
    return missing;
  }

  private static List<Path> lists(Path one) throws IOException {
    try (Stream<Path> files = Files.list(one)) {
      return files.filter(file -> file.toString().endsWith(ClassArchive.LIST)).sorted().toList();
    }
  }

  /** Processes that run on an archive keep it until they end. */
  private void deleteOlder(Path one) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path other : all.toList()) {
        if (!other.equals(one) && engine(other).equals(engine(one))) {
          DeletedTree.delete(other);
        }
      }
    }
  }

  private static String engine(Path one) {
    return one.getFileName().toString().replaceAll("-[0-9a-f]{16}$", "");
  }
}
