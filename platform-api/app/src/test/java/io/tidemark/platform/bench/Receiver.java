package io.tidemark.platform.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A process under measurement, or one that it needs. */
final class Receiver implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final double TICKS_PER_SECOND = 100;

  private final String name;
  private final Process process;

  private Receiver(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** Starts and waits until it is ready. */
  static Receiver start(
      String name,
      List<String> command,
      Map<String, String> environment,
      Path log,
      BooleanSupplier isReady)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.redirectOutput(log.toFile());
    Receiver receiver = new Receiver(name, builder.start());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isReady.getAsBoolean()) {
      if (!receiver.process.isAlive() || System.nanoTime() > deadline) {
        receiver.close();
        throw new IllegalStateException(name + " is not ready:\n" + Files.readString(log));
      }
      Thread.sleep(200);
    }
    return receiver;
  }

  String name() {
    return name;
  }

  /** User and system time of the process and its threads so far, in seconds. */
  double cpuSeconds() {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  /** The same by threads of a kind, numbers left out of their names; only of threads that live. */
  Map<String, Double> cpuSecondsByThreads() {
    Map<String, Double> seconds = new TreeMap<>();
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        seconds.merge(
            name.replaceAll("[0-9]+", "#"),
            (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND,
            Double::sum);
      }
    } catch (IOException ended) {
      throw new UncheckedIOException(ended);
    }
    return seconds;
  }

  /** What the JIT compiler of a JVM took so far, in seconds; only of its threads that live. */
  double compilerSeconds() {
    return cpuSecondsByThreads().entrySet().stream()
        .filter(thread -> thread.getKey().contains("CompilerThre"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    // In peace, so that a flight recording is written.
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException stop) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
