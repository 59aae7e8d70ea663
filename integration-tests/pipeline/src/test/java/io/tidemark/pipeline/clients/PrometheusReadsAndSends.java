package io.tidemark.pipeline.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes what the stack exports, and another one sends by remote write and is
 * read back: the figures are the same. Run by {@code make test-clients}, which builds Prometheus;
 * the property {@code prometheus} is its binary.
 */
@ExtendWith(RunningStack.class)
class PrometheusReadsAndSends {

  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final long MINUTE = 60_000;
  private static final int MINUTES = 3;

  private final RunningStack.Started stack = RunningStack.get();
  private final String api = stack.coordinates().get("TIDEMARK_URL");
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Process prometheus;

  @AfterEach
  public void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      assertThat(prometheus.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Discovers its targets by HTTP, scrapes them, and has each minute as it was sent. */
  @Test
  void whatIsScrapedIsWhatWasSent(@TempDir Path folder) throws Exception {
    URI address =
        start(
            folder,
            """
            global: {scrape_interval: 5s, scrape_timeout: 4s}
            scrape_configs:
              - job_name: tidemark
                honor_labels: true
                honor_timestamps: true
                authorization: {credentials: %1$s}
                http_sd_configs:
                  - url: %2$s/v2/metrics/cloud/discovery?resource_type=kafka
                    refresh_interval: 5s
                    authorization: {credentials: %1$s}
            """
                .formatted(stack.keys().get("org-late"), api));
    OtlpSender sender =
        new OtlpSender(
            stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization("org-late"));
    NavigableMap<Long, Double> sent = new TreeMap<>();
    AtomicLong number = new AtomicLong();
    Await.until(
        "scraped minutes",
        PATIENCE,
        () -> {
          Instant now = Instant.now();
          long value = number.incrementAndGet();
          var batch =
              OtlpSender.batch(
                  "unused", List.of(new Point("scraped.cups", Map.of("a", "b"), now, value)))
                  .toBuilder();
          batch
              .getResourceMetricsBuilder(0)
              .setResource(OtlpSender.resource("kafka", "lkc-scraped"));
          assertThat(sender.send(batch.build().toByteArray()).statusCode()).isEqualTo(200);
          sent.merge(minute(now.toEpochMilli()), (double) value, Double::sum);
          return samples(address, "scraped_cups{a=\"b\",kafka_id=\"lkc-scraped\"}");
        },
        scraped -> scraped.size() >= MINUTES);
    Map<Long, Double> scraped = samples(address, "scraped_cups{a=\"b\",kafka_id=\"lkc-scraped\"}");
    assertThat(scraped).hasSizeGreaterThanOrEqualTo(MINUTES);
    assertThat(sent).containsAllEntriesOf(scraped);
    assertThat(
            samples(address, "confluent_scrape_resource_access_error{resource_id=\"lkc-scraped\"}")
                .values())
        .isNotEmpty()
        .containsOnly(0.0);
    System.out.println("scraped " + scraped + " of " + sent);
  }

  /**
   * Sends what it scrapes; the read API says of every whole minute what Prometheus' samples say.
   */
  @Test
  void whatIsSentByRemoteWriteIsReadBack(@TempDir Path folder) throws Exception {
    AtomicLong scrapes = new AtomicLong();
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/metrics",
        exchange -> {
          long scrape = scrapes.incrementAndGet();
          byte[] text =
              ("# TYPE tea_cups_total counter\ntea_cups_total{kind=\"green\"} "
                      + scrape * scrape
                      + "\n# TYPE tea_level gauge\ntea_level "
                      + Math.sin(scrape)
                      + "\n# TYPE tea_seconds histogram\ntea_seconds_bucket{le=\"1\"} "
                      + scrape
                      + "\ntea_seconds_bucket{le=\"2\"} "
                      + 3 * scrape
                      + "\ntea_seconds_bucket{le=\"+Inf\"} "
                      + 4 * scrape
                      + "\ntea_seconds_sum "
                      + 5.5 * scrape
                      + "\ntea_seconds_count "
                      + 4 * scrape
                      + "\n")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    target.start();
    URI address =
        start(
            folder,
            """
            global: {scrape_interval: 2s, scrape_timeout: 2s}
            scrape_configs:
              - job_name: teapot
                static_configs: [{targets: ["127.0.0.1:%d"]}]
            remote_write:
              - url: %s/api/v1/write
                protobuf_message: io.prometheus.write.v2.Request
                authorization: {credentials: %s}
            """
                .formatted(
                    target.getAddress().getPort(),
                    stack.coordinates().get("TIDEMARK_OTLP_HTTP"),
                    stack.keys().get("org-late")));
    try {
      Await.until(
          "whole minutes of samples",
          PATIENCE,
          () -> samples(address, "tea_cups_total"),
          samples -> wholeMinutes(samples).size() >= MINUTES);
    } finally {
      target.stop(0);
    }
    NavigableMap<Long, Double> cups = samples(address, "tea_cups_total");
    NavigableMap<Long, Double> grown = new TreeMap<>();
    NavigableMap<Long, Double> level = new TreeMap<>();
    NavigableMap<Long, Double> levels = samples(address, "tea_level");
    for (long minute : wholeMinutes(cups)) {
      long end = minute + MINUTE;
      grown.put(end, cups.lowerEntry(end).getValue() - cups.lowerEntry(minute).getValue());
      level.put(end, levels.lowerEntry(end).getValue());
    }
    String selector =
        "{job=\"teapot\",instance=\"127.0.0.1:" + target.getAddress().getPort() + "\"}";
    assertSame("increase(tea_cups_total" + selector + "[1m])", grown);
    assertSame("tea_level" + selector, level);
    NavigableMap<Long, Double> median = new TreeMap<>();
    grown.keySet().forEach(end -> median.put(end, 1.5));
    assertSame(
        "histogram_quantile(0.5, sum by (le) (rate(tea_seconds_bucket" + selector + "[1m])))",
        median);
    System.out.println("sent and read back: " + grown + " " + level);
  }

  /** Minutes with a sample before them and one behind them. */
  private static List<Long> wholeMinutes(NavigableMap<Long, Double> samples) {
    return samples.keySet().stream()
        .map(PrometheusReadsAndSends::minute)
        .distinct()
        .filter(minute -> samples.lowerKey(minute) != null)
        .filter(minute -> samples.higherKey(minute + MINUTE) != null)
        .toList();
  }

  private static long minute(long time) {
    return Math.floorDiv(time, MINUTE) * MINUTE;
  }

  private void assertSame(String query, NavigableMap<Long, Double> expected)
      throws InterruptedException {
    String path =
        "/prometheus/api/v1/query_range?step=60&start="
            + expected.firstKey() / 1_000
            + "&end="
            + expected.lastKey() / 1_000
            + "&query="
            + URLEncoder.encode(query, StandardCharsets.UTF_8);
    Await.until(
        query,
        PATIENCE,
        () -> {
          JsonNode answer = get(URI.create(api + path), stack.authorization("org-late"));
          assertThat(answer.path("data").path("result")).as(answer.toString()).hasSize(1);
          return values(answer.at("/data/result/0/values"));
        },
        found ->
            found.keySet().equals(expected.keySet())
                && expected.entrySet().stream()
                    .allMatch(
                        each ->
                            Math.abs(found.get(each.getKey()) - each.getValue())
                                <= 1e-9 * Math.abs(each.getValue())));
  }

  /** Samples that Prometheus itself has, by time in milliseconds. */
  private NavigableMap<Long, Double> samples(URI address, String selector) throws Exception {
    JsonNode answer =
        get(
            address.resolve(
                "/api/v1/query?query="
                    + URLEncoder.encode(selector + "[1h]", StandardCharsets.UTF_8)),
            "");
    return values(answer.at("/data/result/0/values"));
  }

  private static NavigableMap<Long, Double> values(JsonNode pairs) {
    NavigableMap<Long, Double> values = new TreeMap<>();
    for (JsonNode pair : pairs) {
      values.put(Math.round(pair.get(0).asDouble() * 1_000), pair.get(1).asDouble());
    }
    return values;
  }

  private JsonNode get(URI address, String authorization) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(40));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonHttp.JSON.readTree(response.body());
  }

  private URI start(Path folder, String configuration) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path file = folder.resolve("prometheus.yml");
    Files.writeString(file, configuration);
    prometheus =
        new ProcessBuilder(
                System.getProperty("prometheus"),
                "--config.file=" + file,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--enable-feature=metadata-wal-records")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    return URI.create("http://127.0.0.1:" + port);
  }
}
