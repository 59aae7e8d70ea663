package io.tidemark.platform.selftelemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Answers {@code GET /metrics} with all meters in Prometheus' text format, on a port that is not
 * for the public: figures carry names of organisations.
 */
final class ScrapeServer implements SmartLifecycle {

  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final ScrapeProperties properties;
  private final PrometheusMeterRegistry registry;
  private volatile @Nullable HttpServer server;

  ScrapeServer(ScrapeProperties properties, PrometheusMeterRegistry registry) {
    this.properties = properties;
    this.registry = registry;
  }

  @Override
  public void start() {
    try {
      HttpServer opened = HttpServer.create(address(), 0);
      opened.createContext("/metrics", this::answer);
      opened.start();
      server = opened;
    } catch (IOException failure) {
      throw new IllegalStateException(
          "Own metrics cannot be shown on port "
              + properties.port()
              + "; free it or set TIDEMARK_SCRAPE_PORT to another",
          failure);
    }
  }

  private InetSocketAddress address() {
    return properties.address().isBlank()
        ? new InetSocketAddress(properties.port())
        : new InetSocketAddress(properties.address(), properties.port());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        exchange.sendResponseHeaders(405, -1);
      } else if (!exchange.getRequestURI().getPath().equals("/metrics")) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        byte[] figures = registry.scrape(CONTENT_TYPE).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
        exchange.sendResponseHeaders(200, figures.length);
        exchange.getResponseBody().write(figures);
      }
    }
  }

  /** The port in use; differs from the configured one only when that is 0. */
  int port() {
    return Objects.requireNonNull(server).getAddress().getPort();
  }

  @Override
  public void stop() {
    Objects.requireNonNull(server).stop(0);
    server = null;
  }

  @Override
  public boolean isRunning() {
    return server != null;
  }
}
