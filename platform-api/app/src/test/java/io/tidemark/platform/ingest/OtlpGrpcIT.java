package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.gauge;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.ZstdOutputStream;
import com.google.rpc.RetryInfo;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc.MetricsServiceBlockingStub;
import io.tidemark.platform.ingest.domain.BatchId;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** OTLP over gRPC as a sender sees it. */
@ExtendWith(RunningPlatform.Extension.class)
class OtlpGrpcIT {

  private final RunningPlatform platform;
  private final Instant now;
  private final ManagedChannel channel;

  OtlpGrpcIT(RunningPlatform platform) {
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
    // The last answer is on its way before the bytes of its call are given back.
    InterruptibleDelay.until(
        "return of all bytes",
        Duration.ofSeconds(5),
        () -> Optional.of(platform.bean(InFlightByteLimiter.class).held()),
        held -> held == 0);
  }

  private MetricsServiceBlockingStub sender(String authorization) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
    return MetricsServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private MetricsServiceBlockingStub sender() {
    return sender(TestingKeys.basic(RunningPlatform.EXTRA_KEY));
  }

  private ExportMetricsServiceRequest batch() {
    return request(counter("orders", point(now, 1)));
  }

  private static StatusRuntimeException failure(
      MetricsServiceBlockingStub sender, ExportMetricsServiceRequest batch) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> sender.export(batch));
  }

  @Test
  void aBatchIsTheSameBatchAsOverHttpPlainAndCompressed() {
    assertThat(sender().export(batch()).hasPartialSuccess()).isFalse();
    assertThat(sender().withCompression("gzip").export(batch()).hasPartialSuccess()).isFalse();
    assertThat(platform.topic().batches())
        .hasSize(2)
        .allSatisfy(
            published ->
                assertThat(published.id())
                    .isEqualTo(
                        BatchId.of(
                            new TenantId("org-extra"),
                            new EnvironmentId("env-extra"),
                            batch().toByteArray())));
  }

  @Test
  void aReceiptIsNamedInTheTrailersAndAKeyOfOtherBytesIsRefused() {
    Metadata key = new Metadata();
    key.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), "grpc-1");
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    MetricsServiceBlockingStub sender =
        sender()
            .withInterceptors(
                MetadataUtils.newAttachHeadersInterceptor(key),
                MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers));
    sender.export(batch());
    assertThat(
            trailers
                .get()
                .get(Metadata.Key.of("tidemark-receipt", Metadata.ASCII_STRING_MARSHALLER)))
        .isEqualTo(platform.topic().batches().get(0).id().hex());
    assertThat(failure(sender, request(counter("other", point(now, 1)))).getStatus().getCode())
        .isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(platform.topic().batches()).hasSize(1);
  }

  @Test
  void aMessageCompressedByZstdIsReadAndLimited() {
    CompressorRegistry.getDefaultInstance().register(new Zstandard());
    sender().withCompression("zstd").export(batch());
    assertThat(platform.topic().batches().get(0).id())
        .isEqualTo(
            BatchId.of(
                new TenantId("org-extra"), new EnvironmentId("env-extra"), batch().toByteArray()));
    var metrics = new io.opentelemetry.proto.metrics.v1.Metric[100];
    java.util.Arrays.fill(metrics, counter("x".repeat(64 * 1024), point(now, 1)));
    assertThat(failure(sender().withCompression("zstd"), request(metrics)).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  /** As a sender compresses. */
  private static final class Zstandard implements Compressor {

    @Override
    public String getMessageEncoding() {
      return "zstd";
    }

    @Override
    public OutputStream compress(OutputStream message) throws IOException {
      return new ZstdOutputStream(message);
    }
  }

  @Test
  void refusedPointsAreTold() {
    var answer = sender().export(request(gauge("load", point(now, Double.NaN))));
    assertThat(answer.getPartialSuccess().getRejectedDataPoints()).isEqualTo(1);
  }

  @Test
  void anEmptyRequestIsASuccess() {
    assertThat(sender().export(ExportMetricsServiceRequest.getDefaultInstance())).isNotNull();
  }

  @Test
  void withoutValidCredentialsACallIsUnauthenticated() {
    assertThat(failure(MetricsServiceGrpc.newBlockingStub(channel), batch()).getStatus().getCode())
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(failure(sender("Bearer x"), batch()).getStatus().getCode())
        .isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void anOversizedMessageIsExhaustedWithoutRetryInfoPlainAndCompressed() {
    String long512 = "x".repeat(512);
    var metrics = new io.opentelemetry.proto.metrics.v1.Metric[2_500];
    java.util.Arrays.fill(metrics, counter(long512, point(now, 1)));
    ExportMetricsServiceRequest oversized = request(metrics);
    assertThat(oversized.getSerializedSize()).isBetween(1024 * 1024, 2 * 1024 * 1024);
    for (MetricsServiceBlockingStub sender :
        new MetricsServiceBlockingStub[] {sender(), sender().withCompression("gzip")}) {
      StatusRuntimeException failure = failure(sender, oversized);
      assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(StatusProto.fromThrowable(failure).getDetailsList()).isEmpty();
    }
  }

  @Test
  void aCompressedBombIsExhausted() {
    String long64k = "x".repeat(64 * 1024);
    var metrics = new io.opentelemetry.proto.metrics.v1.Metric[100];
    java.util.Arrays.fill(metrics, counter(long64k, point(now, 1)));
    assertThat(failure(sender().withCompression("gzip"), request(metrics)).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(platform.topic().batches()).isEmpty();
  }

  @Test
  void whenKafkaDoesNotConfirmTheSenderIsAskedToComeBack() throws Exception {
    platform.topic().failWith(new IllegalStateException("timed out"));
    StatusRuntimeException failure = failure(sender(), batch());
    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(
            StatusProto.fromThrowable(failure)
                .getDetails(0)
                .unpack(RetryInfo.class)
                .getRetryDelay()
                .getSeconds())
        .isEqualTo(5);
  }
}
