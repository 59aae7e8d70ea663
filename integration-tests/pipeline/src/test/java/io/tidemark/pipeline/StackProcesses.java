package io.tidemark.pipeline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the processes of a stack have used of the CPU up to now. */
final class StackProcesses {
  private static final double TICKS_PER_SECOND = 100;
  private static final Path PROCESSES = Path.of("/proc");

  private final RunningStack.Started stack;
  private final Map<String, Path> found = new HashMap<>();

  StackProcesses(RunningStack.Started stack) {
    this.stack = stack;
  }

  /** Of whole processes, in seconds. */
  double cpuSeconds(List<String> ids) throws IOException {
    double seconds = 0;
    for (String id : ids) {
      seconds += seconds(Files.readString(of(id).resolve("stat")));
    }
    return seconds;
  }

  /** Of their compilers' threads, as far as they live, in seconds. */
  double compilerSeconds(List<String> ids) throws IOException {
    double seconds = 0;
    for (String id : ids) {
      try (Stream<Path> threads = Files.list(of(id).resolve("task"))) {
        for (Path thread : threads.toList()) {
          seconds += compilerSeconds(thread);
        }
      }
    }
    return seconds;
  }

  private static double compilerSeconds(Path thread) throws IOException {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.contains("CompilerThre") ? seconds(stat) : 0;
    } catch (IOException ended) {
      return 0;
    }
  }

  private static double seconds(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Its folder below /proc; the stack's own by the folder that it writes to. */
  private Path of(String id) throws IOException {
    Path known = found.get(id);
    if (known == null) {
      String mark = "-Djava.io.tmpdir=" + stack.settings().data(id).resolve("tmp");
      try (Stream<Path> all = Files.list(PROCESSES)) {
        Optional<Path> process =
            all.filter(path -> path.getFileName().toString().matches("\\d+"))
                .filter(path -> isMeant(path, mark))
                .findFirst();
        known = process.orElseThrow(() -> new IOException("no " + id));
      }
      found.put(id, known);
    }
    return known;
  }

  private static boolean isMeant(Path process, String mark) {
    try {
      byte[] line = Files.readAllBytes(process.resolve("cmdline"));
      return List.of(new String(line, StandardCharsets.UTF_8).split("\0")).contains(mark);
    } catch (IOException gone) {
      return false;
    }
  }
}
