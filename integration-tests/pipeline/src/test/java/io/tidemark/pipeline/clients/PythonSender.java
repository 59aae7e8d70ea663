package io.tidemark.pipeline.clients;

import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.pipeline.support.Sender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** OpenTelemetry's SDK for Python, by integration-tests/clients/python/send_counters.py. */
final class PythonSender implements Sender {
  private static final Map<String, String> METRICS =
      Map.of("http", "first_day.python_http", "grpc", "first_day.python_grpc");

  private final Process process;
  private final Writer numbers;
  private final BufferedReader answers;
  private final Map<String, Total> sent = new LinkedHashMap<>();
  private long next = 1;

  PythonSender(RunningStack.Started stack, String key) throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("tidemark.root")).toRealPath();
    Path script = root.resolve("integration-tests/clients/python/send_counters.py");
    ProcessBuilder builder =
        new ProcessBuilder(
            python(root, script), script.toString(), METRICS.get("http"), METRICS.get("grpc"));
    for (String name : new String[] {"TIDEMARK_OTLP_HTTP", "TIDEMARK_OTLP_GRPC"}) {
      builder.environment().put(name, stack.coordinates().get(name));
    }
    builder.environment().put("TIDEMARK_KEY", key);
    builder.redirectError(stack.settings().home().resolve("python-sender.log").toFile());
    process = builder.start();
    numbers = process.outputWriter(StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static String python(Path root, Path script) throws IOException, InterruptedException {
    Process prepare =
        new ProcessBuilder(
                root.resolve("integration-tests/lake/prepare.sh").toString(),
                root.resolve(".tidemark/python/clients").toString(),
                script.resolveSibling("requirements.txt").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String told = new String(prepare.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (prepare.waitFor() != 0) {
      throw new IllegalStateException("No Python to send with; see above.");
    }
    return told.strip();
  }

  @Override
  public Map<String, Boolean> send() throws IOException {
    long value = next;
    next += 7;
    numbers.write(value + "\n");
    numbers.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("The Python sender ended; see python-sender.log");
    }
    Map<String, Boolean> taken = new LinkedHashMap<>();
    for (String told : answer.split(" ")) {
      String[] pair = told.split("=");
      boolean isTaken = pair[1].equals("SUCCESS");
      taken.put("otlp " + pair[0], isTaken);
      if (isTaken) {
        sent.merge(
            METRICS.get(pair[0]),
            new Total(value, 1),
            (before, more) -> before.and(more.sum(), more.points()));
      }
    }
    return taken;
  }

  @Override
  public Map<String, Total> sent() {
    return sent;
  }

  @Override
  public void close() throws Exception {
    numbers.close();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
