package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.gauge;
import static io.tidemark.platform.testing.TestingMetrics.nanos;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of OTLP for receivers that hold for every outcome, in both forms and transports. */
@ExtendWith(RunningPlatform.Extension.class)
class OtlpRulesIT {

  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final String KEY = TestingKeys.bearer(RunningPlatform.EXTRA_KEY);
  private static final JsonFormat.Parser PARSER =
      JsonFormat.parser()
          .usingTypeRegistry(
              TypeRegistry.newBuilder()
                  .add(BadRequest.getDescriptor())
                  .add(RetryInfo.getDescriptor())
                  .build());

  private final RunningPlatform platform;
  private final Instant now;
  private final ManagedChannel channel;

  OtlpRulesIT(RunningPlatform platform) {
    this.platform = platform;
    // What other classes left.
    platform.topic().reset();
    this.now = platform.bean(Clock.class).instant();
    this.channel = platform.grpc();
  }

  @AfterEach
  void close() {
    channel.shutdownNow();
    platform.topic().reset();
    // A client may have its answer a moment before the bytes of its request are given back.
    InFlightByteLimiter limiter = platform.bean(InFlightByteLimiter.class);
    Awaitility.await("bytes in flight").until(() -> limiter.held() == 0);
  }

  private ExportMetricsServiceRequest batch() {
    return request(counter("orders", point(now, 1)));
  }

  private byte[] body(String type) throws IOException {
    return type.equals(JSON)
        ? JsonFormat.printer().print(batch()).getBytes(StandardCharsets.UTF_8)
        : batch().toByteArray();
  }

  private HttpResponse<byte[]> send(String path, byte[] body, String... headers) {
    return Http.post(platform.otlp(path), body, headers);
  }

  private HttpResponse<byte[]> send(byte[] body, String type) {
    return send("/v1/metrics", body, "Content-Type", type, "Authorization", KEY);
  }

  private static <M extends com.google.protobuf.Message.Builder> M read(
      HttpResponse<byte[]> response, String type, M into) throws IOException {
    assertThat(response.headers().firstValue("Content-Type")).hasValue(type);
    if (type.equals(JSON)) {
      PARSER.merge(Http.text(response), into);
    } else {
      into.mergeFrom(response.body());
    }
    return into;
  }

  @ParameterizedTest
  @ValueSource(strings = {PROTOBUF, JSON})
  void anAnswerHasTheTypeOfItsRequest(String type) throws Exception {
    HttpResponse<byte[]> response = send(body(type), type);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(read(response, type, ExportMetricsServiceResponse.newBuilder()).hasPartialSuccess())
        .isFalse();
    assertThat(platform.topic().batches()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    PROTOBUF + ", 400", JSON + ", 400", PROTOBUF + ", 401", JSON + ", 401",
    PROTOBUF + ", 404", JSON + ", 404", PROTOBUF + ", 413", JSON + ", 413",
    PROTOBUF + ", 415", JSON + ", 415", PROTOBUF + ", 503", JSON + ", 503"
  })
  void everyErrorIsAStatusInTheTypeOfItsRequest(String type, int status) throws Exception {
    String[] known = {"Content-Type", type, "Authorization", KEY};
    HttpResponse<byte[]> response =
        switch (status) {
          case 400 -> send("/v1/metrics", new byte[] {'{', 1}, known);
          case 401 -> send("/v1/metrics", body(type), "Content-Type", type);
          case 404 -> send("/v1/traces", body(type), known);
          case 413 -> send("/v1/metrics", new byte[(1 << 20) + 1], known);
          case 415 ->
              send(
                  "/v1/metrics",
                  body(type),
                  "Content-Type",
                  type,
                  "Authorization",
                  KEY,
                  "Content-Encoding",
                  "br");
          default -> {
            platform.topic().failWith(new IllegalStateException("timed out"));
            yield send("/v1/metrics", body(type), known);
          }
        };
    assertThat(response.statusCode()).isEqualTo(status);
    Status told = read(response, type, Status.newBuilder()).build();
    assertThat(told.getMessage()).isNotBlank();
    assertThat(told.getCode()).isNotZero();
    // Retry-After and RetryInfo say "again", and stand on nothing else.
    assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
    assertThat(told.getDetailsList().stream().anyMatch(detail -> detail.is(RetryInfo.class)))
        .isEqualTo(status == 503);
    assertThat(told.getDetailsList().stream().anyMatch(detail -> detail.is(BadRequest.class)))
        .isEqualTo(status == 400);
  }

  @Test
  void aPartialSuccessHasTheTrueCountAndEveryReason() throws Exception {
    byte[] body =
        request(
                counter("orders", point(now, 1), point(now, Double.NaN), point(now, 1 / 0.0)),
                counter("", point(now, 1)),
                gauge("old", point(Instant.EPOCH, 1)))
            .toByteArray();
    ExportMetricsPartialSuccess told =
        ExportMetricsServiceResponse.parseFrom(send(body, PROTOBUF).body()).getPartialSuccess();
    assertThat(told.getRejectedDataPoints()).isEqualTo(4);
    assertThat(told.getErrorMessage())
        .contains("VALUE_NOT_FINITE x2", "METRIC_NAME_MISSING x1", "TIMESTAMP_OUT_OF_RANGE x1")
        .contains("'orders'");
    ExportMetricsPartialSuccess overGrpc =
        sender().export(ExportMetricsServiceRequest.parseFrom(body)).getPartialSuccess();
    assertThat(overGrpc).isEqualTo(told);
  }

  @Test
  void aWarningRefusesNoPointAndSaysSo() throws Exception {
    ExportMetricsPartialSuccess told =
        ExportMetricsServiceResponse.parseFrom(
                send(
                        request(
                                Metric.newBuilder().setName("hollow").build(),
                                counter("orders", point(now, 1)))
                            .toByteArray(),
                        PROTOBUF)
                    .body())
            .getPartialSuccess();
    assertThat(told.getRejectedDataPoints()).isZero();
    assertThat(told.getErrorMessage()).contains("METRIC_TYPE_UNSUPPORTED").contains("hollow");
    assertThat(platform.topic().batches()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"%d\"", "%d"})
  void jsonNumbersOf64BitsComeAsTextOrNumbersAndEnumsAsIntegers(String form) throws Exception {
    String json =
        """
        {"resourceMetrics":[{"newField":{"a":[1]},"scopeMetrics":[{"metrics":[{"name":"m","sum":{
          "aggregationTemporality":2,"isMonotonic":true,"dataPoints":[
            {"timeUnixNano":%s,"asInt":%s}]}}]}]}]}
        """
            .formatted(form.formatted(nanos(now)), form.formatted(9_007_199_254_740_993L));
    assertThat(send(json.getBytes(StandardCharsets.UTF_8), JSON).statusCode()).isEqualTo(200);
    var sum =
        ExportMetricsServiceRequest.parseFrom(platform.topic().batches().get(0).record())
            .getResourceMetrics(0)
            .getScopeMetrics(0)
            .getMetrics(0)
            .getSum();
    assertThat(sum.getAggregationTemporalityValue()).isEqualTo(2);
    assertThat(sum.getDataPoints(0).getAsInt()).isEqualTo(9_007_199_254_740_993L);
    assertThat(sum.getDataPoints(0).getTimeUnixNano()).isEqualTo(nanos(now));
  }

  @Test
  void whileTheMemoryIsFullEverySenderIsAskedToComeBack() throws Exception {
    InFlightByteLimiter.Reservation others = platform.bean(InFlightByteLimiter.class).hold();
    assertThat(others.grow(4 << 20)).isTrue();
    try {
      HttpResponse<byte[]> overHttp = send(body(PROTOBUF), PROTOBUF);
      assertThat(overHttp.statusCode()).isEqualTo(503);
      assertThat(overHttp.headers().firstValue("Retry-After")).hasValue("1");
      Status overGrpc = refusal(() -> sender().export(batch()));
      assertThat(overGrpc.getCode()).isEqualTo(Code.UNAVAILABLE_VALUE);
      assertThat(overGrpc.getDetails(0).is(RetryInfo.class)).isTrue();
    } finally {
      others.close();
    }
    assertThat(send(body(PROTOBUF), PROTOBUF).statusCode()).isEqualTo(200);
  }

  @Test
  void bytesThatAreNoRequestAreAnInvalidArgumentOverGrpc() throws Exception {
    Status told = refusal(() -> raw("garbage".getBytes(StandardCharsets.UTF_8)));
    assertThat(told.getCode()).isEqualTo(Code.INVALID_ARGUMENT_VALUE);
    assertThat(told.getDetails(0).unpack(BadRequest.class).getFieldViolations(0).getField())
        .isEqualTo("body");
    assertThat(platform.topic().batches()).isEmpty();
  }

  private MetricsServiceGrpc.MetricsServiceBlockingStub sender() {
    return MetricsServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers()));
  }

  private static Metadata headers() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), KEY);
    return headers;
  }

  private void raw(byte[] body) {
    MethodDescriptor.Marshaller<byte[]> bytes =
        new MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
          }

          @Override
          public byte[] parse(InputStream stream) {
            try {
              return stream.readAllBytes();
            } catch (IOException failure) {
              throw new UncheckedIOException(failure);
            }
          }
        };
    ClientCalls.blockingUnaryCall(
        io.grpc.ClientInterceptors.intercept(
            channel, MetadataUtils.newAttachHeadersInterceptor(headers())),
        MetricsServiceGrpc.getExportMethod().toBuilder(bytes, bytes).build(),
        CallOptions.DEFAULT,
        body);
  }

  private static Status refusal(Runnable call) {
    StatusRuntimeException refusal =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            StatusRuntimeException.class, call::run);
    return StatusProto.fromThrowable(refusal);
  }
}
