package io.tidemark.flink.rollup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A {@link BenchWorker} and what it uses of the machine. */
final class FlinkProcess implements AutoCloseable {

  private static final double TICKS_PER_SECOND = 100;

  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

  /** As the stack opens them for its TaskManager. */
  private static final List<String> OPENED =
      List.of(
          "java.lang",
          "java.net",
          "java.io",
          "java.nio",
          "sun.nio.ch",
          "java.lang.reflect",
          "java.text",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.concurrent.locks");

  private final Process process;
  private final Path checkpoints;
  private final BufferedReader answers;
  private final BufferedWriter orders;
  private final FlinkRest rest;

  private FlinkProcess(Process process, Path checkpoints) throws IOException {
    this.process = process;
    this.checkpoints = checkpoints;
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    this.orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
    this.rest = new FlinkRest(Integer.parseInt(answer(BenchWorker.READY)));
  }

  /**
   * @param root folder of the repository
   * @param folder for logs and checkpoints
   * @param heapMiB heap
   * @param managedMiB RocksDB and buffers of SQL
   */
  static FlinkProcess start(Path root, Path folder, String name, int heapMiB, int managedMiB)
      throws IOException {
    Path checkpoints = Files.createDirectories(folder.resolve(name + "-checkpoints"));
    Path temporary = Files.createDirectories(folder.resolve(name + "-tmp"));
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    // Both, as Flink's own scripts: a heap that grows collects everything whenever it does.
    command.add("-Xms" + heapMiB + "m");
    command.add("-Xmx" + heapMiB + "m");
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:MaxMetaspaceSize=256m",
            "-XX:MaxDirectMemorySize=320m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dbench.root=" + root,
            "-Djava.io.tmpdir=" + temporary));
    for (String opened : OPENED) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of(System.getProperty("bench.jvm", "").strip().split(" +")));
    command.removeIf(String::isEmpty);
    command.addAll(
        List.of(
            BenchWorker.class.getName(),
            root.resolve("infra/flink").toString(),
            checkpoints.toString(),
            Integer.toString(managedMiB)));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    File log = folder.resolve(name + ".log").toFile();
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log));
    return new FlinkProcess(builder.start(), checkpoints);
  }

  FlinkRest rest() {
    return rest;
  }

  /** Starts a run; returns the job's id. */
  String order(RunOrder order) throws IOException {
    orders.write(order.line());
    orders.newLine();
    orders.flush();
    return answer(BenchWorker.JOB);
  }

  void awaitEnd() throws IOException {
    answer(BenchWorker.DONE);
  }

  /** User and system time of the process so far, seconds. */
  double cpuSeconds() throws IOException {
    return cpuSeconds(Path.of("/proc/" + process.pid()));
  }

  /**
   * The same without the threads that compile: how long they work depends on what ran before, and
   * they go on when a run has ended.
   */
  double cpuSecondsWithoutCompilers() throws IOException {
    double seconds = cpuSeconds();
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path thread : threads.toList()) {
        try {
          if (COMPILER.matcher(Files.readString(thread.resolve("comm"))).lookingAt()) {
            seconds -= cpuSeconds(thread);
          }
        } catch (NoSuchFileException e) {
          // It ended; those that compile never do.
        }
      }
    }
    return seconds;
  }

  private static double cpuSeconds(Path place) throws IOException {
    String stat = Files.readString(place.resolve("stat"));
    // The name, field 2, may hold spaces; it ends with the last bracket.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Most memory that the process ever had, MiB. */
  long peakMemoryMiB() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    throw new IllegalStateException("The process tells no memory");
  }

  /** As {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** The latest complete checkpoint of a job of this process, dead or alive. */
  String latestCheckpoint(String job) throws IOException {
    try (Stream<Path> folders = Files.list(checkpoints.resolve(job))) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("_metadata")))
          .max(
              java.util.Comparator.comparingLong(
                  folder -> Long.parseLong(folder.getFileName().toString().substring(4))))
          .orElseThrow(() -> new IllegalStateException("No checkpoint was completed"))
          .toUri()
          .toString();
    }
  }

  /** Orderly, so that a flight recording is written; not for long. */
  @Override
  public void close() {
    try {
      orders.close();
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (IOException e) {
      // It was killed before.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  /** What follows the expected word; other lines come from options of the JVM. */
  private String answer(String expected) throws IOException {
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(expected)) {
        return line.substring(expected.length());
      }
    }
    throw new IllegalStateException("The Flink process ended before " + expected + "; see its log");
  }
}
