package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.RunningStack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the processes of a stack have used of the CPU up to now. */
final class StackProcesses {
  private static final double TICKS_PER_SECOND = 100;
  private static final Path PROCESSES = Path.of("/proc");

  /** Fields of stat behind the name: user and system time, then those of children that ended. */
  private static final int FIRST_OF_TIMES = 11;

  private static final int LAST_OF_OWN = 12;
  private static final int LAST_WITH_ENDED = 14;
  private static final int KIB_OF_MIB = 1024;

  /** In names of threads, which the kernel cuts. */
  private static final String COMPILER = "CompilerThre";

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

  /**
   * Of each component of the stack, with its children, also those that ended, in seconds. A
   * component that does not run is left out.
   */
  Map<String, Double> ofComponents() throws IOException {
    Map<String, Double> seconds = new TreeMap<>();
    components().forEach((name, process) -> seconds.put(name, treeSeconds(process)));
    return seconds;
  }

  /** The process of each component that runs. */
  Map<String, Long> ids() throws IOException {
    Map<String, Long> ids = new TreeMap<>();
    components().forEach((component, process) -> ids.put(component, process.pid()));
    return ids;
  }

  private Map<String, ProcessHandle> components() throws IOException {
    Map<String, ProcessHandle> components = new TreeMap<>();
    Path run = stack.settings().home().resolve("run");
    try (Stream<Path> files = Files.list(run)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".pid")).toList()) {
        String name = file.getFileName().toString().replace(".pid", "");
        long pid = Long.parseLong(Files.readString(file).trim().split(" ")[0]);
        ProcessHandle.of(pid).ifPresent(process -> components.put(name, process));
      }
    }
    return components;
  }

  /** A thread of a component, or of a process that it began. */
  record ComponentThread(String component, long id, String name) {}

  /**
   * Of each thread that lives, in seconds. Names end after fifteen characters, and numbers are left
   * out of them, so that threads of one kind have one name.
   */
  Map<ComponentThread, Double> ofThreads() throws IOException {
    Map<ComponentThread, Double> seconds = new HashMap<>();
    for (var component : components().entrySet()) {
      Stream.concat(Stream.of(component.getValue()), component.getValue().descendants())
          .forEach(process -> addThreads(component.getKey(), process.pid(), seconds));
    }
    return seconds;
  }

  private static void addThreads(String component, long pid, Map<ComponentThread, Double> seconds) {
    try (Stream<Path> threads = Files.list(PROCESSES.resolve(pid + "/task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        seconds.put(
            new ComponentThread(
                component,
                Long.parseLong(thread.getFileName().toString()),
                name.replaceAll("[0-9]+", "")),
            seconds(stat));
      }
    } catch (IOException ended) {
      // What ends while it is looked at has used little since the last look.
    }
  }

  /**
   * What living threads used since an earlier look, by component, the largest first, and how much
   * of it compilers did; components that used less than a second are left out.
   */
  String spentSince(Map<ComponentThread, Double> before) throws IOException {
    Map<String, Double> all = new TreeMap<>();
    Map<String, Double> compilers = new TreeMap<>();
    ofThreads()
        .forEach(
            (thread, seconds) -> {
              double spent = seconds - before.getOrDefault(thread, 0.0);
              all.merge(thread.component(), spent, Double::sum);
              if (thread.name().contains(COMPILER)) {
                compilers.merge(thread.component(), spent, Double::sum);
              }
            });
    return all.entrySet().stream()
        .filter(each -> each.getValue() >= 1)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .map(
            each ->
                "%s %.1f (compilers %.1f)"
                    .formatted(
                        each.getKey(), each.getValue(), compilers.getOrDefault(each.getKey(), 0.0)))
        .collect(Collectors.joining(", "));
  }

  /** User and system time of one process, in seconds. */
  static double cpuSeconds(long pid) throws IOException {
    return seconds(Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("stat")));
  }

  /** The most memory that a component's own process ever held at once, in MiB. */
  long peakMemory(String id) throws IOException {
    Path pid = stack.settings().home().resolve("run").resolve(id + ".pid");
    return peakMebibytes(Long.parseLong(Files.readString(pid).trim().split(" ")[0]));
  }

  /** The most memory that a process ever held at once. */
  static long peakMebibytes(long pid) throws IOException {
    return mebibytes(pid, "VmHWM:");
  }

  private static long mebibytes(long pid, String field) throws IOException {
    Path status = PROCESSES.resolve(Long.toString(pid)).resolve("status");
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / KIB_OF_MIB)
        .findFirst()
        .orElse(0);
  }

  /**
   * What each component's own process holds now, in MiB. A component that does not run is left out.
   */
  Map<String, Long> residentMemory() throws IOException {
    Map<String, Long> resident = new TreeMap<>();
    for (var component : components().entrySet()) {
      resident.put(component.getKey(), mebibytes(component.getValue().pid(), "VmRSS:"));
    }
    return resident;
  }

  private static double treeSeconds(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
        .mapToDouble(each -> secondsWithEnded(each.pid()))
        .sum();
  }

  private static double secondsWithEnded(long pid) {
    try {
      String stat = Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("stat"));
      return ticks(stat, FIRST_OF_TIMES, LAST_WITH_ENDED) / TICKS_PER_SECOND;
    } catch (IOException ended) {
      return 0;
    }
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
      return stat.contains(COMPILER) ? seconds(stat) : 0;
    } catch (IOException ended) {
      return 0;
    }
  }

  private static double seconds(String stat) {
    return ticks(stat, FIRST_OF_TIMES, LAST_OF_OWN) / TICKS_PER_SECOND;
  }

  private static long ticks(String stat, int from, int to) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = 0;
    for (int field = from; field <= to; field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks;
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
