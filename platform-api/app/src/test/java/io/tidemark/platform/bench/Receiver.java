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
import java.util.function.BooleanSupplier;

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

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
