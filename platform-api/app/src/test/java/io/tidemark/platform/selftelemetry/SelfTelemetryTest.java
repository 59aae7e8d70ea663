package io.tidemark.platform.selftelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SelfTelemetryTest {

  private final CompletableFuture<String> authorization = new CompletableFuture<>();
  private final BlockingQueue<ExportMetricsServiceRequest> reports = new LinkedBlockingQueue<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/metrics",
        exchange -> {
          authorization.complete(exchange.getRequestHeaders().getFirst("Authorization"));
          reports.add(
              ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private OtlpMeterRegistry reporting(ProcessIdentity process) {
    SelfTelemetryProperties properties =
        new SelfTelemetryProperties(
            "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics",
            "Bearer key",
            Duration.ofSeconds(10));
    return new OtlpMeterRegistry(new OtlpReporting(properties, process), new MockClock());
  }

  private ResourceMetrics reported() throws InterruptedException {
    ExportMetricsServiceRequest report = reports.poll(10, TimeUnit.SECONDS);
    assertThat(report).as("a report").isNotNull();
    return report.getResourceMetrics(0);
  }

  private static Map<String, String> attributes(ResourceMetrics report) {
    return report.getResource().getAttributesList().stream()
        .collect(Collectors.toMap(KeyValue::getKey, each -> each.getValue().getStringValue()));
  }

  @Test
  void countersAreReportedAsDeltasOfThePlatformResourceWithItsKey() throws Exception {
    OtlpMeterRegistry registry = reporting(new ProcessIdentity("host-1:8080", "1.2.3"));
    registry.counter("tidemark.test").increment(3);
    registry.close();

    ResourceMetrics resource = reported();
    assertThat(authorization).isCompletedWithValue("Bearer key");
    assertThat(attributes(resource))
        .containsEntry("tidemark.resource.type", "platform-api")
        .containsEntry("tidemark.resource.id", "platform-api")
        .containsEntry("service.name", "platform-api")
        .containsEntry("service.instance.id", "host-1:8080")
        .containsEntry("service.version", "1.2.3");
    Metric metric = resource.getScopeMetrics(0).getMetrics(0);
    assertThat(metric.getName()).isEqualTo("tidemark.test");
    assertThat(metric.getSum().getAggregationTemporality())
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA);
    assertThat(metric.getSum().getDataPoints(0).getAsDouble()).isEqualTo(3);
  }

  /** What names a series is all that is said of it: of one resource, but never one series. */
  @Test
  void gaugesOfTwoProcessesAreTwoSeriesOfOneResource() throws Exception {
    for (int port : List.of(8080, 8081)) {
      OtlpMeterRegistry registry =
          reporting(ProcessIdentity.of(new ProcessProperties(""), () -> "host-1", port, "1.2.3"));
      Gauge.builder("tidemark.query.open_cells", () -> port).register(registry);
      registry.close();
    }

    Map<String, String> first = attributes(reported());
    Map<String, String> second = attributes(reported());
    assertThat(List.of(first, second))
        .allSatisfy(
            each ->
                assertThat(each)
                    .containsEntry("tidemark.resource.type", "platform-api")
                    .containsEntry("tidemark.resource.id", "platform-api"));
    assertThat(List.of(first.get("service.instance.id"), second.get("service.instance.id")))
        .containsExactly("host-1:8080", "host-1:8081");
    assertThat(first).isNotEqualTo(second);
  }

  @Test
  void aProcessThatStartsAgainIsTheSameAndASetNameIsTaken() {
    ProcessIdentity before =
        ProcessIdentity.of(new ProcessProperties(""), () -> "host-1", 8080, "1.2.3");
    ProcessIdentity after =
        ProcessIdentity.of(new ProcessProperties(""), () -> "host-1", 8080, "1.2.3");
    assertThat(after).isEqualTo(before);
    assertThat(
            ProcessIdentity.of(
                    new ProcessProperties("platform-api-7d9f-x2"), () -> "host-1", 8080, "1.2.3")
                .instance())
        .isEqualTo("platform-api-7d9f-x2");
    assertThat(ProcessIdentity.hostName()).isNotBlank();
    assertThat(new ProcessProperties("two words").faults()).hasSize(1);
    assertThat(new ProcessProperties("").faults()).isEmpty();
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
