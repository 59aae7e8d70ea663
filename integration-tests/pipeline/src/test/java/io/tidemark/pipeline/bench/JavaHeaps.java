package io.tidemark.pipeline.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the Java processes of a stack may take for data by their flags, and what of it they need.
 */
final class JavaHeaps {
  private static final Pattern LIMIT = Pattern.compile("(?:-Xmx|-XX:MaxDirectMemorySize=)(\\d+)m");

  /** The last line of a class histogram: objects, then bytes. */
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

  private static final int BYTES_OF_MIB = 1 << 20;

  private JavaHeaps() {}

  /**
   * Most that each process may hold in its heap and outside of it in buffers, in MiB. A process
   * whose command line has no such flag is left out.
   */
  static Map<String, Long> limits(Map<String, Long> processes) throws IOException {
    Map<String, Long> limits = new TreeMap<>();
    for (var process : processes.entrySet()) {
      byte[] line = Files.readAllBytes(Path.of("/proc/" + process.getValue() + "/cmdline"));
      limit(new String(line, StandardCharsets.UTF_8))
          .ifPresent(limit -> limits.put(process.getKey(), limit));
    }
    return limits;
  }

  static Optional<Long> limit(String commandLine) {
    Matcher flags = LIMIT.matcher(commandLine);
    return flags.results().map(flag -> Long.parseLong(flag.group(1))).reduce(Long::sum);
  }

  /**
   * What each process needs of its heap, in MiB: what is left after a collection, which this asks
   * for.
   *
   * @throws IOException a process does not answer
   */
  static Map<String, Long> live(Map<String, Long> processes)
      throws IOException, InterruptedException {
    Map<String, Long> live = new TreeMap<>();
    for (var process : processes.entrySet()) {
      live.put(process.getKey(), liveMebibytes(histogram(process.getValue())));
    }
    return live;
  }

  static long liveMebibytes(String histogram) throws IOException {
    Matcher total = TOTAL.matcher(histogram);
    if (!total.find()) {
      throw new IOException("a class histogram without a total");
    }
    return Long.parseLong(total.group(1)) / BYTES_OF_MIB;
  }

  private static String histogram(long process) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), Long.toString(process), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    asked.waitFor();
    return answer;
  }
}
