package io.tidemark.platform.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.control.v1.MetricRetention;
import io.tidemark.contracts.control.v1.TenantControl;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Retention set over the control API: what the pipeline and the queries are told of it. */
@ExtendWith(RunningPlatform.Extension.class)
class RetentionApiIT {

  private static final long DAY = 86_400;
  private static final TenantId DEMO = new TenantId("org-demo");

  private final RunningPlatform platform;
  private final ControlApi demo;

  RetentionApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  /** Queries of other tests are those of an organisation that hides nothing. */
  @AfterEach
  void nothingIsHiddenAndDruidIsEmptyAgain() {
    platform.druid().answerWith(200, "[]");
    platform.database().sql("DELETE FROM retention WHERE environment_id <> 'env-walk'").update();
    InterruptibleDelay.until(
        "a filter that hides nothing",
        Duration.ofSeconds(30),
        () -> Optional.of(platform.bean(RetentionFilter.class).filter(DEMO, Level.MINUTES)),
        Optional::isEmpty);
  }

  private String retentionOf(String environment) {
    assertThat(
            demo.post(
                    "/environments",
                    "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(environment))
                .status())
        .isEqualTo(201);
    return "/environments/" + environment + "/retention";
  }

  private Answer put(String path, String body, String ifMatch) {
    return demo.call("PUT", path, body, "If-Match", ifMatch);
  }

  private TenantControl told(String environment, long version) {
    return InterruptibleDelay.until(
        "version " + version + " of " + environment,
        Duration.ofSeconds(5),
        () ->
            platform
                .controlTopics()
                .last("control.tenants.v1", "org-demo/" + environment)
                .map(
                    record -> {
                      try {
                        return TenantControl.parseFrom(record.value());
                      } catch (com.google.protobuf.InvalidProtocolBufferException unreadable) {
                        throw new AssertionError(unreadable);
                      }
                    }),
        record -> record.getVersion() >= version);
  }

  @Test
  void thePipelineIsToldWithinFiveSecondsWhatHoldsAndFromWhen() {
    String path = retentionOf("env-kept");
    assertThat(told("env-kept", 1).hasRetention()).isFalse();
    Instant before = platform.bean(Clock.class).instant();
    Answer first =
        put(
            path,
            """
            {"rollup_1m_days":7,"raw_days":2,
             "metrics":[{"pattern":"cpu*","rollup_1h_days":90},{"pattern":"cpu.load","raw_days":1}]}
            """,
            "\"0\"");
    assertThat(first.header("ETag")).isEqualTo("\"1\"");
    TenantControl told = told("env-kept", 2);
    assertThat(told.getRetention().getRawSeconds()).isEqualTo(2 * DAY);
    assertThat(told.getRetention().getRollup1MSeconds()).isEqualTo(7 * DAY);
    assertThat(told.getRetention().getRollup1HSeconds()).isZero();
    assertThat(told.getRetention().getMetricsList())
        .containsExactly(
            MetricRetention.newBuilder().setPattern("cpu.load").setRawSeconds(DAY).build(),
            MetricRetention.newBuilder().setPattern("cpu*").setRollup1HSeconds(90 * DAY).build());
    // Every job hears of it before it matters.
    assertThat(told.getRetentionFromUnixMs())
        .isGreaterThanOrEqualTo(before.plusSeconds(60).toEpochMilli());
    assertThat(told.getRetentionBefore().getRollup1MSeconds()).isZero();
    assertThat(told.getUpdatedAtUnixMs()).isGreaterThanOrEqualTo(before.toEpochMilli());

    // While that time is ahead, the policy that still holds is kept.
    put(path, "{\"rollup_1m_days\":3}", "\"1\"");
    TenantControl again = told("env-kept", 3);
    assertThat(again.getRetention().getRollup1MSeconds()).isEqualTo(3 * DAY);
    assertThat(again.getRetentionBefore().getRollup1MSeconds()).isZero();
    // Once it is over, the policy before is the one that held.
    platform
        .database()
        .sql("UPDATE retention SET in_force_from = now() WHERE environment_id = 'env-kept'")
        .update();
    put(path, "{\"rollup_1m_days\":5}", "\"2\"");
    assertThat(told("env-kept", 4).getRetentionBefore().getRollup1MSeconds()).isEqualTo(3 * DAY);
    // Other changes of the environment do not lose it.
    demo.post("/environments/env-kept/archive", null);
    assertThat(told("env-kept", 5).getRetention().getRollup1MSeconds()).isEqualTo(5 * DAY);
  }

  @Test
  void queriesHideWhatIsOlderWithinFiveSeconds() {
    String path = retentionOf("env-hidden");
    put(path, "{\"rollup_1m_days\":1,\"metrics\":[{\"pattern\":\"cpu\"}]}", "\"0\"");
    RetentionFilter hidden = platform.bean(RetentionFilter.class);
    String filter =
        InterruptibleDelay.until(
            "a filter",
            Duration.ofSeconds(5),
            () -> hidden.filter(DEMO, Level.MINUTES).map(Object::toString),
            shown -> shown.contains("env-hidden"));
    assertThat(filter).contains("__time").contains("matchValue=cpu");
    assertThat(hidden.filter(DEMO, Level.HOURS).map(Object::toString).orElse(""))
        .doesNotContain("env-hidden");
    assertThat(hidden.filter(new TenantId("org-self"), Level.MINUTES).map(Object::toString))
        .satisfies(others -> assertThat(others.orElse("")).doesNotContain("env-hidden"));
  }

  @Test
  void thePreviewSaysWhatWouldBeRemovedAndChangesNothing() {
    String path = retentionOf("env-preview");
    put(path, "{\"rollup_1m_days\":100}", "\"0\"");
    platform.druid().queries().clear();
    platform
        .druid()
        .answerWith(
            200,
            """
            [{"timestamp":"2026-01-01T00:00:00.000Z","result":{"rows":1234,"oldest":1767225600000}}]
            """);
    Answer preview = demo.post(path + "/preview", "{\"rollup_1m_days\":7,\"raw_days\":3}");
    assertThat(preview.status()).isEqualTo(200);
    var levels = preview.body().path("levels");
    assertThat(levels).hasSize(4);
    assertThat(levels.path(0).path("kept_since").asString()).isNotEmpty();
    assertThat(levels.path(0).path("rows").isMissingNode()).isTrue();
    assertThat(levels.path(1).path("rows").asLong()).isEqualTo(1234);
    assertThat(levels.path(1).path("oldest").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(levels.path(2).path("rows").asLong()).isZero();
    assertThat(levels.path(2).path("kept_since").isMissingNode()).isTrue();
    // Only of this tenant, and not what is expired already.
    assertThat(platform.druid().queries())
        .hasSize(1)
        .allSatisfy(
            query ->
                assertThat(query)
                    .contains("\"org-demo\"")
                    .contains("\"env-preview\"")
                    .contains("\"not\"")
                    .contains("rollup_1m_hc"));
    assertThat(demo.get(path).header("ETag")).isEqualTo("\"1\"");
    platform.druid().answerWith(500, "{}");
    assertThat(demo.post(path + "/preview", "{\"rollup_1m_days\":7}").code())
        .isEqualTo("store_failed");
  }

  @Test
  void wrongOnesAndChangesForAnotherVersionAreRefused() {
    String path = retentionOf("env-unkept");
    Answer wrong = put(path, "{\"rollup_1m_days\":0,\"metrics\":[{\"pattern\":\"a*b\"}]}", "*");
    assertThat(wrong.code()).isEqualTo("invalid_request");
    assertThat(wrong.body().path("errors")).hasSize(2);
    assertThat(put(path, "{\"rollup_1m_days\":1}", "\"4\"").code())
        .isEqualTo("precondition_failed");
    assertThat(put(path, "{}", "*").status()).isEqualTo(200);
    assertThat(demo.get(path).header("ETag")).isEqualTo("\"0\"");
  }
}
