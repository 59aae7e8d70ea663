package io.tidemark.stack.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.Progress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A second start maps the classes that the first one wrote down, as long as the jar is the same.
 */
class ClassArchivesTest {
  @TempDir Path folder;

  private final List<String> told = new ArrayList<>();
  private Path jar;
  private Path archives;

  @BeforeEach
  void program() throws IOException {
    archives = folder.resolve("archives");
    jar = folder.resolve("program.jar");
    pack("v1");
  }

  @Test
  void aSecondStartUsesTheClassesOfTheFirst() throws Exception {
    assertThat(start()).contains("v1").contains("program.jar");

    assertThat(make()).isEqualTo(1);

    assertThat(start())
        .contains("v1")
        .contains("shared objects file")
        .doesNotContain("program.jar");
    assertThat(make()).isZero();
    assertThat(told).singleElement().asString().contains("program").contains("archived");
  }

  @Test
  void changedJarsAreNotAnsweredFromTheOldArchive() throws Exception {
    start();
    make();
    pack("v2");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 5_000));

    assertThat(start()).contains("v2").contains("program.jar");

    make();
    assertThat(start()).contains("v2").contains("shared objects file");
    try (var left = Files.list(archives)) {
      assertThat(left).hasSize(1);
    }
  }

  /** JDK 17 ends by SIGSEGV when it takes a class that it once generated from an archive then. */
  @Test
  void aProcessWithAnAgentRunsOnAnArchiveToo() throws Exception {
    start();
    make();
    List<String> options = new ArrayList<>(archive().options("program"));
    options.addAll(List.of("-javaagent:" + jar, "-XX:ErrorFile=" + folder.resolve("crash.log")));

    assertThat(run(options)).contains("v1");
  }

  /** As after a launcher that chose the options before the jar was built anew. */
  @Test
  void theJvmItselfRefusesAnArchiveOfOtherJars() throws Exception {
    start();
    make();
    List<String> stale = archive().options("program");
    pack("v2");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 5_000));

    assertThat(run(stale)).contains("v2").contains("program.jar");
  }

  @Test
  void listsAreMergedWithoutNumbersPartsProxiesAndForeignLoaders() throws IOException {
    Path one =
        Files.writeString(folder.resolve("a"), "# comment\njava/lang/Object id: 0\nA id: 7\n");
    Path two =
        Files.writeString(
            folder.resolve("b"),
            """
            java/lang/Object id: 0
            B id: 1
            C id: 2 super: 0 source: job.jar
            jdk/proxy2/$Proxy1 id: 3
            @lambda-form-invoker [SPECIES_RESOLVE] java.lang.invoke.BoundMethodHandle$Species_LI
            @lambda-proxy B run ()V
            D i""");

    assertThat(ClassArchives.merged(List.of(one, two)))
        .containsExactly("java/lang/Object", "A", "B", "@lambda-proxy B run ()V");
  }

  private int make() throws Exception {
    Progress progress = told::add;
    return new ClassArchives(archives, progress).make();
  }

  private ClassArchive archive() throws IOException {
    return ClassArchive.of(archives, "program", List.of(jar), List.of());
  }

  private String start() throws Exception {
    return run(archive().options("program"));
  }

  /** What the program prints, and where its class comes from. */
  private String run(List<String> options) throws Exception {
    List<String> command = new ArrayList<>(List.of(JavaCommand.java().toString()));
    command.addAll(options);
    // Folders may follow the jars.
    command.addAll(
        List.of("-XX:+UseSerialGC", "-Xlog:class+load", "-cp", jar + ":" + folder, "Program"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
    return String.join(
        "\n",
        output.lines().filter(line -> line.contains("Program ") || line.startsWith("v")).toList());
  }

  private static Manifest agent() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", "Program");
    return manifest;
  }

  private void pack(String says) throws IOException {
    Path source =
        Files.writeString(
            folder.resolve("Program.java"),
            """
            import java.lang.invoke.*;

            public class Program implements java.lang.instrument.ClassFileTransformer {
              public static void premain(String arguments, java.lang.instrument.Instrumentation jvm) {
                jvm.addTransformer(new Program());
              }

              static String join(int number, String says) {
                return says + " " + number;
              }

              public static void main(String[] arguments) throws Throwable {
                MethodHandle join = MethodHandles.lookup().findStatic(Program.class, "join",
                    MethodType.methodType(String.class, int.class, String.class));
                System.out.println((String) MethodHandles.insertArguments(join, 0, 7).invoke("SAYS"));
              }
            }
            """
                .replace("SAYS", says));
    Path classes = Files.createDirectories(folder.resolve("classes-" + says));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(code).isZero();
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, agent())) {
      entries.putNextEntry(new JarEntry("Program.class"));
      entries.write(Files.readAllBytes(classes.resolve("Program.class")));
    }
  }
}
