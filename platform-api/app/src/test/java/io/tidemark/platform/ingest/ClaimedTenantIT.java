package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.label;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static io.tidemark.platform.testing.TestingRemoteWrite.series;
import static io.tidemark.platform.testing.TestingRemoteWrite.snappy;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A sender that names another tenant, in headers or in what it sends, at every door: the batch is
 * the key's.
 */
@ExtendWith(RunningPlatform.Extension.class)
class ClaimedTenantIT {

  private static final String KEY = TestingKeys.bearer(RunningPlatform.EXTRA_KEY);

  private static final List<String> CLAIMS =
      List.of(
          "organization_id",
          "tenant.id",
          "tidemark.tenant",
          "tidemark.organization.id",
          "organization");

  private static final List<String> HEADERS =
      List.of("X-Scope-OrgID", "X-Tenant-Id", "organization-id", "tidemark-organization-id");

  private final RunningPlatform platform;
  private final Instant now;

  ClaimedTenantIT(RunningPlatform platform) {
    this.platform = platform;
    this.now = platform.bean(Clock.class).instant();
  }

  @AfterEach
  void forget() {
    platform.topic().reset();
  }

  private ExportMetricsServiceRequest claiming() {
    ExportMetricsServiceRequest.Builder batch =
        request(counter("orders", point(now, 1))).toBuilder();
    CLAIMS.forEach(
        claim ->
            batch
                .getResourceMetricsBuilder(0)
                .getResourceBuilder()
                .addAttributes(label(claim, "org-demo")));
    return batch.build();
  }

  private HttpResponse<byte[]> send(String path, byte[] body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", KEY));
    all.addAll(List.of("Content-Type", "application/x-protobuf"));
    all.addAll(List.of(headers));
    HEADERS.forEach(header -> all.addAll(List.of(header, "org-demo")));
    return Http.post(platform.otlp(path), body, all.toArray(String[]::new));
  }

  private void assertOfTheKey() {
    assertThat(platform.topic().batches())
        .singleElement()
        .satisfies(
            batch -> {
              assertThat(batch.organization()).isEqualTo(new TenantId("org-extra"));
              assertThat(batch.environment().value()).isEqualTo("env-extra");
            });
  }

  @Test
  void overHttp() {
    byte[] body = claiming().toByteArray();

    assertThat(send("/v1/metrics", body).statusCode()).isEqualTo(200);

    assertOfTheKey();
    assertThat(platform.topic().batches().get(0).record()).isEqualTo(body);
  }

  @Test
  void overGrpc() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), KEY);
    HEADERS.forEach(
        header ->
            headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), "org-demo"));
    ManagedChannel channel = platform.grpc();
    try {
      var answer =
          MetricsServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .export(claiming());
      assertThat(answer.hasPartialSuccess()).isFalse();
    } finally {
      channel.shutdownNow();
    }

    assertOfTheKey();
  }

  @Test
  void overRemoteWrite() {
    byte[] body =
        snappy(
            TestingRemoteWrite.request(
                series(
                    1,
                    now.toEpochMilli(),
                    "__name__",
                    "up",
                    "__tenant_id__",
                    "org-demo",
                    "organization_id",
                    "org-demo",
                    "tenant",
                    "org-demo")));

    assertThat(send("/api/v1/write", body, "Content-Encoding", "snappy").statusCode())
        .isEqualTo(204);

    assertOfTheKey();
  }
}
