package io.tidemark.platform.testing;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Takes spans over OTLP/HTTP, as a collector does. */
public final class TraceCollector implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A span and what it says of its process. */
  public record Received(Span span, Map<String, String> resource) {

    public Map<String, String> attributes() {
      return texts(span.getAttributesList());
    }
  }

  private final List<Received> spans = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  public TraceCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          authorizations.add(
              String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          ExportTraceServiceRequest request =
              ExportTraceServiceRequest.parseFrom(
                  new GZIPInputStream(exchange.getRequestBody()).readAllBytes());
          for (ResourceSpans each : request.getResourceSpansList()) {
            Map<String, String> resource = texts(each.getResource().getAttributesList());
            each.getScopeSpansList()
                .forEach(
                    scope ->
                        scope
                            .getSpansList()
                            .forEach(span -> spans.add(new Received(span, resource))));
          }
          exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(
            Collectors.toMap(
                KeyValue::getKey,
                each ->
                    each.getValue().hasIntValue()
                        ? Long.toString(each.getValue().getIntValue())
                        : each.getValue().getStringValue()));
  }

  /** Where spans are taken. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  /** Spans so far. */
  public List<Received> spans() {
    return spans;
  }

  /** Authorization of every export so far. */
  public List<String> authorizations() {
    return authorizations;
  }

  /** The first span that is as wanted, once it has come. */
  public Received await(String what, Predicate<Received> wanted) {
    return InterruptibleDelay.until(
            what,
            PATIENCE,
            () -> Optional.of(List.copyOf(spans)),
            received -> received.stream().anyMatch(wanted))
        .stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
