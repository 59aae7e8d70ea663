package io.tidemark.platform.selftelemetry;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.tidemark.platform.shared.SpanRecorder;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TraceCollector;
import io.tidemark.platform.testing.TraceCollector.Received;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** What a collector of the operator sees of requests. */
@ExtendWith(RunningPlatform.Extension.class)
class TracesIT {

  private static final Pattern SENT =
      Pattern.compile("(?m)^tidemark_traces_spans_total\\{outcome=\"sent\"} [1-9]");
  private static final String QUERY =
      """
      {"aggregations":[{"metric":"orders","agg":"SUM"}],"granularity":"PT1M",
       "intervals":["2026-01-01T00:00:00Z/PT1H"],"limit":10}
      """;

  private static TraceCollector collector;
  private static RunningPlatform platform;

  @BeforeAll
  static void start() throws IOException {
    collector = new TraceCollector();
    platform =
        RunningPlatform.with(
            Map.of(
                "TIDEMARK_TRACES_ENDPOINT", collector.url(),
                "TIDEMARK_TRACES_RATIO", "1",
                "TIDEMARK_TRACES_HEADERS", "Authorization=Bearer collector",
                "TIDEMARK_INSTANCE", "platform-api-7"));
  }

  @AfterAll
  static void stop() throws IOException {
    platform.close();
    collector.close();
  }

  private static String hex(com.google.protobuf.ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  private static HttpResponse<byte[]> query(String trace, String body) {
    return Http.post(
        platform.api("/v2/metrics/cloud/query"),
        body,
        "Content-Type",
        "application/json",
        "traceparent",
        "00-" + trace + "-00f067aa0ba902b7-01",
        "Authorization",
        TestingKeys.basic(RunningPlatform.EXTRA_KEY));
  }

  private static Received of(String trace, String name) {
    return collector.await(
        name,
        each -> hex(each.span().getTraceId()).equals(trace) && each.span().getName().equals(name));
  }

  private static ExportMetricsServiceRequest batch() {
    return request(counter("orders", point(platform.bean(Clock.class).instant(), 1)));
  }

  @Test
  void aQueryIsASpanOfItsCallersTraceWithDruidBelowIt() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    platform.druid().answerWith(200, "[]");
    assertThat(query(trace, QUERY).statusCode()).isEqualTo(200);

    Received druid = of(trace, "druid query");
    Received query = of(trace, "POST /v2/metrics/{dataset}/query");
    assertThat(hex(query.span().getParentSpanId())).isEqualTo("00f067aa0ba902b7");
    assertThat(query.span().getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
    assertThat(query.attributes())
        .isEqualTo(
            Map.of(
                "http.request.method", "POST",
                "http.route", "/v2/metrics/{dataset}/query",
                "http.response.status_code", "200",
                "tidemark.organization.id", "org-extra",
                "tidemark.environment.id", "env-extra"));
    assertThat(query.resource())
        .containsEntry("service.name", "platform-api")
        .containsEntry("service.instance.id", "platform-api-7")
        .containsKey("service.version")
        .doesNotContainEntry("service.version", "unknown");
    assertThat(druid.span().getParentSpanId()).isEqualTo(query.span().getSpanId());
    assertThat(druid.attributes()).containsOnlyKeys("druid.query.id");
    assertThat(collector.authorizations()).containsOnly("Bearer collector");
  }

  @Test
  void whatFailsSaysNoMoreThanItsKind() {
    String trace = "5bf92f3577b34da6a3ce929d0e0e4736";
    platform.druid().answerWith(500, "{\"error\":\"Unknown exception\"}");
    List<String> logged = new CopyOnWriteArrayList<>();
    logged(
        logged,
        () ->
            assertThat(query(trace, QUERY.replace("orders", "secret-orders")).statusCode())
                .isEqualTo(502));

    Received druid = of(trace, "druid query");
    Received query = of(trace, "POST /v2/metrics/{dataset}/query");
    assertThat(druid.attributes()).containsEntry("error.type", "store_failed");
    assertThat(druid.span().getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(query.attributes()).containsEntry("error.type", "502");
    assertThat(query.span().getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(collector.spans())
        .allSatisfy(each -> assertThat(each.span().toString()).doesNotContain("secret-orders"));
    assertThat(logged)
        .anySatisfy(
            line -> assertThat(line).contains(" trace_id=" + trace + " ", "Druid answered 500"));
  }

  /** Lines as the console has them: it is there whichever platform of this process began first. */
  private static void logged(List<String> lines, Runnable work) {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Encoder<ILoggingEvent> console =
        ((ConsoleAppender<ILoggingEvent>) root.getAppender("CONSOLE")).getEncoder();
    AppenderBase<ILoggingEvent> reader =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            lines.add(new String(console.encode(event), StandardCharsets.UTF_8));
          }
        };
    reader.start();
    root.addAppender(reader);
    try {
      work.run();
    } finally {
      root.detachAppender(reader);
    }
  }

  @Test
  void aBatchIsASpanOfItsDoorWithKafkaBelowIt() {
    String trace = "6bf92f3577b34da6a3ce929d0e0e4736";
    HttpResponse<byte[]> answer =
        Http.post(
            platform.otlp("/v1/metrics"),
            batch().toByteArray(),
            "Content-Type",
            "application/x-protobuf",
            "traceparent",
            "00-" + trace + "-00f067aa0ba902b7-01",
            "Authorization",
            TestingKeys.basic(RunningPlatform.EXTRA_KEY));
    assertThat(answer.statusCode()).isEqualTo(200);

    Received kafka = of(trace, "kafka produce");
    Received door = of(trace, "POST /v1/metrics");
    assertThat(door.attributes()).containsEntry("http.response.status_code", "200");
    assertThat(kafka.span().getParentSpanId()).isEqualTo(door.span().getSpanId());
    assertThat(kafka.attributes())
        .containsEntry("tidemark.organization.id", "org-extra")
        .containsEntry("tidemark.environment.id", "env-extra");
  }

  @Test
  void aCallIsASpanToo() {
    String trace = "7bf92f3577b34da6a3ce929d0e0e4736";
    ManagedChannel channel = platform.grpc();
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        TestingKeys.basic(RunningPlatform.EXTRA_KEY));
    headers.put(
        Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER),
        "00-" + trace + "-00f067aa0ba902b7-01");
    var unused =
        MetricsServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .export(batch());
    channel.shutdownNow();

    Received kafka = of(trace, "kafka produce");
    Received call = of(trace, "opentelemetry.proto.collector.metrics.v1.MetricsService/Export");
    assertThat(call.attributes()).containsEntry("rpc.grpc.status_code", "0");
    assertThat(kafka.span().getParentSpanId()).isEqualTo(call.span().getSpanId());
  }

  @Test
  void probesAndCallersThatDoNotWantItAreNotRecorded() {
    String trace = "8bf92f3577b34da6a3ce929d0e0e4736";
    Http.get(platform.api("/livez"), "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
    Http.get(platform.api("/readyz"), "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
    Http.get(
        platform.api("/openapi/metrics-api.yaml"),
        "traceparent",
        "00-" + trace + "-00f067aa0ba902b7-00");
    String later = "9bf92f3577b34da6a3ce929d0e0e4736";
    query(later, QUERY);
    Received unused = of(later, "POST /v2/metrics/{dataset}/query");
    assertThat(collector.spans()).noneMatch(each -> hex(each.span().getTraceId()).equals(trace));
  }

  @Test
  void whatBecameOfSpansIsCounted() {
    query("abf92f3577b34da6a3ce929d0e0e4736", QUERY);
    Received unused = of("abf92f3577b34da6a3ce929d0e0e4736", "POST /v2/metrics/{dataset}/query");
    // Counted once the collector has answered, which is later than it has the span.
    String counted =
        InterruptibleDelay.until(
            "spans that were sent",
            Duration.ofSeconds(10),
            () -> Optional.of(scraped(platform)),
            scrape -> SENT.matcher(scrape).find());
    assertThat(counted).contains("tidemark_traces_spans_total{outcome=\"no_room\"} 0.0");
  }

  @Test
  void withoutACollectorNothingIsRecorded(RunningPlatform other) {
    assertThat(other.bean(SpanRecorder.class)).isSameAs(SpanRecorder.NONE);
    assertThat(other.beans(SpanReporter.class)).isEmpty();
    assertThat(other.beans(RequestSpans.class)).isEmpty();
    assertThat(scraped(other)).doesNotContain("tidemark_traces");
  }

  private static String scraped(RunningPlatform of) {
    return Http.text(
        Http.get(
            URI.create("http://127.0.0.1:" + of.bean(ScrapeServer.class).port() + "/metrics")));
  }
}
