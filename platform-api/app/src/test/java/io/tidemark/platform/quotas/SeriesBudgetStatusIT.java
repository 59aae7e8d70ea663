package io.tidemark.platform.quotas;

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
import io.opentelemetry.proto.collector.metrics.v1.MetricsServiceGrpc;
import io.tidemark.platform.quotas.SeriesBudgetStatus.Budget;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What senders see of an environment that the pipeline says has too many series. */
@ExtendWith(RunningPlatform.Extension.class)
class SeriesBudgetStatusIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final String PROTOBUF = "application/x-protobuf";

  private final RunningPlatform platform;
  private final ControlApi demo;
  private final Instant now;

  SeriesBudgetStatusIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    this.now = platform.bean(Clock.class).instant();
  }

  @AfterEach
  void forgetWhatWasSent() {
    platform.topic().reset();
  }

  /** A key that may send to an environment made for it. */
  private String keyOfNew(String environment) {
    assertThat(
            demo.post(
                    "/environments",
                    "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(environment))
                .status())
        .isEqualTo(201);
    String account =
        demo.post("/service-accounts", "{\"display_name\":\"Sender\",\"role\":\"developer\"}")
            .body()
            .path("id")
            .asString();
    return TestingKeys.bearer(
        demo.post(
                "/service-accounts/" + account + "/api-keys",
                "{\"environment_id\":\"%s\",\"scopes\":[\"metrics:write\"]}".formatted(environment))
            .body()
            .path("secret")
            .asString());
  }

  private void budgets(String environment, String body) {
    assertThat(
            demo.call("PUT", "/environments/" + environment + "/budgets", body, "If-Match", "*")
                .status())
        .isEqualTo(200);
  }

  private void told(String environment, Budget budget, long limit) {
    platform
        .bean(BudgetViolations.class)
        .told(DEMO, new EnvironmentId(environment), budget, limit, now);
  }

  private HttpResponse<byte[]> otlp(String authorization) {
    return Http.post(
        platform.otlp("/v1/metrics"),
        request(counter("orders", point(now, 1))).toByteArray(),
        "Content-Type",
        PROTOBUF,
        "Authorization",
        authorization);
  }

  private HttpResponse<byte[]> untilStatus(String authorization, int status) {
    return InterruptibleDelay.until(
        "answer " + status,
        Duration.ofSeconds(5),
        () -> Optional.of(otlp(authorization)),
        response -> response.statusCode() == status);
  }

  @Test
  void everyDoorRefusesByNameWhatAnEnvironmentInExcessSendsWhenItIsSetTo() throws Exception {
    String key = keyOfNew("env-in-excess");
    String beside = keyOfNew("env-beside-excess");
    told("env-in-excess", Budget.ACTIVE_SERIES, 40);
    told("env-beside-excess", Budget.ACTIVE_SERIES, 40);
    assertThat(otlp(key).statusCode()).as("folding is what the plan says").isEqualTo(200);
    budgets("env-in-excess", "{\"active_series\":40,\"when_series_exceeded\":\"refuse\"}");
    HttpResponse<byte[]> refused = untilStatus(key, 429);
    platform.topic().reset();

    assertThat(Long.parseLong(refused.headers().firstValue("Retry-After").orElseThrow()))
        .isBetween(60L, 120L);
    Status answer = Status.parseFrom(refused.body());
    assertThat(answer.getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
    assertThat(answer.getMessage()).contains("budget active_series of 40 ");
    assertThat(answer.getDetails(0).is(RetryInfo.class)).isTrue();
    HttpResponse<byte[]> written =
        Http.post(
            platform.otlp("/api/v1/write"),
            snappy(TestingRemoteWrite.request(series(1, now.toEpochMilli(), "__name__", "up"))),
            "Content-Type",
            PROTOBUF,
            "Authorization",
            key);
    assertThat(written.statusCode()).isEqualTo(429);
    assertThat(written.headers().firstValue("Retry-After")).isPresent();
    assertThat(Http.text(written)).contains("active_series");
    Status called = overGrpc(key);
    assertThat(called.getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED_VALUE);
    assertThat(called.getMessage()).contains("active_series");
    assertThat(called.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds())
        .isPositive();
    assertThat(platform.topic().batches()).as("nothing of it is stored").isEmpty();
    assertThat(otlp(beside).statusCode()).isEqualTo(200);

    budgets("env-in-excess", "{\"active_series\":41,\"when_series_exceeded\":\"refuse\"}");
    untilStatus(key, 200);
    told("env-in-excess", Budget.NEW_SERIES_PER_MINUTE, 50_000);
    assertThat(Status.parseFrom(untilStatus(key, 429).body()).getMessage())
        .contains("new_series_per_minute of 50000 ");
    budgets("env-in-excess", "{\"when_series_exceeded\":\"fold\"}");
    untilStatus(key, 200);
  }

  private Status overGrpc(String authorization) {
    ManagedChannel channel = platform.grpc();
    try {
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
      var sender =
          MetricsServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
      return StatusProto.fromThrowable(
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> sender.export(request(counter("orders", point(now, 1))))));
    } finally {
      channel.shutdownNow();
    }
  }
}
