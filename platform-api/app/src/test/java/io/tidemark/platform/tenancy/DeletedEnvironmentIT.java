package io.tidemark.platform.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.catalog.SightingRecorder;
import io.tidemark.platform.catalog.Sightings;
import io.tidemark.platform.receipts.BatchCopy;
import io.tidemark.platform.receipts.ReceiptRecorder;
import io.tidemark.platform.retention.Level;
import io.tidemark.platform.retention.RetentionFilter;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is left of an environment when its deletion is final: its identifier and the audit log. */
@ExtendWith(RunningPlatform.Extension.class)
class DeletedEnvironmentIT {

  private static final List<String> TABLES =
      List.of(
          "metric_declaration", "metric_sighting", "resource", "quota", "retention", "batch_copy");

  private final RunningPlatform platform;
  private final ControlApi self;

  DeletedEnvironmentIT(RunningPlatform platform) {
    this.platform = platform;
    this.self = new ControlApi(platform, "org-self", RunningPlatform.SELF_KEY);
  }

  private long rows(String table) {
    return platform
        .database()
        .sql("SELECT count(*) FROM " + table + " WHERE environment_id = 'env-erased'")
        .query(Long.class)
        .single();
  }

  @Test
  void nothingOfItIsKeptShownOrToldAndTheLogSaysWhatWasRemoved() {
    String environment = "/environments/env-erased";
    self.post("/environments", "{\"id\":\"env-erased\",\"display_name\":\"x\"}");
    self.post(environment + "/metrics", "{\"name\":\"cpu\"}");
    self.call("PUT", environment + "/quotas", "{\"points_per_second\":5}", "If-Match", "*");
    self.call("PUT", environment + "/retention", "{\"raw_days\":5}", "If-Match", "*");
    Sightings seen = new Sightings();
    seen.add(
        "org-self",
        "env-erased",
        "disk",
        "gauge",
        "By",
        "service",
        "shop",
        List.of("host"),
        60_000);
    platform.bean(SightingRecorder.class).record(seen);
    platform
        .bean(ReceiptRecorder.class)
        .record(
            List.of(
                new BatchCopy(
                    TenantId.PLATFORM,
                    new EnvironmentId("env-erased"),
                    "ef".repeat(32),
                    null,
                    0,
                    1,
                    platform.bean(Clock.class).instant(),
                    5,
                    Map.of())),
            List.of());
    assertThat(TABLES).allSatisfy(table -> assertThat(rows(table)).as(table).isPositive());

    assertThat(self.call("DELETE", environment, null).status()).isEqualTo(202);
    platform
        .database()
        .sql(
            """
            UPDATE environment SET delete_after = now() - interval '1 second'
            WHERE id = 'env-erased'
            """)
        .update();
    platform.bean(EnvironmentDeletionFinalizer.class).finishDue();

    assertThat(TABLES).allSatisfy(table -> assertThat(rows(table)).as(table).isZero());
    InterruptibleDelay.until(
        "the tombstone of what was declared",
        Duration.ofSeconds(5),
        () -> platform.controlTopics().last("control.metrics.v1", "org-self/env-erased/cpu"),
        record -> record.value() == null);
    InterruptibleDelay.until(
        "queries that hide it",
        Duration.ofSeconds(5),
        () ->
            platform
                .bean(RetentionFilter.class)
                .filter(new TenantId("org-self"), Level.DAYS)
                .map(Object::toString),
        filter -> filter.contains("env-erased"));
    Answer log = self.get("/audit-log?object_id=env-erased&action=catalog.remove");
    assertThat(log.body().path("data").path(0).path("after").asString())
        .contains("\"declarations\":1")
        .contains("\"discovered_metrics\":1")
        .contains("\"resources\":1");
    assertThat(
            self.get("/audit-log?object_id=env-erased&action=receipts.remove")
                .body()
                .path("data")
                .path(0)
                .path("after")
                .asString())
        .isEqualTo("{\"receipts\":1,\"copies\":1,\"set_aside\":0}");
    // Rows that come late, of batches accepted before, bring nothing back.
    platform.bean(SightingRecorder.class).record(later());
    assertThat(rows("metric_sighting")).isZero();
  }

  private static Sightings later() {
    Sightings later = new Sightings();
    later.add(
        "org-self", "env-erased", "disk", "gauge", "By", "service", "shop", List.of(), 9_000_000);
    return later;
  }
}
