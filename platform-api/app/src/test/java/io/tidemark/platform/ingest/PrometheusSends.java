package io.tidemark.platform.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.tidemark.platform.ingest.application.BatchPublisher.Batch;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real Prometheus scrapes a target and itself and sends what it has: every sample that it stored
 * of the target has come, with its value, and none was refused. Run by {@code make
 * test-remote-write}, which builds Prometheus; the property {@code prometheus} is its binary.
 */
@ExtendWith(RunningPlatform.Extension.class)
class PrometheusSends {

  private static final int SAMPLES = 20;
  private static final Pattern STORED = Pattern.compile("\\[(\\d+(?:\\.\\d+)?),\"(\\d+)\"]");

  private final RunningPlatform platform;
  private HttpServer target;
  private Process prometheus;

  PrometheusSends(RunningPlatform platform) {
    this.platform = platform;
  }

  @BeforeEach
  void startTarget() throws IOException {
    AtomicLong scrapes = new AtomicLong();
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/metrics",
        exchange -> {
          long scrape = scrapes.incrementAndGet();
          byte[] text =
              ("# TYPE tea_cups_total counter\n# UNIT tea_cups_total cups\n"
                      + "tea_cups_total{kind=\"green\"} "
                      + scrape * scrape
                      + "\n# TYPE tea_mood gauge\ntea_mood NaN\n")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    target.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    target.stop(0);
    if (prometheus != null) {
      prometheus.destroy();
      assertThat(prometheus.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    platform.topic().reset();
  }

  @ParameterizedTest
  @ValueSource(strings = {"prometheus.WriteRequest", "io.prometheus.write.v2.Request"})
  void everySampleThatPrometheusHasComes(String message, @TempDir Path folder) throws Exception {
    URI address = start(message, folder);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(() -> stored(address).size() >= SAMPLES);
    target.stop(0);
    Map<Long, Double> stored = stored(address);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(received()).containsAllEntriesOf(stored));
    assertThat(metric(address, "prometheus_remote_storage_samples_total")).isGreaterThan(1_000);
    assertThat(metric(address, "prometheus_remote_storage_samples_failed_total")).isZero();
    assertThat(metric(address, "prometheus_remote_storage_samples_dropped_total")).isZero();
    System.out.println(message + ": " + stored.size() + " samples reconciled");
  }

  private URI start(String message, Path folder) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path configuration = folder.resolve("prometheus.yml");
    Files.writeString(
        configuration,
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        scrape_configs:
          - job_name: teapot
            static_configs: [{targets: ["127.0.0.1:%d"]}]
          - job_name: prometheus
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        remote_write:
          - url: %s
            protobuf_message: %s
            authorization: {credentials: %s}
        """
            .formatted(
                target.getAddress().getPort(),
                port,
                platform.otlp("/api/v1/write"),
                message,
                RunningPlatform.EXTRA_KEY));
    prometheus =
        new ProcessBuilder(
                System.getProperty("prometheus"),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--enable-feature=metadata-wal-records,exemplar-storage,native-histograms")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Samples that Prometheus has of the target's counter: milliseconds to value. */
  private static Map<Long, Double> stored(URI address) {
    String answer =
        Http.text(Http.get(address.resolve("/api/v1/query?query=tea_cups_total%5B1h%5D")));
    Map<Long, Double> samples = new TreeMap<>();
    for (MatchResult sample : STORED.matcher(answer).results().toList()) {
      samples.put(
          Math.round(Double.parseDouble(sample.group(1)) * 1_000),
          Double.parseDouble(sample.group(2)));
    }
    return samples;
  }

  /** A counter of Prometheus about its one remote; 0 when it has none. */
  private static double metric(URI address, String name) {
    Matcher line =
        Pattern.compile("(?m)^" + name + "\\{[^}]*} (\\S+)$")
            .matcher(Http.text(Http.get(address.resolve("/metrics"))));
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }

  private Map<Long, Double> received() throws IOException {
    Map<Long, Double> samples = new TreeMap<>();
    for (Batch batch : platform.topic().batches()) {
      for (ResourceMetrics resource :
          ExportMetricsServiceRequest.parseFrom(batch.record()).getResourceMetricsList()) {
        for (Metric metric : resource.getScopeMetrics(0).getMetricsList()) {
          if (metric.getName().equals("tea_cups_total")) {
            assertThat(resource.getResource().getAttributes(0).getValue().getStringValue())
                .isEqualTo("teapot");
            assertThat(metric.getSum().getIsMonotonic()).isTrue();
            for (NumberDataPoint point : metric.getSum().getDataPointsList()) {
              if (point.getFlags() == 0) {
                samples.put(point.getTimeUnixNano() / 1_000_000, point.getAsDouble());
              }
            }
          }
        }
      }
    }
    return samples;
  }
}
