package io.tidemark.pipeline.clients;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.Sender;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A real Prometheus, which scrapes a target of ours and writes to the stack. */
final class PrometheusSender implements Sender {
  private static final String METRIC = "first_day_prometheus";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final JsonHttp http = new JsonHttp();
  private final HttpServer target;
  private final Process process;
  private final String address;
  private final AtomicLong shown = new AtomicLong();
  private Total sent = new Total(0, 0);
  private long next = 1;

  PrometheusSender(Path binary, Path folder, String door, String key)
      throws IOException, InterruptedException {
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/metrics",
        exchange -> {
          long value = shown.getAndSet(0);
          byte[] text =
              (value == 0 ? "" : METRIC + " " + value + "\n").getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, text.length == 0 ? -1 : text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    target.start();
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    address = "http://127.0.0.1:" + port;
    Path configuration = folder.resolve("prometheus.yml");
    Files.writeString(
        configuration,
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        scrape_configs:
          - job_name: first-day
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        remote_write:
          - url: %s/api/v1/write
            authorization: {credentials: %s}
            write_relabel_configs:
              - {source_labels: [__name__], regex: %s, action: keep}
            queue_config: {batch_send_deadline: 500ms}
        """
            .formatted(target.getAddress().getPort(), door, key, METRIC));
    process =
        new ProcessBuilder(
                binary.toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    // What it stored before it looks for things to send is never sent.
    Await.until(
        "a Prometheus that looks for samples to send",
        PATIENCE,
        () -> own("prometheus_remote_storage_samples_dropped_total"),
        dropped -> dropped > 0);
  }

  /**
   * Shows a value to one scrape, and waits until its sample and the marker that it is gone were
   * sent.
   */
  @Override
  public Map<String, Boolean> send() throws Exception {
    double attempted = own("prometheus_remote_storage_samples_total");
    double failed = own("prometheus_remote_storage_samples_failed_total");
    long value = next++;
    shown.set(value);
    Await.until(
        "both samples of " + value,
        PATIENCE,
        () ->
            own("prometheus_remote_storage_samples_total")
                - attempted
                - own("prometheus_remote_storage_samples_pending"),
        done -> done >= 2);
    boolean isTaken = own("prometheus_remote_storage_samples_failed_total") == failed;
    if (isTaken) {
      sent = sent.and(value, 1);
    }
    return Map.of("prometheus", isTaken);
  }

  @Override
  public Map<String, Total> sent() {
    return Map.of(METRIC, sent);
  }

  private double own(String metric) throws Exception {
    for (String line : http.get(address + "/metrics").text().split("\n")) {
      if (line.startsWith(metric + "{") || line.startsWith(metric + " ")) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return 0;
  }

  @Override
  public void close() throws Exception {
    target.stop(0);
    process.destroy();
    process.waitFor(30, TimeUnit.SECONDS);
  }
}
