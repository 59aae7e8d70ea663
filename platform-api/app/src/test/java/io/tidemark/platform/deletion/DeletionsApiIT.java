package io.tidemark.platform.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.contracts.control.v1.Removal;
import io.tidemark.platform.audit.Actor;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.deletion.DeletableRows.TaskState;
import io.tidemark.platform.druid.DatasourcePlacements;
import io.tidemark.platform.retention.Retention;
import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.IdentifierSource;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingDeletableRows;
import io.tidemark.platform.testing.TestingDeletableRows.Row;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Data that are deleted or have expired go from the stores, and a certificate says so. */
@ExtendWith(RunningPlatform.Extension.class)
class DeletionsApiIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final Instant TODAY = Instant.now().truncatedTo(ChronoUnit.DAYS);

  private final RunningPlatform platform;
  private final ControlApi demo;
  private final TestingDeletableRows rows;

  DeletionsApiIT(RunningPlatform platform) {
    this.platform = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
    this.rows = platform.deletableRows();
  }

  @BeforeEach
  void thePipelineIsNotBehind() {
    empty();
    platform.progress().completeUntil(Instant.now().plus(1, ChronoUnit.DAYS));
  }

  @AfterEach
  void nothingIsLeft() {
    empty();
    platform.progress().nothingIsKnown();
  }

  private void empty() {
    rows.clear();
    platform.database().sql("DELETE FROM removal WHERE environment_id LIKE 'env-del%'").update();
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id;
  }

  private void row(String environment, String metric, Instant window) {
    for (String datasource : List.of("rollup_1m", "rollup_1h", "rollup_1d")) {
      rows.add(new Row(datasource, "org-demo", environment, metric, "s", window, 1, 5, true));
    }
  }

  /** As the loop, until nothing changes any more. */
  private void advance(String id) {
    for (int i = 0; i < 4; i++) {
      platform.bean(DeletionExecutor.class).advanceAll();
      rows.publish();
      // Time that a supervisor needs to set out.
      platform
          .database()
          .sql(
              """
              UPDATE removal SET druid = (
                SELECT jsonb_agg(CASE WHEN step ->> 'handedOffAt' IS NULL THEN step
                  ELSE step || jsonb_build_object('handedOffAt', now() - interval '1 minute') END)
                FROM jsonb_array_elements(druid) AS step)
              WHERE id = :id
              """)
          .param("id", id)
          .update();
      rows.endTasks(TaskState.SUCCEEDED);
    }
    platform.bean(DeletionExecutor.class).advanceAll();
  }

  private void lakeIsDone(String id, long removedRows) {
    DeletionReportRecorder lake = platform.bean(DeletionReportRecorder.class);
    for (String table : DeletionTargets.TABLES) {
      // Told twice, counted once.
      lake.removed(DEMO, id, table, 77, removedRows, TODAY);
      lake.removed(DEMO, id, table, 77, removedRows, TODAY);
      lake.nothingLeft(DEMO, id, table, Instant.now().plusSeconds(1));
    }
  }

  private static String sha256(String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private Removal told(String environment, String id) throws Exception {
    return Removal.parseFrom(
        InterruptibleDelay.until(
                "the order",
                Duration.ofSeconds(5),
                () ->
                    platform
                        .controlTopics()
                        .last("control.removals.v1", "org-demo/" + environment + "/" + id),
                record -> record.value() != null)
            .value());
  }

  @Test
  void aMetricGoesFromEveryStoreAndTheCertificateIsInTheAuditLog() throws Exception {
    String path = environment("env-del-metric") + "/deletions";
    Instant old = TODAY.minus(3, ChronoUnit.DAYS);
    row("env-del-metric", "cpu", old);
    row("env-del-metric", "disk", old);
    row("env-del-other", "cpu", old);

    Answer preview = demo.post(path + "/preview", "{\"metric\":\"cpu\"}");
    assertThat(preview.body().path("refused").asBoolean()).isFalse();
    assertThat(preview.body().path("stores").path(0).path("rows").asLong()).isEqualTo(1);
    assertThat(preview.body().path("stores").path(0).path("points").asLong()).isEqualTo(5);
    assertThat(preview.body().path("stores").path(0).path("oldest").asString())
        .isEqualTo(old.toString());
    assertThat(rows.rows()).hasSize(9);

    Answer begun = demo.post(path, "{\"metric\":\"cpu\"}", "Idempotency-Key", "once");
    assertThat(begun.status()).isEqualTo(202);
    String id = begun.body().path("id").asString();
    assertThat(begun.header("Location")).endsWith(path + "/" + id);
    assertThat(
            demo.post(path, "{\"metric\":\"cpu\"}", "Idempotency-Key", "once")
                .body()
                .path("id")
                .asString())
        .isEqualTo(id);
    assertThat(told("env-del-metric", id).getRules(0).getPattern()).isEqualTo("cpu");

    advance(id);
    assertThat(rows.rows()).as("others stay").hasSize(6);
    Answer running = demo.get(path + "/" + id);
    assertThat(running.body().path("state").asString()).isEqualTo("running");
    assertThat(running.body().path("certificate").isMissingNode()).isTrue();

    lakeIsDone(id, 4);
    platform.bean(DeletionExecutor.class).advanceAll();
    JsonNode done = demo.get(path + "/" + id).body();
    assertThat(done.path("state").asString()).isEqualTo("done");
    String certificate = done.path("certificate").asString();
    assertThat(sha256(certificate)).isEqualTo(done.path("certificate_sha256").asString());
    JsonNode said = JsonMapper.builder().build().readTree(certificate);
    assertThat(said.path("druid").path(0).path("rows_removed").asLong()).isEqualTo(1);
    assertThat(said.path("druid").path(0).path("points_removed").asLong()).isEqualTo(5);
    assertThat(said.path("lake").path(0).path("rows_removed").asLong()).isEqualTo(4);
    assertThat(said.path("kafka").path(0).path("topic").asString())
        .isEqualTo("telemetry.points.v1");
    Answer log = demo.get("/audit-log?object_id=" + id);
    assertThat(log.body().path("data").path(0).path("action").asString())
        .isEqualTo("deletion.certify");
    assertThat(log.body().path("data").path(0).path("after").asString())
        .contains(done.path("certificate_sha256").asString());
    assertThat(log.body().path("data").path(1).path("action").asString())
        .isEqualTo("deletion.request");
    InterruptibleDelay.until(
        "the tombstone",
        Duration.ofSeconds(5),
        () -> platform.controlTopics().last("control.removals.v1", "org-demo/env-del-metric/" + id),
        record -> record.value() == null);
  }

  /** What was accepted is still on its way to both stores. */
  @Test
  void nothingIsCertifiedWhileThePipelineLags() throws Exception {
    String path = environment("env-del-lag") + "/deletions";
    Instant old = TODAY.minus(3, ChronoUnit.DAYS);
    row("env-del-lag", "cpu", old);
    String id = demo.post(path, "{\"metric\":\"cpu\"}").body().path("id").asString();
    long settled = told("env-del-lag", id).getSettledFromUnixMs();
    for (Instant until : new Instant[] {null, Instant.now().minus(1, ChronoUnit.HOURS)}) {
      platform.progress().completeUntil(until);
      advance(id);
      lakeIsDone(id, 4);
      platform.bean(DeletionExecutor.class).advanceAll();
      assertThat(demo.get(path + "/" + id).body().path("state").asString()).isEqualTo("running");
    }
    InterruptibleDelay.until(
        "a later order",
        Duration.ofSeconds(5),
        () -> java.util.Optional.of(settledFrom("env-del-lag", id)),
        later -> later > settled);

    // The late rows arrive, and with them the pipeline catches up.
    row("env-del-lag", "cpu", old);
    row("env-del-lag", "cpu", old.minus(1, ChronoUnit.DAYS));
    platform.progress().completeUntil(Instant.now().plus(1, ChronoUnit.DAYS));
    platform
        .database()
        .sql("UPDATE removal SET settled_from = now() WHERE id = :id")
        .param("id", id)
        .update();
    advance(id);
    assertThat(rows.rows()).isEmpty();
    lakeIsDone(id, 4);
    platform.bean(DeletionExecutor.class).advanceAll();
    assertThat(demo.get(path + "/" + id).body().path("state").asString()).isEqualTo("done");
  }

  /** Whether the pipeline lags is asked when a pass begins; what settles within it waits. */
  @Test
  void nothingIsDoneThatSettlesWithinAPass() throws Exception {
    String path = environment("env-del-within") + "/deletions";
    String id = demo.post(path, "{\"metric\":\"cpu\"}").body().path("id").asString();
    Instant settled =
        Instant.ofEpochMilli(told("env-del-within", id).getSettledFromUnixMs()).plusSeconds(60);
    platform
        .database()
        .sql("UPDATE removal SET settled_from = :at WHERE id = :id")
        .param("at", settled.atOffset(ZoneOffset.UTC))
        .param("id", id)
        .update();
    platform.progress().nothingIsKnown();
    // What is due and when the pass began are asked for first.
    Iterator<Instant> before = List.of(settled.minusMillis(1), settled.minusMillis(1)).iterator();
    executor(() -> before.hasNext() ? before.next() : settled).advanceAll();
    List<DruidDeletionStep> steps =
        platform
            .bean(TenantTransactions.class)
            .within(DEMO, () -> platform.bean(JdbcDeletionRepository.class).find(DEMO, id))
            .orElseThrow()
            .druid();
    assertThat(steps).isNotEmpty().noneMatch(DruidDeletionStep::isDone);
  }

  private DeletionExecutor executor(InstantSource times) {
    return new DeletionExecutor(
        platform.bean(TenantTransactions.class),
        platform.bean(RegionDeletions.class),
        platform.bean(DeletableRows.class),
        platform.bean(PipelineProgress.class),
        platform.bean(DeletionProperties.class),
        times.withZone(ZoneOffset.UTC));
  }

  private long settledFrom(String environment, String id) {
    try {
      return told(environment, id).getSettledFromUnixMs();
    } catch (Exception unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @Test
  void whatIsStillSentIsRefusedUnlessWholeDaysBeforeAreMeant() {
    String path = environment("env-del-sent") + "/deletions";
    row("env-del-sent", "cpu", Instant.now().truncatedTo(ChronoUnit.MINUTES));
    row("env-del-sent", "cpu", TODAY.minusSeconds(60));
    Answer refused = demo.post(path, "{\"metric\":\"cpu\"}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("conflict");
    assertThat(
            demo.post(path + "/preview", "{\"metric\":\"cpu\"}").body().path("refused").asBoolean())
        .isTrue();
    String before = "{\"metric\":\"cpu\",\"before\":\"" + TODAY + "\"}";
    String id = demo.post(path, before).body().path("id").asString();
    advance(id);
    assertThat(rows.rows()).hasSize(3).allMatch(row -> !row.window().isBefore(TODAY));

    Answer wrong =
        demo.post(
            path, "{\"metric\":\"\",\"series_id\":\"x\",\"before\":\"2026-01-01T01:00:00Z\"}");
    assertThat(wrong.code()).isEqualTo("invalid_request");
    assertThat(wrong.body().path("errors")).hasSize(3);
  }

  @Test
  void expiredRowsGoAndNothingElseEverDoes() {
    String environment = environment("env-del-kept");
    demo.call(
        "PUT",
        environment + "/retention",
        "{\"rollup_1m_days\":7,\"metrics\":[{\"pattern\":\"cpu*\",\"rollup_1m_days\":30}]}",
        "If-Match",
        "*");
    row("env-del-kept", "disk", TODAY.minus(8, ChronoUnit.DAYS));
    row("env-del-kept", "disk", TODAY.minus(6, ChronoUnit.DAYS));
    row("env-del-kept", "cpu.load", TODAY.minus(8, ChronoUnit.DAYS));
    row("env-del-other", "disk", TODAY.minus(80, ChronoUnit.DAYS));
    DeletionScheduler beginning = platform.bean(DeletionScheduler.class);
    beginning.beginDue();
    beginning.beginDue();
    JsonNode runs = demo.get(environment + "/deletions").body().path("data");
    assertThat(runs).hasSize(1);
    assertThat(runs.path(0).path("kind").asString()).isEqualTo("retention");
    String id = runs.path(0).path("id").asString();

    advance(id);
    // A row of minutes of one metric; hours and days are kept without a limit.
    assertThat(rows.rows()).hasSize(11);
    assertThat(rows.rows())
        .filteredOn(row -> row.metric().equals("disk") && row.datasource().equals("rollup_1m"))
        .extracting(Row::window)
        .containsExactlyInAnyOrder(
            TODAY.minus(6, ChronoUnit.DAYS), TODAY.minus(80, ChronoUnit.DAYS));
    lakeIsDone(id, 1);
    platform.bean(DeletionExecutor.class).advanceAll();
    assertThat(demo.get(environment + "/deletions/" + id).body().path("state").asString())
        .isEqualTo("done");
    int tasks = rows.begun();
    beginning.beginDue();
    platform
        .database()
        .sql("UPDATE removal SET created_at = created_at - interval '13 hours' WHERE id = :id")
        .param("id", id)
        .update();
    beginning.beginDue();
    JsonNode again = demo.get(environment + "/deletions").body().path("data");
    assertThat(again).hasSize(2);
    advance(again.path(1).path("id").asString());
    assertThat(rows.rows()).hasSize(11);
    assertThat(rows.begun()).as("there is nothing to do").isEqualTo(tasks);
  }

  @Test
  void dataOfADeletedEnvironmentGoAndItsCertificateCanStillBeRead() {
    String environment = environment("env-del-gone");
    row("env-del-gone", "cpu", TODAY.minus(8, ChronoUnit.DAYS));
    row("env-del-other", "cpu", TODAY.minus(8, ChronoUnit.DAYS));
    platform
        .database()
        .sql(
            "UPDATE environment SET state = 'deleted', updated_at = now() WHERE id = 'env-del-gone'")
        .update();
    platform
        .bean(AuditLog.class)
        .done(
            DEMO,
            Actor.system("finishing-deletions"),
            "receipts.remove",
            "environment",
            "env-del-gone",
            null,
            Map.of("receipts", 3));
    rows.away(true);
    platform.bean(DeletionScheduler.class).beginDue();
    assertThat(demo.get(environment + "/deletions").body().path("data")).isEmpty();
    rows.away(false);
    platform.bean(DeletionScheduler.class).beginDue();
    JsonNode begun = demo.get(environment + "/deletions").body().path("data").path(0);
    assertThat(begun.path("kind").asString()).isEqualTo("environment");
    advance(begun.path("id").asString());
    assertThat(rows.rows()).hasSize(3).allMatch(row -> row.environment().equals("env-del-other"));
    lakeIsDone(begun.path("id").asString(), 2);
    platform.bean(DeletionExecutor.class).advanceAll();
    JsonNode done = demo.get(environment + "/deletions/" + begun.path("id").asString()).body();
    assertThat(done.path("certificate_sha256").asString()).hasSize(64);
    assertThat(done.path("certificate").asString())
        .contains(
            "\"control_plane\":[{\"action\":\"receipts.remove\",\"removed\":{\"receipts\":3}}]");
    assertThat(demo.post(environment + "/deletions", "{\"metric\":\"cpu\"}").status())
        .isEqualTo(404);
  }

  @Test
  void anInstanceWhoseClaimRanOutWritesNothingOverTheNextOne() {
    environment("env-del-claim");
    String id =
        demo.post("/environments/env-del-claim/deletions", "{\"metric\":\"cpu\"}")
            .body()
            .path("id")
            .asString();
    JdbcDeletionRepository removals = platform.bean(JdbcDeletionRepository.class);
    TenantTransactions transactions = platform.bean(TenantTransactions.class);
    Instant now = platform.bean(Clock.class).instant().truncatedTo(ChronoUnit.MICROS);
    Instant first = now.plus(5, ChronoUnit.MINUTES);
    Instant second = first.plus(6, ChronoUnit.MINUTES);
    List<DruidDeletionStep> slow = List.of(DruidDeletionStep.begin("slow"));
    List<DruidDeletionStep> newer = List.of(DruidDeletionStep.begin("newer"));
    transactions.run(
        DEMO,
        () -> {
          assertThat(removals.claim(DEMO, id, now, first)).isTrue();
          assertThat(removals.claim(DEMO, id, now.plusSeconds(60), second)).isFalse();
          assertThat(removals.claim(DEMO, id, first.plusSeconds(60), second)).isTrue();
          assertThat(removals.setDruid(DEMO, id, slow, first)).isFalse();
          assertThat(removals.setDruid(DEMO, id, newer, second)).isTrue();
          assertThat(removals.find(DEMO, id).orElseThrow().druid()).isEqualTo(newer);
        });
    transactions.run(DEMO, () -> removals.finish(DEMO, id, now, "a certificate", "0".repeat(64)));
  }

  /** An instance that found an environment due, maybe before another one began. */
  private DeletionScheduler foundDue(String environment) {
    CrossTenantDeletions found =
        new CrossTenantDeletions(null) {
          @Override
          List<Owner> toExpire(Instant lastBefore) {
            return List.of();
          }

          @Override
          List<Owner> toClear(Instant onceBefore) {
            return List.of(new Owner(DEMO, new EnvironmentId(environment)));
          }
        };
    return new DeletionScheduler(
        platform.bean(TenantTransactions.class),
        found,
        platform.bean(JdbcDeletionRepository.class),
        rows,
        DatasourcePlacements.NONE,
        platform.bean(LakeDeletionPublisher.class),
        platform.bean(Retention.class),
        platform.bean(AuditLog.class),
        platform.bean(DeletionProperties.class),
        platform.bean(IdentifierSource.class),
        platform.bean(Clock.class));
  }

  @Test
  void ofInstancesThatFindAnEnvironmentDueOneBegins() {
    String deletions = environment("env-del-twice") + "/deletions";
    platform
        .database()
        .sql(
            "UPDATE environment SET state = 'deleted', updated_at = now() WHERE id = 'env-del-twice'")
        .update();
    CompletableFuture.allOf(
            CompletableFuture.runAsync(foundDue("env-del-twice")::beginDue),
            CompletableFuture.runAsync(foundDue("env-del-twice")::beginDue))
        .join();
    assertThat(demo.get(deletions).body().path("data")).hasSize(1);

    String id = demo.get(deletions).body().path("data").path(0).path("id").asString();
    advance(id);
    lakeIsDone(id, 0);
    platform.bean(DeletionExecutor.class).advanceAll();
    assertThat(demo.get(deletions + "/" + id).body().path("state").asString()).isEqualTo("done");
    foundDue("env-del-twice").beginDue();
    assertThat(demo.get(deletions).body().path("data")).as("begun and done since").hasSize(1);

    // An earlier version may have begun twice; the last removal comes all the same, and once.
    platform
        .database()
        .sql(
            """
            INSERT INTO removal (organization_id, id, environment_id, kind, subject, rules, created_at,
              settled_from, druid, lake, control_plane, finished_at, certificate, certificate_sha256)
            SELECT organization_id, id || '0', environment_id, kind, subject, rules, created_at,
              settled_from, druid, lake, control_plane, finished_at, certificate, certificate_sha256
            FROM removal WHERE id = :id
            """)
        .param("id", id)
        .update();
    platform
        .database()
        .sql(
            "UPDATE removal SET created_at = created_at - interval '9 days' WHERE environment_id = 'env-del-twice'")
        .update();
    platform.bean(DeletionScheduler.class).beginDue();
    platform.bean(DeletionScheduler.class).beginDue();
    assertThat(demo.get(deletions).body().path("data")).hasSize(3);
  }
}
