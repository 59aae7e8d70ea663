package io.tidemark.flink.alert.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.xerial.snappy.Snappy;

/**
 * A Prometheus that has the samples and evaluates the rules again and again. What is measured is
 * the time of its process while nothing is sent to it.
 */
final class RulerRun implements AutoCloseable {

  /** Samples are looked back for five minutes; a run is over before. */
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Groups are evaluated beside each other, as many as a careful operator would make. */
  private static final int GROUPS = 20;

  private static final int SERIES_PER_REQUEST = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BenchLoad load;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final String address;

  RulerRun(BenchLoad load, Path binary, Path folder) throws Exception {
    this.load = load;
    Files.createDirectories(folder);
    Path rules = folder.resolve("rules.yaml");
    Path configuration = folder.resolve("prometheus.yaml");
    // Rules are read when the samples are there: a round without them would be none.
    Files.writeString(rules, "groups: []\n");
    Files.writeString(
        configuration,
        "global:\n  evaluation_interval: %ds\nrule_files: [\"%s\"]\n"
            .formatted(INTERVAL.toSeconds(), rules.toAbsolutePath()));
    address = "127.0.0.1:" + freePort();
    process =
        new ProcessBuilder(
                binary.toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=" + address,
                "--web.enable-lifecycle",
                "--web.enable-remote-write-receiver")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    await("ready", () -> get("/-/ready").statusCode() == 200);
    send();
    Files.writeString(rules, load.prometheusRules(GROUPS));
    if (post("/-/reload", new byte[0]).statusCode() != 200) {
      throw new IOException("Prometheus refuses the rules; see prometheus.log");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void send() throws IOException {
    long now = System.currentTimeMillis();
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    int[] waiting = {0};
    load.samples(
        (labels, value) -> {
          try {
            byte[] series = series(labels, value, now);
            CodedOutputStream out = CodedOutputStream.newInstance(request);
            out.writeByteArray(1, series);
            out.flush();
            if (++waiting[0] % SERIES_PER_REQUEST == 0) {
              write(request);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    write(request);
  }

  private void write(ByteArrayOutputStream request) throws IOException {
    if (request.size() > 0) {
      HttpResponse<String> answer = post("/api/v1/write", Snappy.compress(request.toByteArray()));
      if (answer.statusCode() / 100 != 2) {
        throw new IOException("Prometheus refuses samples: " + answer.body());
      }
      request.reset();
    }
  }

  /** A TimeSeries of remote write 1.0; labels in the order of their names. */
  private static byte[] series(String[] labels, double value, long now) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(1, label("__name__", labels[0]));
    out.writeByteArray(1, label("host", labels[2]));
    out.writeByteArray(1, label("queue", labels[1]));
    ByteArrayOutputStream sample = new ByteArrayOutputStream();
    CodedOutputStream figures = CodedOutputStream.newInstance(sample);
    figures.writeDouble(1, value);
    figures.writeInt64(2, now);
    figures.flush();
    out.writeByteArray(2, sample.toByteArray());
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] label(String name, String value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeString(1, name);
    out.writeString(2, value);
    out.flush();
    return bytes.toByteArray();
  }

  /** What was spent between two moments. */
  record Spent(long cpuNanos, double evaluations) {}

  /** Lets the ruler work until it has evaluated all rules as often as asked for. */
  Spent rounds(int warmUp, int rounds) throws IOException {
    double begin = ruleEvaluations();
    await("warm", () -> ruleEvaluations() - begin >= (double) warmUp * load.rules());
    double rulesBefore = ruleEvaluations();
    long before = cpu();
    await("measured", () -> ruleEvaluations() - rulesBefore >= (double) rounds * load.rules());
    long spent = cpu() - before;
    double evaluated = ruleEvaluations() - rulesBefore;
    return new Spent(spent, evaluated * ((double) load.evaluations() / load.rules()));
  }

  private double ruleEvaluations() {
    Matcher lines =
        Pattern.compile("(?m)^prometheus_rule_evaluations_total\\{[^}]*\\} (\\S+)$")
            .matcher(get("/metrics").body());
    double all = 0;
    while (lines.find()) {
      all += Double.parseDouble(lines.group(1));
    }
    return all;
  }

  /** Alerts that are firing. */
  long firing() throws IOException {
    JsonNode alerts = JSON.readTree(get("/api/v1/alerts").body()).path("data").path("alerts");
    long firing = 0;
    for (JsonNode alert : alerts) {
      firing += alert.path("state").asText().equals("firing") ? 1 : 0;
    }
    return firing;
  }

  private long cpu() {
    return process.info().totalCpuDuration().orElseThrow().toNanos();
  }

  private HttpResponse<String> get(String path) {
    return call(HttpRequest.newBuilder(URI.create("http://" + address + path)).build());
  }

  private HttpResponse<String> post(String path, byte[] body) {
    return call(
        HttpRequest.newBuilder(URI.create("http://" + address + path))
            .header("Content-Type", "application/x-protobuf")
            .header("Content-Encoding", "snappy")
            .header("X-Prometheus-Remote-Write-Version", "0.1.0")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build());
  }

  private HttpResponse<String> call(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private void await(String what, BooleanSupplier condition) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      if (!process.isAlive()) {
        throw new IOException("Prometheus ended; see prometheus.log");
      }
      try {
        if (condition.getAsBoolean()) {
          return;
        }
      } catch (UncheckedIOException notYet) {
        // It does not listen yet.
      }
      if (System.nanoTime() > end) {
        throw new IOException("Prometheus is not " + what + " in time");
      }
      try {
        // Each look reads its metrics, which it spends time on.
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      }
    }
  }

  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
