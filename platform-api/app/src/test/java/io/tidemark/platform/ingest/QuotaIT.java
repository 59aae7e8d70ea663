package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static io.tidemark.platform.testing.TestingRemoteWrite.snappy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.QuotaLimits;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tenant over its quota, as a sender sees it; each test with a tenant of its own. */
@ExtendWith(RunningPlatform.Extension.class)
class QuotaIT {

  private static final String PROTOBUF = "application/x-protobuf";
  private static final long WIDE = 1_000_000_000;

  private final RunningPlatform platform;
  private final Instant now;

  QuotaIT(RunningPlatform platform) {
    this.platform = platform;
    this.now = platform.bean(Clock.class).instant();
  }

  @AfterEach
  void nothingIsHeldWhenEveryRequestIsAnswered() {
    platform.topic().reset();
    assertThat(platform.bean(InFlightByteLimiter.class).held()).isZero();
  }

  private static String authorization(char tenant) {
    return TestingKeys.bearer(
        TestingKeys.key("env-quota-" + Character.toLowerCase(tenant), tenant));
  }

  private ExportMetricsServiceRequest batch(int points) {
    NumberDataPoint[] many = new NumberDataPoint[points];
    Arrays.fill(many, point(now, 1));
    return request(counter("orders", many));
  }

  private HttpResponse<byte[]> otlp(char tenant, int points) {
    return Http.post(
        platform.otlp("/v1/metrics"),
        batch(points).toByteArray(),
        "Content-Type",
        PROTOBUF,
        "Authorization",
        authorization(tenant));
  }

  private static String header(HttpResponse<byte[]> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  @Test
  void overHttpABatchIsTakenWholeAndTheNextIsTooMany() throws Exception {
    platform.quotas().set("org-quota-q", new QuotaLimits(WIDE, WIDE, 10));
    HttpResponse<byte[]> first = otlp('Q', 1_000);
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(header(first, "RateLimit-Policy")).contains("\"points_per_second\";q=100;w=10");
    assertThat(header(first, "RateLimit")).contains("\"points_per_second\";r=100;t=0");
    HttpResponse<byte[]> second = otlp('Q', 1);
    assertThat(second.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(header(second, "Retry-After"))).isBetween(60L, 91L);
    assertThat(header(second, "RateLimit")).contains("\"points_per_second\";r=0;t=");
    Status told = Status.parseFrom(second.body());
    assertThat(told.getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
    assertThat(told.getMessage()).contains("points_per_second").contains("10");
    assertThat(told.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds())
        .isPositive();
    assertThat(platform.topic().batches()).hasSize(1);
    assertThat(
            platform
                .bean(MeterRegistry.class)
                .get("tidemark.ingest.requests")
                .tags("organization", "org-quota-q", "outcome", "over_points_per_second")
                .counter()
                .count())
        .isPositive();
    // Nobody else notices.
    assertThat(otlp('2', 1_000).statusCode()).isEqualTo(200);
  }

  @Test
  void theSenderIsTakenAgainAfterTheWaitItWasTold() {
    platform.quotas().set("org-quota-3", new QuotaLimits(WIDE, WIDE, 10));
    assertThat(otlp('3', 150).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> refused = otlp('3', 1);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(Long.parseLong(header(refused, "Retry-After"))).isBetween(1L, 6L);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> otlp('3', 1).statusCode() == 200);
  }

  @Test
  void overGrpcACallIsExhaustedWithRetryInfo() throws Exception {
    platform.quotas().set("org-quota-4", new QuotaLimits(WIDE, WIDE, 10));
    ManagedChannel channel = platform.grpc();
    try {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization('4'));
      var sender =
          MetricsServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
      assertThat(sender.export(batch(1_000)).hasPartialSuccess()).isFalse();
      StatusRuntimeException refusal =
          catchThrowableOfType(StatusRuntimeException.class, () -> sender.export(batch(1)));
      Status told = StatusProto.fromThrowable(refusal);
      assertThat(told.getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
      assertThat(told.getMessage()).contains("points_per_second");
      assertThat(told.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds())
          .isBetween(60L, 91L);
    } finally {
      channel.shutdownNow();
    }
  }

  @ParameterizedTest
  @CsvSource({PROTOBUF + ", 5, none", PROTOBUF + ";proto=io.prometheus.write.v2.Request, 6, 0"})
  void remoteWriteIsTooManyRequests(String type, char tenant, String written) {
    platform
        .quotas()
        .set("org-quota-" + Character.toLowerCase(tenant), new QuotaLimits(1, WIDE, WIDE));
    byte[] body = snappy(request(now));
    HttpResponse<byte[]> last = null;
    for (int i = 0; i < 100 && (last == null || last.statusCode() != 429); i++) {
      last =
          Http.post(
              platform.otlp("/api/v1/write"),
              body,
              "Content-Type",
              type,
              "Authorization",
              authorization(tenant));
    }
    assertThat(last.statusCode()).isEqualTo(429);
    assertThat(header(last, "Retry-After")).isEqualTo("1");
    assertThat(header(last, "X-Prometheus-Remote-Write-Samples-Written")).isEqualTo(written);
    assertThat(Http.text(last)).contains("requests_per_second");
  }

  private static com.google.protobuf.MessageLite request(Instant now) {
    return io.tidemark.platform.testing.TestingRemoteWrite.request(
        series(1, now.toEpochMilli(), "__name__", "up"));
  }

  private static ExportMetricsServiceRequest request(
      io.opentelemetry.proto.metrics.v1.Metric... metrics) {
    return io.tidemark.platform.testing.TestingMetrics.request(metrics);
  }

  @Test
  void bytesCountAsTheyComeAndWhateverBecomesOfThem() throws Exception {
    platform.quotas().set("org-quota-7", new QuotaLimits(WIDE, 100, WIDE));
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(batch(1_000).toByteArray());
    }
    assertThat(compressed.size()).isLessThan(900);
    for (int expected : new int[] {200, 200}) {
      assertThat(
              Http.post(
                      platform.otlp("/v1/metrics"),
                      compressed.toByteArray(),
                      "Content-Type",
                      PROTOBUF,
                      "Content-Encoding",
                      "gzip",
                      "Authorization",
                      authorization('7'))
                  .statusCode())
          .isEqualTo(expected);
    }
    // Not a batch at all, but it came.
    assertThat(
            Http.post(
                    platform.otlp("/v1/metrics"),
                    new byte[5_000],
                    "Content-Type",
                    PROTOBUF,
                    "Authorization",
                    authorization('7'))
                .statusCode())
        .isEqualTo(400);
    HttpResponse<byte[]> refused = otlp('7', 1);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(Status.parseFrom(refused.body()).getMessage()).contains("bytes_per_second");
  }
}
