package io.tidemark.platform.selftelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.platform.testing.Http;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScrapeServerTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ScrapeServer server =
      new ScrapeServer(new ScrapeProperties("127.0.0.1", 0), registry);

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private URI address(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  @Test
  void metersAreShownAsPrometheusReadsThem() {
    registry.counter("tidemark.ingest.requests", "outcome", "accepted").increment(2);
    Gauge.builder("tidemark.query.open_cells", () -> 7).register(registry);
    Timer.builder("http.server.requests").register(registry).record(Duration.ofMillis(250));

    HttpResponse<byte[]> scraped = Http.get(address("/metrics"));

    assertThat(scraped.statusCode()).isEqualTo(200);
    assertThat(scraped.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/plain; version=0.0.4");
    assertThat(Http.text(scraped))
        .contains(
            "tidemark_ingest_requests_total{outcome=\"accepted\"} 2.0",
            "tidemark_query_open_cells 7.0",
            "http_server_requests_seconds_sum 0.25");
  }

  @Test
  void nothingElseIsThere() {
    assertThat(Http.get(address("/metrics/more")).statusCode()).isEqualTo(404);
    assertThat(Http.post(address("/metrics"), "").statusCode()).isEqualTo(405);
    assertThat(Http.get(address("/")).statusCode()).isEqualTo(404);
  }
}
