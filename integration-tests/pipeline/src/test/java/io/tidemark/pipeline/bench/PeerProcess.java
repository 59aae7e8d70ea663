package io.tidemark.pipeline.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.pipeline.support.Await;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.PortPlan;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A database of one process, on loopback, that answers Prometheus' query API. */
final class PeerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than any measurement. */
  private static final String WHOLE = "[4h]";

  private final Process process;
  private final String url;
  private final PlainClient asking = new PlainClient();

  /** The command of a port. */
  @FunctionalInterface
  interface Command {
    List<String> at(int port) throws IOException;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param home emptied first; its log stays there
   * @param ready a path that answers 2xx when it is
   */
  PeerProcess(Path home, String ready, Command command) throws Exception {
    BenchFiles.delete(home);
    Files.createDirectories(home);
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    this.url = "http://127.0.0.1:" + port;
    Path log = home.resolve("log");
    this.process =
        new ProcessBuilder(new ArrayList<>(command.at(port)))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Await.until(
        "ready; its log: " + log,
        PATIENCE,
        () -> {
          if (!process.isAlive()) {
            throw new IOException("ended: " + Files.readString(log));
          }
          return !PortPlan.isFree(port) && asking.get(url + ready) != null;
        },
        isReady -> isReady);
  }

  public String url() {
    return url;
  }

  public long pid() {
    return process.pid();
  }

  public byte[] get(String path) throws IOException, InterruptedException {
    return asking.get(url + path);
  }

  /** A metric's samples added up over all series and all time; NaN-free, 0 where there are none. */
  double added(String function, String metric) throws IOException, InterruptedException {
    return ask("sum(%s_over_time({__name__=\"%s\"}%s))".formatted(function, metric, WHOLE));
  }

  private double ask(String query) throws IOException, InterruptedException {
    byte[] answer =
        asking.get(url + "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    JsonNode value = JsonHttp.JSON.readTree(answer).at("/data/result/0/value/1");
    return value.isMissingNode() ? 0 : Double.parseDouble(value.asText());
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
