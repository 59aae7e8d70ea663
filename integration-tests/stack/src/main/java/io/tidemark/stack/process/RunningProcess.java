package io.tidemark.stack.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process of this machine, told apart from a later one with the same pid by its start tick.
 *
 * @param pid process id
 * @param startTick field 22 of {@code /proc/<pid>/stat}: clock ticks after boot
 */
public record RunningProcess(long pid, long startTick) {

  /** The live process with this pid; a zombie counts as ended. */
  public static Optional<RunningProcess> at(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The second field is the program's name in brackets and may hold blanks.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      // The main thread of a killed process ends first; until the others have, its ports stay
      // bound.
      boolean threadsLeft = Integer.parseInt(fields[17]) > 1;
      if (fields[0].equals("X") || (fields[0].equals("Z") && !threadsLeft)) {
        return Optional.empty();
      }
      return Optional.of(new RunningProcess(pid, Long.parseLong(fields[19])));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public boolean isAlive() {
    return at(pid).filter(this::equals).isPresent();
  }

  /** True when it was stopped by a signal: it holds its ports and answers nothing. */
  public boolean isSuspended() {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).startsWith("T");
    } catch (IOException e) {
      return false;
    }
  }

  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** When it started, by the process table. */
  public Optional<Instant> since() {
    return ProcessHandle.of(pid).flatMap(handle -> handle.info().startInstant());
  }

  /**
   * Resident bytes of the process and its children, shared pages divided among those who share
   * them.
   */
  public long residentBytes() {
    long total = residentBytes(pid);
    List<Long> children =
        ProcessHandle.of(pid)
            .map(ProcessHandle::descendants)
            .orElse(Stream.empty())
            .map(ProcessHandle::pid)
            .toList();
    for (long child : children) {
      total += residentBytes(child);
    }
    return total;
  }

  private static long residentBytes(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
        if (line.startsWith("Pss:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      // Processes in another user namespace may be closed to us: fall through to the plain figure.
    }
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
    } catch (IOException e) {
      return 0;
    }
    return 0;
  }
}
