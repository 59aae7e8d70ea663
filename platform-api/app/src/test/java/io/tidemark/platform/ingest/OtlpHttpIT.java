package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * OTLP over HTTP as a sender sees it: every answer is the protocol's, and none is a 5xx but 503.
 */
@ExtendWith(RunningPlatform.Extension.class)
class OtlpHttpIT {

  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final int LIMIT = 1024 * 1024;
  private static final String KEY = TestingKeys.bearer(RunningPlatform.EXTRA_KEY);

  private final RunningPlatform platform;
  private final Instant now;

  OtlpHttpIT(RunningPlatform platform) {
    this.platform = platform;
    // What other classes left.
    platform.topic().reset();
    this.now = platform.bean(Clock.class).instant();
  }

  @AfterEach
  void nothingIsHeldWhenEveryRequestIsAnswered() {
    platform.topic().reset();
    assertThat(platform.bean(InFlightByteLimiter.class).held()).isZero();
  }

  private HttpResponse<byte[]> send(byte[] body, String type, String... more) {
    String[] headers = new String[more.length + 4];
    headers[0] = "Content-Type";
    headers[1] = type;
    headers[2] = "Authorization";
    headers[3] = KEY;
    System.arraycopy(more, 0, headers, 4, more.length);
    return Http.post(platform.otlp("/v1/metrics"), body, headers);
  }

  private byte[] batch() {
    return request(counter("orders", point(now, 1))).toByteArray();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(content);
    }
    return compressed.toByteArray();
  }

  private static void assertStatus(HttpResponse<byte[]> response, int status, Code code)
      throws Exception {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue(PROTOBUF);
    assertThat(Status.parseFrom(response.body()).getCode()).isEqualTo(code.getNumber());
    assertThat(Status.parseFrom(response.body()).getMessage()).isNotBlank();
  }

  @Test
  void aBatchIsPublishedForTheOrganisationOfTheKey() throws Exception {
    byte[] body = batch();
    HttpResponse<byte[]> response = send(body, PROTOBUF);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(ExportMetricsServiceResponse.parseFrom(response.body()).hasPartialSuccess())
        .isFalse();
    assertThat(platform.topic().batches())
        .singleElement()
        .satisfies(
            batch -> {
              assertThat(batch.organization()).isEqualTo(new TenantId("org-extra"));
              assertThat(batch.environment().value()).isEqualTo("env-extra");
              assertThat(batch.record()).isEqualTo(body);
            });
    assertThat(
            platform
                .bean(MeterRegistry.class)
                .get("tidemark.ingest.points")
                .tags("organization", "org-extra", "protocol", "otlp_http", "outcome", "accepted")
                .counter()
                .count())
        .isPositive();
  }

  @Test
  void aCompressedBatchIsTheSameBatch() throws Exception {
    byte[] body = batch();
    send(body, PROTOBUF);
    assertThat(send(gzip(body), PROTOBUF, "Content-Encoding", "gzip").statusCode()).isEqualTo(200);
    assertThat(platform.topic().batches()).hasSize(2);
    assertThat(platform.topic().batches().get(1).id())
        .isEqualTo(platform.topic().batches().get(0).id());
  }

  @Test
  void aBatchCompressedByZstdIsTheSameBatch() throws Exception {
    byte[] body = batch();
    send(body, PROTOBUF);
    assertThat(send(Zstd.compress(body), PROTOBUF, "Content-Encoding", "zstd").statusCode())
        .isEqualTo(200);
    assertThat(platform.topic().batches().get(1).id())
        .isEqualTo(platform.topic().batches().get(0).id());
    assertStatus(
        send(Zstd.compress(new byte[20 * LIMIT]), PROTOBUF, "Content-Encoding", "zstd"),
        413,
        Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void aConnectionIsKeptForAsLongAsItsSenderSends() throws Exception {
    byte[] request =
        ("POST /v1/metrics HTTP/1.1\r\nHost: x\r\nContent-Type: "
                + PROTOBUF
                + "\r\nAuthorization: "
                + KEY
                + "\r\nContent-Length: 0\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = new Socket("127.0.0.1", platform.otlp("/").getPort())) {
      socket.setSoTimeout(20_000);
      BufferedReader answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (int i = 0; i < 150; i++) {
        socket.getOutputStream().write(request);
        assertThat(answers.readLine()).startsWith("HTTP/1.1 200");
        for (String line = answers.readLine(); !line.isEmpty(); line = answers.readLine()) {
          assertThat(line).isNotEqualToIgnoringCase("Connection: close");
        }
      }
    }
  }

  @Test
  void theAnswerNamesTheReceiptOfWhatIsStored() {
    HttpResponse<byte[]> response = send(batch(), PROTOBUF);
    assertThat(response.headers().firstValue("Tidemark-Receipt"))
        .hasValue(platform.topic().batches().get(0).id().hex());
    assertThat(send(new byte[0], PROTOBUF).headers().firstValue("Tidemark-Receipt")).isEmpty();
  }

  @Test
  void anIdempotencyKeyOfOtherBytesIsRefused() throws Exception {
    assertThat(send(batch(), PROTOBUF, "Idempotency-Key", "http-1").statusCode()).isEqualTo(200);
    assertThat(send(batch(), PROTOBUF, "Idempotency-Key", "http-1").statusCode()).isEqualTo(200);
    byte[] other = request(counter("orders", point(now, 2))).toByteArray();
    assertStatus(send(other, PROTOBUF, "Idempotency-Key", "http-1"), 422, Code.ALREADY_EXISTS);
    assertStatus(send(other, PROTOBUF, "Idempotency-Key", "a b"), 400, Code.INVALID_ARGUMENT);
    assertThat(platform.topic().batches()).hasSize(2);
  }

  @Test
  void basicCredentialsWorkToo() {
    assertThat(
            Http.post(
                    platform.otlp("/v1/metrics"),
                    batch(),
                    "Content-Type",
                    PROTOBUF,
                    "Authorization",
                    TestingKeys.basic(RunningPlatform.EXTRA_KEY))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void refusedPointsAreTold() throws Exception {
    HttpResponse<byte[]> response =
        send(
            request(counter("orders", point(now, 1), point(now, Double.NaN))).toByteArray(),
            PROTOBUF);
    assertThat(response.statusCode()).isEqualTo(200);
    var partial = ExportMetricsServiceResponse.parseFrom(response.body()).getPartialSuccess();
    assertThat(partial.getRejectedDataPoints()).isEqualTo(1);
    assertThat(partial.getErrorMessage()).contains("VALUE_NOT_FINITE");
  }

  @Test
  void jsonIsAnsweredInJson() {
    HttpResponse<byte[]> accepted = send("{}".getBytes(StandardCharsets.UTF_8), JSON);
    assertThat(accepted.statusCode()).isEqualTo(200);
    assertThat(Http.text(accepted)).isEqualTo("{}");
    HttpResponse<byte[]> malformed = send("{".getBytes(StandardCharsets.UTF_8), JSON);
    assertThat(malformed.statusCode()).isEqualTo(400);
    assertThat(malformed.headers().firstValue("Content-Type")).hasValue(JSON);
    assertThat(Http.text(malformed)).contains("\"code\":3").contains("BadRequest");
  }

  @Test
  void anEmptyBodyIsASuccess() {
    assertThat(send(new byte[0], PROTOBUF).statusCode()).isEqualTo(200);
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void malformedBodiesAreBadRequests() throws Exception {
    assertStatus(
        send("garbage".getBytes(StandardCharsets.UTF_8), PROTOBUF), 400, Code.INVALID_ARGUMENT);
    assertStatus(send(batch(), PROTOBUF, "Content-Encoding", "gzip"), 400, Code.INVALID_ARGUMENT);
    byte[] cut = gzip(batch());
    assertStatus(
        send(java.util.Arrays.copyOf(cut, 12), PROTOBUF, "Content-Encoding", "gzip"),
        400,
        Code.INVALID_ARGUMENT);
  }

  @Test
  void oversizedBodiesAreTooLargeHoweverTheyCome() throws Exception {
    assertStatus(send(new byte[LIMIT + 1], PROTOBUF), 413, Code.RESOURCE_EXHAUSTED);
    assertStatus(
        Http.postChunked(
            platform.otlp("/v1/metrics"),
            new byte[LIMIT + 1],
            "Content-Type",
            PROTOBUF,
            "Authorization",
            KEY),
        413,
        Code.RESOURCE_EXHAUSTED);
    byte[] bomb = gzip(new byte[200 * LIMIT]);
    assertThat(bomb.length).isLessThan(LIMIT);
    assertStatus(send(bomb, PROTOBUF, "Content-Encoding", "gzip"), 413, Code.RESOURCE_EXHAUSTED);
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void otherTypesAndEncodingsAreUnsupported() {
    assertThat(send(batch(), "text/plain").statusCode()).isEqualTo(415);
    assertThat(send(batch(), PROTOBUF, "Content-Encoding", "br").statusCode()).isEqualTo(415);
  }

  @Test
  void withoutValidCredentialsNothingIsRead() throws Exception {
    HttpResponse<byte[]> none =
        Http.post(platform.otlp("/v1/metrics"), batch(), "Content-Type", PROTOBUF);
    assertStatus(none, 401, Code.UNAUTHENTICATED);
    assertThat(none.headers().firstValue("WWW-Authenticate")).isPresent();
    HttpResponse<byte[]> unknown =
        Http.post(
            platform.otlp("/v1/metrics"),
            batch(),
            "Content-Type",
            PROTOBUF,
            "Authorization",
            TestingKeys.bearer(TestingKeys.key("env-extra", 'Z')));
    assertStatus(unknown, 401, Code.UNAUTHENTICATED);
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void whenKafkaDoesNotConfirmTheSenderIsAskedToComeBack() throws Exception {
    platform.topic().failWith(new IllegalStateException("timed out"));
    HttpResponse<byte[]> response = send(batch(), PROTOBUF);
    assertStatus(response, 503, Code.UNAVAILABLE);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
  }

  @Test
  void thereIsNoAnswerBeforeKafkaConfirms() {
    CompletableFuture<Void> confirmation = new CompletableFuture<>();
    platform.topic().answerWith(confirmation);
    CompletableFuture<HttpResponse<byte[]>> answer =
        CompletableFuture.supplyAsync(() -> send(batch(), PROTOBUF));
    org.awaitility.Awaitility.await().until(() -> !platform.topic().batches().isEmpty());
    assertThat(answer).isNotDone();
    confirmation.complete(null);
    assertThat(answer.join().statusCode()).isEqualTo(200);
  }

  @Test
  void thePortsAreKeptApart() {
    assertThat(Http.get(platform.otlp("/livez")).statusCode()).isEqualTo(404);
    assertThat(Http.get(platform.otlp("/v1/metrics"), "Authorization", KEY).statusCode())
        .isEqualTo(405);
    assertThat(
            Http.post(
                    platform.api("/v1/metrics"),
                    batch(),
                    "Content-Type",
                    PROTOBUF,
                    "Authorization",
                    KEY)
                .statusCode())
        .isEqualTo(404);
  }
}
