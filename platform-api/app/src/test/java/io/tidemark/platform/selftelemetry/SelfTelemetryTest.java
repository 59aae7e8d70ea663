package io.tidemark.platform.selftelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SelfTelemetryTest {

  @Test
  void countersAreReportedAsDeltasOfThePlatformResourceWithItsKey() throws Exception {
    CompletableFuture<ExportMetricsServiceRequest> reported = new CompletableFuture<>();
    CompletableFuture<String> authorization = new CompletableFuture<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/metrics",
        exchange -> {
          authorization.complete(exchange.getRequestHeaders().getFirst("Authorization"));
          reported.complete(
              ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    SelfTelemetryProperties properties =
        new SelfTelemetryProperties(
            "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics",
            "Bearer key",
            Duration.ofSeconds(10));
    OtlpMeterRegistry registry =
        new OtlpMeterRegistry(new OtlpReporting(properties), new MockClock());
    registry.counter("tidemark.test").increment(3);
    registry.close();

    ResourceMetrics resource = reported.get(10, TimeUnit.SECONDS).getResourceMetrics(0);
    server.stop(0);
    assertThat(authorization).isCompletedWithValue("Bearer key");
    assertThat(resource.getResource().getAttributesList())
        .anySatisfy(
            attribute -> {
              assertThat(attribute.getKey()).isEqualTo("tidemark.resource.type");
              assertThat(attribute.getValue().getStringValue()).isEqualTo("platform-api");
            })
        .anySatisfy(
            attribute -> {
              assertThat(attribute.getKey()).isEqualTo("tidemark.resource.id");
              assertThat(attribute.getValue().getStringValue()).isEqualTo("platform-api");
            });
    Metric metric = resource.getScopeMetrics(0).getMetrics(0);
    assertThat(metric.getName()).isEqualTo("tidemark.test");
    assertThat(metric.getSum().getAggregationTemporality())
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
    assertThat(metric.getSum().getDataPoints(0).getAsDouble()).isEqualTo(3);
  }

  @Test
  void anAddressNeedsAKey() {
    assertThat(new SelfTelemetryProperties("", "", Duration.ofSeconds(10)).faults()).isEmpty();
    assertThat(
            new SelfTelemetryProperties("http://x/v1/metrics", "", Duration.ofSeconds(10)).faults())
        .hasSize(1);
    assertThat(new SelfTelemetryProperties("ftp://x", "Bearer k", Duration.ofMillis(1)).faults())
        .hasSize(2);
  }
}
