package io.tidemark.platform.quotas;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.rpc.Status;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Quotas set over the control API, and what a sender notices of them. */
@ExtendWith(RunningPlatform.Extension.class)
class QuotasApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");

  private final RunningPlatform platform;
  private final ControlApi demo;

  QuotasApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  @AfterEach
  void forgetWhatWasSent() {
    platform.topic().reset();
  }

  private void makeEnvironment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
  }

  private Answer put(String path, String body, String ifMatch) {
    return demo.call("PUT", path, body, "If-Match", ifMatch);
  }

  /** A key of the environment that may send. */
  private String keyOf(String environment) {
    String account =
        demo.post("/service-accounts", "{\"display_name\":\"Sender\",\"role\":\"developer\"}")
            .body()
            .path("id")
            .asString();
    return demo.post(
            "/service-accounts/" + account + "/api-keys",
            "{\"environment_id\":\"%s\",\"scopes\":[\"metrics:write\"]}".formatted(environment))
        .body()
        .path("secret")
        .asString();
  }

  private HttpResponse<byte[]> send(String key) {
    return Http.post(
        platform.otlp("/v1/metrics"),
        request(counter("orders", point(platform.bean(Clock.class).instant(), 1))).toByteArray(),
        "Content-Type",
        "application/x-protobuf",
        "Authorization",
        TestingKeys.bearer(key));
  }

  private static String told(HttpResponse<byte[]> refusal) {
    try {
      return Status.parseFrom(refusal.body()).getMessage();
    } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private HttpResponse<byte[]> untilStatus(String key, int status) {
    return InterruptibleDelay.until(
        "answer " + status,
        Duration.ofSeconds(5),
        () -> Optional.of(send(key)),
        response -> response.statusCode() == status);
  }

  @Test
  void aLoweredQuotaStopsItsSenderWithinFiveSecondsByNameAndARaisedOneLetsItGoOn() {
    makeEnvironment("env-lowered");
    makeEnvironment("env-beside");
    String key = keyOf("env-lowered");
    String beside = keyOf("env-beside");
    assertThat(send(key).statusCode()).isEqualTo(200);
    Answer lowered =
        put("/environments/env-lowered/quotas", "{\"requests_per_second\":1}", "\"0\"");
    assertThat(lowered.status()).isEqualTo(200);
    HttpResponse<byte[]> refused = untilStatus(key, 429);
    assertThat(told(refused)).contains("requests_per_second of 1 ");
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(send(beside).statusCode()).isEqualTo(200);
    // What is kept is what an instance that starts now reads.
    CachedQuotas started =
        new CachedQuotas(
            platform.bean(QuotaLookup.class)::of,
            new QuotaAmounts(9, 9, 9),
            platform.bean(RowChanges.class),
            Ticker.systemTicker());
    assertThat(started.of(DEMO, new EnvironmentId("env-lowered")).environment().requests())
        .isEqualTo(1);
    assertThat(put("/environments/env-lowered/quotas", "{}", lowered.header("ETag")).status())
        .isEqualTo(200);
    untilStatus(key, 200);
  }

  @Test
  void whatIsInForceIsTheLeastOfWhatIsSetAboveAndInThePlan() {
    makeEnvironment("env-least");
    Answer before = demo.get("/quotas");
    Answer whole = put("/quotas", "{\"points_per_second\":1000000}", before.header("ETag"));
    assertThat(whole.body().path("in_force").path("points_per_second").asLong())
        .isEqualTo(1_000_000);
    put(
        "/environments/env-least/quotas",
        "{\"points_per_second\":2000000,\"requests_per_second\":50}",
        "\"0\"");
    Answer part = demo.get("/environments/env-least/quotas");
    assertThat(part.body().path("set").path("points_per_second").asLong()).isEqualTo(2_000_000);
    assertThat(part.body().path("in_force").path("points_per_second").asLong())
        .isEqualTo(1_000_000);
    assertThat(part.body().path("in_force").path("requests_per_second").asLong()).isEqualTo(50);
    assertThat(part.body().path("in_force").path("bytes_per_second").asLong())
        .isEqualTo(2_000_000_000);
    assertThat(put("/quotas", "{}", whole.header("ETag")).status()).isEqualTo(200);
  }

  @Test
  void aQuotaOutsideThePlanAndAChangeForAnotherVersionAreRefused() {
    makeEnvironment("env-refused");
    String path = "/environments/env-refused/quotas";
    Answer tooMuch =
        put(path, "{\"points_per_second\":2000000001,\"bytes_per_second\":0}", "\"0\"");
    assertThat(tooMuch.status()).isEqualTo(400);
    assertThat(tooMuch.code()).isEqualTo("invalid_request");
    assertThat(tooMuch.body().path("errors")).hasSize(2);
    assertThat(put(path, "{\"points_per_second\":5}", "\"0\"").header("ETag")).isEqualTo("\"1\"");
    assertThat(put(path, "{\"points_per_second\":6}", "\"0\"").code())
        .isEqualTo("precondition_failed");
    assertThat(demo.call("PUT", path, "{}").code()).isEqualTo("precondition_required");
    assertThat(demo.get("/environments/env-missing/quotas").status()).isEqualTo(404);
    assertThat(put("/environments/env-missing/quotas", "{}", "*").status()).isEqualTo(404);
    Answer log = demo.get("/audit-log?object_id=env-refused&action=quotas.change");
    assertThat(log.body().path("data").path(0).path("after").asString()).contains("5");
  }
}
