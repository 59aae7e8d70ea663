package io.tidemark.pipeline.bench;

import io.tidemark.pipeline.support.Await;
import io.tidemark.stack.PortPlan;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** VictoriaMetrics of the Debian package, on loopback, with a data folder of its own. */
final class VictoriaMetrics implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final String url;

  /**
   * Starts it.
   *
   * @param home emptied first
   */
  VictoriaMetrics(Path binary, Path home) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Path data = home.resolve("data");
    BenchFiles.delete(data);
    Files.createDirectories(data);
    this.url = "http://127.0.0.1:" + port;
    this.process =
        new ProcessBuilder(
                List.of(
                    binary.toString(),
                    "-storageDataPath=" + data,
                    "-httpListenAddr=127.0.0.1:" + port,
                    "-retentionPeriod=1d"))
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("log").toFile())
            .start();
    Await.until("VictoriaMetrics", PATIENCE, () -> !PortPlan.isFree(port), open -> open);
  }

  public String url() {
    return url;
  }

  /** Takes lines of Prometheus' text format with times, and makes them visible. */
  public void take(PlainClient asking, String lines) throws IOException, InterruptedException {
    asking.post(url + "/api/v1/import/prometheus", "text/plain", "", lines);
    asking.get(url + "/internal/force_flush");
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
