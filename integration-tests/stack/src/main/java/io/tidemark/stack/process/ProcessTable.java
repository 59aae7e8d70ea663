package io.tidemark.stack.process;

import io.tidemark.provision.ContentDigest;
import io.tidemark.stack.StackFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Finds, starts and ends the processes of one stack through pid files, so that any later launcher
 * can take over.
 *
 * <p>A pid file holds the pid, the process's start tick and the boot id: a reused pid or a reboot
 * never looks like a running component. The process writes the file itself before it becomes the
 * program, so a launcher that dies in between loses nothing.
 */
public final class ProcessTable {
  /** The shell's own name holds no blank, so field 22 is the start tick. */
  private static final String ANNOUNCE =
      "tick=$(cut -d' ' -f22 \"/proc/$$/stat\"); read -r boot < /proc/sys/kernel/random/boot_id; "
          + "echo \"$$ $tick $boot\" > \"$0.new\" && mv \"$0.new\" \"$0\" && exec \"$@\"";

  private static final long LARGEST_LOG_BYTES = 20L << 20;

  private final Path run;
  private final Path logs;

  public ProcessTable(Path run, Path logs) {
    this.run = run;
    this.logs = logs;
  }

  /** The component's process, if it runs. */
  public Optional<RunningProcess> find(String id) {
    Path file = pidFile(id);
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      String[] fields = Files.readString(file).trim().split(" ");
      if (fields.length != 3 || !fields[2].equals(bootId())) {
        return Optional.empty();
      }
      long pid = Long.parseLong(fields[0]);
      return RunningProcess.at(pid).filter(p -> p.startTick() == Long.parseLong(fields[1]));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** True when the running process was started from exactly this specification. */
  public boolean isCurrent(ProcessSpec spec) {
    Path file = fingerprintFile(spec.id());
    try {
      return Files.exists(file) && Files.readString(file).equals(fingerprint(spec));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /**
   * Starts the process detached from this one: it survives the launcher's end and its terminal's.
   */
  public void start(ProcessSpec spec) throws IOException, InterruptedException {
    Files.createDirectories(run);
    Files.createDirectories(logs);
    rotateLog(spec.id());
    Files.deleteIfExists(pidFile(spec.id()));
    Files.writeString(fingerprintFile(spec.id()), fingerprint(spec));
    List<String> command =
        new ArrayList<>(List.of("setsid", "sh", "-c", ANNOUNCE, pidFile(spec.id()).toString()));
    command.addAll(spec.command());
    Path log = logFile(spec.id());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(run.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("OTEL_") || name.startsWith("TIDEMARK_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(spec.environment());
    Process process = builder.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!Files.exists(pidFile(spec.id()))) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new StackFailure(spec.id() + " did not start; see " + log + tail(spec.id(), 10));
      }
      process.waitFor(5, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Asks the process to end and waits; kills it when its patience is over. Returns false if it had
   * to be killed.
   */
  public boolean stop(ProcessSpec spec) throws IOException, InterruptedException {
    Optional<RunningProcess> running = find(spec.id());
    if (running.isEmpty()) {
      return true;
    }
    running.get().signal(spec.stop().signal());
    boolean ended = awaitEnd(running.get(), spec.stop().patience());
    if (!ended) {
      running.get().signal("KILL");
      awaitEnd(running.get(), Duration.ofSeconds(20));
    }
    Files.deleteIfExists(pidFile(spec.id()));
    return ended;
  }

  /** kill -9, as a crash would be. Returns once the process and its children are gone. */
  public void kill(String id) throws IOException, InterruptedException {
    RunningProcess running = find(id).orElseThrow(() -> new StackFailure(id + " does not run"));
    List<ProcessHandle> children =
        ProcessHandle.of(running.pid()).stream().flatMap(ProcessHandle::descendants).toList();
    running.signal("KILL");
    children.forEach(ProcessHandle::destroyForcibly);
    if (!awaitEnd(running, Duration.ofSeconds(20))) {
      throw new StackFailure(id + " (pid " + running.pid() + ") outlived kill -9");
    }
  }

  /** Sends a signal to a process and its children, if it runs. */
  public void signal(String id, String name) throws IOException, InterruptedException {
    Optional<RunningProcess> running = find(id);
    if (running.isEmpty()) {
      return;
    }
    for (ProcessHandle child :
        ProcessHandle.of(running.get().pid()).stream()
            .flatMap(ProcessHandle::descendants)
            .toList()) {
      new ProcessBuilder("kill", "-" + name, Long.toString(child.pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
    running.get().signal(name);
  }

  /**
   * Sets the soft limit of the size of files for a process and its children, if it runs; needs no
   * rights but those over the process.
   *
   * @param bytes a number, or unlimited
   */
  public void limitFileSize(String id, String bytes) throws IOException, InterruptedException {
    Optional<RunningProcess> running = find(id);
    if (running.isEmpty()) {
      return;
    }
    // The parent first: children that it starts meanwhile inherit its limit.
    List<Long> pids = new ArrayList<>(List.of(running.get().pid()));
    ProcessHandle.of(running.get().pid()).stream()
        .flatMap(ProcessHandle::descendants)
        .forEach(child -> pids.add(child.pid()));
    for (long pid : pids) {
      Process prlimit =
          new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--fsize=" + bytes + ":")
              .redirectErrorStream(true)
              .start();
      String told = new String(prlimit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (prlimit.waitFor() != 0 && RunningProcess.at(pid).isPresent()) {
        throw new StackFailure(
            "The size of files of %s (pid %d) could not be limited: %s"
                .formatted(id, pid, told.strip()));
      }
    }
  }

  public Path logFile(String id) {
    return logs.resolve(id + ".log");
  }

  /** The last lines of the component's log, indented for a message; empty when there is none. */
  public String tail(String id, int lines) {
    Path log = logFile(id);
    try {
      if (!Files.exists(log)) {
        return "";
      }
      List<String> all = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      StringBuilder text = new StringBuilder();
      for (String line : all.subList(Math.max(0, all.size() - lines), all.size())) {
        text.append("\n    | ").append(line.length() > 220 ? line.substring(0, 220) : line);
      }
      return text.toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static boolean awaitEnd(RunningProcess process, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (process.isAlive()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return true;
  }

  private void rotateLog(String id) throws IOException {
    Path log = logFile(id);
    if (Files.exists(log) && Files.size(log) > LARGEST_LOG_BYTES) {
      Files.move(log, logs.resolve(id + ".log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path pidFile(String id) {
    return run.resolve(id + ".pid");
  }

  private Path fingerprintFile(String id) {
    return run.resolve(id + ".fingerprint");
  }

  private static String bootId() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
  }

  private static String fingerprint(ProcessSpec spec) throws IOException {
    ContentDigest digest =
        new ContentDigest()
            .add(String.join("\0", spec.command()))
            .add(new TreeMap<>(spec.environment()).toString());
    for (Path input : spec.inputs()) {
      digest.add(input);
    }
    return digest.hex();
  }
}
