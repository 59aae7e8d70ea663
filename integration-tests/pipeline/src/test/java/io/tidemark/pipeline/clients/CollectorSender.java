package io.tidemark.pipeline.clients;

import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.Sender;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackIdentity.Credentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real OpenTelemetry Collector, which takes OTLP and writes to the Kafka door. Its configuration
 * is the one that the page for users shows.
 */
final class CollectorSender implements Sender {
  private static final String METRIC = "first_day.collector";
  private static final Pattern CONFIGURATION = Pattern.compile("(?s)```yaml\n(receivers:.*?)```");
  private static final Pattern REFUSAL = Pattern.compile("TOPIC_AUTHORIZATION|SASL_AUTHENTICATION");
  private static final String REFUSED_LOG_IN = "unable to initialize sasl";

  /** An organisation's environment, whose topic is written to. */
  record EnvironmentRef(String organization, String environment) {}

  private final Process process;
  private final Path log;
  private final OtlpSender sender;
  private Total sent = new Total(0, 0);
  private long next = 1;

  CollectorSender(Path binary, Path folder, String door, EnvironmentRef place, String key)
      throws IOException, InterruptedException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    log = folder.resolve("collector.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                binary.toString(),
                "--config=" + Files.writeString(folder.resolve("collector.yaml"), configuration()),
                // Several of them run on one machine.
                "--set=receivers.otlp.protocols.http.endpoint=127.0.0.1:" + port,
                "--set=service.telemetry.metrics.level=none")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Credentials credentials = StackIdentity.credentials(key);
    builder
        .environment()
        .putAll(
            Map.of(
                "TIDEMARK_KAFKA_DOOR",
                door,
                "TIDEMARK_ORGANIZATION",
                place.organization(),
                "TIDEMARK_ENVIRONMENT",
                place.environment(),
                "TIDEMARK_KEY_ID",
                credentials.id(),
                "TIDEMARK_KEY_SECRET",
                credentials.secret()));
    process = builder.start();
    Await.until(
        "a Collector on port " + port,
        Duration.ofSeconds(60),
        () -> {
          new Socket(InetAddress.getLoopbackAddress(), port).close();
          return true;
        },
        listens -> listens);
    sender = new OtlpSender("http://127.0.0.1:" + port, "");
  }

  private static String configuration() throws IOException {
    Path page =
        Path.of(System.getProperty("tidemark.root"), "docs", "reference", "kafka-producers.md");
    Matcher shown = CONFIGURATION.matcher(Files.readString(page));
    if (!shown.find()) {
      throw new IllegalStateException("No configuration of a Collector in " + page);
    }
    return shown.group(1);
  }

  @Override
  public Map<String, Boolean> send() throws Exception {
    boolean isTaken = send(METRIC, next, next + 1);
    if (isTaken) {
      sent = sent.and(2.0 * next + 1, 2);
      next += 2;
    }
    return Map.of("collector", isTaken);
  }

  /** Whether points with these values were taken; false when topic or key was refused. */
  public boolean send(String metric, long left, long right) throws Exception {
    Instant now = Instant.now();
    int toldBefore = Files.readString(log).length();
    byte[] batch =
        OtlpSender.batch(
                "collector",
                List.of(
                    new Point(metric, Map.of("hand", "left"), now, left),
                    new Point(metric, Map.of("hand", "right"), now, right)))
            .toByteArray();
    HttpResponse<byte[]> answer = sender.send(batch);
    if (answer.statusCode() == 200) {
      return true;
    }
    String why = new String(answer.body(), StandardCharsets.UTF_8);
    String told = Files.readString(log).substring(toldBefore);
    boolean isRefused =
        answer.statusCode() == 500
            ? REFUSAL.matcher(why).find()
            : answer.statusCode() == 503 && told.contains(REFUSED_LOG_IN);
    if (isRefused) {
      return false;
    }
    throw new IOException(
        "The Collector answered " + answer.statusCode() + " " + why + "\n" + told);
  }

  @Override
  public Map<String, Total> sent() {
    return Map.of(METRIC, sent);
  }

  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
