package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingRemoteWrite.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static io.tidemark.platform.testing.TestingRemoteWrite.snappy;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.tidemark.contracts.prometheus.v2.Metadata.MetricType;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prometheus remote write as a sender sees it. */
@ExtendWith(RunningPlatform.Extension.class)
class RemoteWriteIT {

  private static final String V1 = "application/x-protobuf";
  private static final String V2 = "application/x-protobuf;proto=io.prometheus.write.v2.Request";
  private static final String SAMPLES = "X-Prometheus-Remote-Write-Samples-Written";
  private static final int LIMIT = 1024 * 1024;
  private static final String KEY = TestingKeys.bearer(RunningPlatform.EXTRA_KEY);

  private final RunningPlatform platform;
  private final long now;

  RemoteWriteIT(RunningPlatform platform) {
    this.platform = platform;
    // What other classes left.
    platform.topic().reset();
    this.now = platform.bean(Clock.class).millis();
  }

  @AfterEach
  void nothingIsHeldWhenEveryRequestIsAnswered() {
    platform.topic().reset();
    assertThat(platform.bean(InFlightByteLimiter.class).held()).isZero();
  }

  private HttpResponse<byte[]> send(byte[] body, String type, String encoding) {
    return Http.post(
        platform.otlp("/api/v1/write"),
        body,
        "Content-Type",
        type,
        "Content-Encoding",
        encoding,
        "Authorization",
        KEY);
  }

  private HttpResponse<byte[]> send(byte[] body, String type) {
    return send(body, type, "snappy");
  }

  private byte[] first(double value) {
    return snappy(request(series(value, now, "__name__", "up", "job", "api")));
  }

  private byte[] second(double... values) {
    TestingRemoteWrite request = new TestingRemoteWrite();
    for (double value : values) {
      request
          .add(MetricType.METRIC_TYPE_GAUGE, "__name__", "up", "job", "api")
          .addSamplesBuilder()
          .setValue(value)
          .setTimestamp(now);
    }
    return snappy(request.build());
  }

  private static String header(HttpResponse<byte[]> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-protobuf",
    "application/x-protobuf;proto=prometheus.WriteRequest",
    "'Application/X-Protobuf; charset=x; Proto=\"prometheus.WriteRequest\"'"
  })
  void aRequestOfVersionOneIsPublishedAsOtlpOfTheKeysOrganisation(String type) throws Exception {
    HttpResponse<byte[]> response = send(first(1), type);
    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(response.body()).isEmpty();
    assertThat(header(response, SAMPLES)).isEqualTo("none");
    assertThat(platform.topic().batches())
        .singleElement()
        .satisfies(
            batch -> {
              assertThat(batch.organization()).isEqualTo(new TenantId("org-extra"));
              assertThat(
                      ExportMetricsServiceRequest.parseFrom(batch.record())
                          .getResourceMetrics(0)
                          .getScopeMetrics(0)
                          .getMetrics(0)
                          .getName())
                  .isEqualTo("up");
            });
  }

  @Test
  void aRequestOfVersionTwoIsToldWhatWasWritten() {
    HttpResponse<byte[]> response = send(second(1, 2), V2);
    assertThat(response.statusCode()).isEqualTo(204);
    assertThat(header(response, SAMPLES)).isEqualTo("2");
    assertThat(header(response, "X-Prometheus-Remote-Write-Histograms-Written")).isEqualTo("0");
    assertThat(header(response, "X-Prometheus-Remote-Write-Exemplars-Written")).isEqualTo("0");
    assertThat(platform.topic().batches()).hasSize(1);
  }

  @Test
  void aPartIsWrittenAndTheRestToldAsAnError() {
    HttpResponse<byte[]> response = send(second(1, Double.POSITIVE_INFINITY, 3), V2);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(header(response, SAMPLES)).isEqualTo("2");
    assertThat(header(response, "Content-Type")).startsWith("text/plain");
    assertThat(Http.text(response)).contains("VALUE_NOT_FINITE x1");
    assertThat(platform.topic().batches()).hasSize(1);
    assertThat(send(first(Double.NEGATIVE_INFINITY), V1).statusCode()).isEqualTo(400);
    assertThat(platform.topic().batches()).hasSize(1);
  }

  @Test
  void theSameContentIsTheSameBatch() {
    send(second(1), V2);
    send(second(1), V2);
    assertThat(platform.topic().batches()).extracting(batch -> batch.id().hex()).hasSize(2);
    assertThat(platform.topic().batches().get(0).id())
        .isEqualTo(platform.topic().batches().get(1).id());
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, snappy",
    "application/x-protobuf;proto=io.prometheus.write.v3.Request, snappy",
    "application/x-protobuf, gzip",
    "application/x-protobuf, zstd",
    "application/x-protobuf, identity",
    "text/plain, snappy"
  })
  void otherTypesAndEncodingsAreUnsupported(String type, String encoding) {
    assertThat(send(first(1), type, encoding).statusCode()).isEqualTo(415);
  }

  @Test
  void withoutAnEncodingTheBodyIsSnappyAllTheSame() {
    assertThat(
            Http.post(
                    platform.otlp("/api/v1/write"),
                    first(1),
                    "Content-Type",
                    V1,
                    "Authorization",
                    TestingKeys.basic(RunningPlatform.EXTRA_KEY))
                .statusCode())
        .isEqualTo(204);
  }

  @Test
  void damagedBodiesAreBadRequests() {
    byte[] damaged = second(1);
    damaged[0] = '0';
    byte[] framed = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};
    for (byte[] body :
        new byte[][] {damaged, new byte[0], framed, {(byte) 0x80}, snappy(new byte[] {1, 2, 3})}) {
      HttpResponse<byte[]> response = send(body, V2);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(header(response, SAMPLES)).isEqualTo("0");
      assertThat(response.body()).isNotEmpty();
    }
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void aDeclaredSizeIsRefusedBeforeMemoryIsTakenForIt() {
    // 47 bytes that say they are 2.5 GB.
    byte[] bomb =
        HexFormat.of()
            .parseHex(
                "97eab4890a170a085f5f6e616d655f5f120b746573745f6d6574726963121009000000000000f03f10"
                    + "d48fc9b2a333");
    assertThat(send(bomb, V1).statusCode()).isEqualTo(413);
    byte[] zeros = snappy(new byte[LIMIT + 1]);
    assertThat(zeros.length).isLessThan(LIMIT / 10);
    assertThat(send(zeros, V2).statusCode()).isEqualTo(413);
    assertThat(send(new byte[LIMIT + 1], V2).statusCode()).isEqualTo(413);
  }

  @Test
  void withoutValidCredentialsNothingIsRead() {
    HttpResponse<byte[]> none =
        Http.post(
            platform.otlp("/api/v1/write"),
            first(1),
            "Content-Type",
            V1,
            "Content-Encoding",
            "snappy");
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).isPresent();
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void whenKafkaDoesNotConfirmTheSenderIsAskedToComeBack() {
    platform.topic().failWith(new IllegalStateException("timed out"));
    HttpResponse<byte[]> response = send(second(1), V2);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(header(response, "Retry-After")).isEqualTo("5");
    assertThat(header(response, SAMPLES)).isEqualTo("0");
  }

  @Test
  void thereIsNoAnswerBeforeKafkaConfirms() {
    CompletableFuture<Void> confirmation = new CompletableFuture<>();
    platform.topic().answerWith(confirmation);
    CompletableFuture<HttpResponse<byte[]>> answer =
        CompletableFuture.supplyAsync(() -> send(first(1), V1));
    Awaitility.await().until(() -> !platform.topic().batches().isEmpty());
    assertThat(answer).isNotDone();
    confirmation.complete(null);
    assertThat(answer.join().statusCode()).isEqualTo(204);
  }

  @Test
  void thePathIsOnThePortOfSendersAndTakesPostOnly() {
    assertThat(Http.get(platform.otlp("/api/v1/write"), "Authorization", KEY).statusCode())
        .isEqualTo(405);
    assertThat(
            Http.post(
                    platform.api("/api/v1/write"),
                    "x".getBytes(StandardCharsets.UTF_8),
                    "Authorization",
                    KEY)
                .statusCode())
        .isEqualTo(404);
  }
}
