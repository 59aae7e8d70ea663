package io.tidemark.stack.engine;

import io.tidemark.provision.ContentDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The class data archive of all processes on one classpath: they map its classes instead of
 * reading, parsing and verifying them in jars. Without an archive a process writes down the classes
 * that it loads, of which {@link ClassArchives} makes one.
 *
 * <p>Each state of the jars has a folder of its own, so that an archive of other jars is not even
 * offered. The JVM compares names, sizes and times of the jars again, and runs without an archive
 * that does not fit.
 *
 * @param folder holds classpath, lists of classes and archive
 * @param jars the classpath's beginning; folders may come after it
 */
record ClassArchive(Path folder, List<Path> jars) {
  static final String CLASSPATH = "classpath";

  /** Changes with what {@link ClassArchives#merged} leaves out: older archives are used no more. */
  private static final String RULES_OF_LISTS = "without generated species";

  static final String ARCHIVE = "classes.jsa";

  /** What the name of a list of classes ends with. */
  static final String LIST = ".classes";

  ClassArchive {
    jars = List.copyOf(jars);
  }

  /**
   * The archive of these jars as they are now.
   *
   * @param archives holds all archives of a stack
   * @param name of the engine
   * @param also files whose change makes other classes: those that the jars name in turn
   */
  static ClassArchive of(Path archives, String name, List<Path> jars, List<Path> also)
      throws IOException {
    ContentDigest digest =
        new ContentDigest().add(RULES_OF_LISTS).add(System.getProperty("java.vm.version"));
    for (List<Path> files : List.of(jars, also)) {
      for (Path file : files) {
        digest
            .add(file.toString())
            .add(Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis());
      }
    }
    return new ClassArchive(archives.resolve(name + "-" + digest.hex().substring(0, 16)), jars);
  }

  /**
   * Options of the JVM for the next start of a component: to use the archive, or to write down what
   * it is to be made of.
   */
  List<String> options(String component) throws IOException {
    Path archive = folder.resolve(ARCHIVE);
    if (Files.exists(archive)) {
      return List.of("-XX:SharedArchiveFile=" + archive);
    }
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve(CLASSPATH), String.join(":", jars.stream().map(Path::toString).toList()));
    return List.of("-XX:DumpLoadedClassList=" + folder.resolve(component + LIST));
  }
}
