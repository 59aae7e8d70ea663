package io.tidemark.platform.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.contracts.control.v1.Removal;
import io.tidemark.platform.deletion.DeletableRows.TaskState;
import io.tidemark.platform.outbox.ControlRecord;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingDeletableRows;
import io.tidemark.platform.testing.TestingDeletableRows.Row;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is deleted goes from the stores of a second region, too, and nothing is certified before.
 */
@ExtendWith(RunningPlatform.Extension.class)
class RegionDeletionsIT {

  private static final TenantId DEMO = new TenantId("org-demo");
  private static final String WEST = "west";
  private static final Instant OLD =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(3, ChronoUnit.DAYS);

  private final RunningPlatform first;
  private final ControlApi demo;
  private RunningPlatform second;

  RegionDeletionsIT(RunningPlatform platform) {
    this.first = platform;
    this.demo = new ControlApi(platform, "org-demo", RunningPlatform.DEMO_KEY);
  }

  @BeforeEach
  void twoRegionsWhosePipelinesAreNotBehind() {
    second = first.beside(Map.of("TIDEMARK_ROLES", "query", "TIDEMARK_REGION", WEST));
    first.deletableRows().clear();
    for (RunningPlatform region : List.of(first, second)) {
      region.progress().completeUntil(Instant.now().plus(1, ChronoUnit.DAYS));
    }
  }

  @AfterEach
  void theSecondRegionIsGivenUp() throws IOException {
    second.close();
    first.database().sql("DELETE FROM processes.region").update();
    first.database().sql("DELETE FROM removal WHERE environment_id LIKE 'env-reg%'").update();
    first.deletableRows().clear();
    first.progress().nothingIsKnown();
  }

  private void secondIsThere() {
    second.bean(RegionDeletions.class).beginDue();
  }

  /** What the first region shows after its next pass. */
  private Collection<Gauge> absences() {
    first.bean(RegionDeletions.class).beginDue();
    return first.bean(MeterRegistry.class).find("tidemark.region.absence").gauges();
  }

  private String environment(String id) {
    assertThat(
            demo.post("/environments", "{\"id\":\"%s\",\"display_name\":\"x\"}".formatted(id))
                .status())
        .isEqualTo(201);
    return "/environments/" + id + "/deletions";
  }

  private static void row(
      RunningPlatform region, String environment, String metric, Instant window) {
    region
        .deletableRows()
        .add(new Row("rollup_1m", "org-demo", environment, metric, "s", window, 1, 5, true));
  }

  private String delete(String deletions) {
    return demo.post(deletions, "{\"metric\":\"cpu\"}").body().path("id").asString();
  }

  private JsonNode deletion(String deletions, String id) {
    return demo.get(deletions + "/" + id).body();
  }

  private String state(String deletions, String id) {
    return deletion(deletions, id).path("state").asString();
  }

  /** As the loop, until nothing changes any more; a supervisor has set out at once. */
  private void advance(RunningPlatform region) {
    TestingDeletableRows rows = region.deletableRows();
    for (int i = 0; i < 4; i++) {
      region.bean(DeletionExecutor.class).advanceAll();
      rows.publish();
      for (String table : List.of("removal", "removal_in_region")) {
        first
            .database()
            .sql(
                """
                UPDATE %s SET druid = (
                  SELECT jsonb_agg(CASE WHEN step ->> 'handedOffAt' IS NULL THEN step
                    ELSE step || jsonb_build_object('handedOffAt', now() - interval '1 minute') END)
                  FROM jsonb_array_elements(druid) AS step)
                WHERE druid <> '[]'
                """
                    .formatted(table))
            .update();
      }
      rows.endTasks(TaskState.SUCCEEDED);
    }
    region.bean(DeletionExecutor.class).advanceAll();
  }

  /** The lake of a region has reported, and the next pass sees it. */
  private static void lakeIsDone(RunningPlatform region, String id, long removed) {
    DeletionReportRecorder lake = region.bean(DeletionReportRecorder.class);
    for (String table : DeletionTargets.TABLES) {
      lake.removed(DEMO, id, table, 77, removed, OLD);
      lake.nothingLeft(DEMO, id, table, Instant.now().plusSeconds(1));
    }
    region.bean(DeletionExecutor.class).advanceAll();
  }

  private static List<JsonNode> stepsOfWest(JsonNode deletion) {
    return deletion
        .path("steps")
        .valueStream()
        .filter(step -> step.path("region").asString("").equals(WEST))
        .toList();
  }

  private static Instant settledDay(JsonNode deletion) {
    return Instant.parse(deletion.path("final_from").asString()).truncatedTo(ChronoUnit.DAYS);
  }

  private void order(String environment, String id, Predicate<ControlRecord> wanted) {
    InterruptibleDelay.until(
        "the order",
        Duration.ofSeconds(10),
        () ->
            first.controlTopics().last("control.removals.v1", "org-demo/" + environment + "/" + id),
        wanted);
  }

  /** What the lakes of all regions are told. */
  private Removal ordered(String environment, String id, Predicate<Removal> wanted) {
    AtomicReference<Removal> seen = new AtomicReference<>();
    order(
        environment,
        id,
        record -> {
          try {
            seen.set(record.value() == null ? null : Removal.parseFrom(record.value()));
          } catch (InvalidProtocolBufferException notOfTheContract) {
            throw new AssertionError(notOfTheContract);
          }
          return seen.get() != null && wanted.test(seen.get());
        });
    return seen.get();
  }

  @Test
  void nothingIsCertifiedBeforeEveryRegionHasRemovedItsRows() throws Exception {
    String deletions = environment("env-reg-both");
    secondIsThere();
    row(first, "env-reg-both", "cpu", OLD);
    row(second, "env-reg-both", "cpu", OLD);
    row(second, "env-reg-both", "disk", OLD);
    String id = delete(deletions);
    assertThat(stepsOfWest(deletion(deletions, id)))
        .as("what is still to be done is shown from the beginning")
        .hasSize(DeletionTargets.DATASOURCES.size() + DeletionTargets.TABLES.size())
        .noneMatch(step -> step.path("done").asBoolean());

    advance(first);
    lakeIsDone(first, id, 4);
    assertThat(first.deletableRows().rows()).isEmpty();
    assertThat(second.deletableRows().rows()).hasSize(2);
    assertThat(state(deletions, id)).isEqualTo("running");
    Instant settledDay = settledDay(deletion(deletions, id));
    ordered(
        "env-reg-both",
        id,
        order -> order.getRules(0).getBeforeUnixMs() == settledDay.toEpochMilli());
    Instant sentAgain = settledDay.plus(1, ChronoUnit.DAYS);
    row(second, "env-reg-both", "cpu", sentAgain);

    advance(second);
    assertThat(second.deletableRows().rows())
        .extracting(row -> row.metric() + " " + row.window())
        .containsExactlyInAnyOrder("disk " + OLD, "cpu " + sentAgain);
    first.bean(DeletionExecutor.class).advanceAll();
    assertThat(state(deletions, id)).as("its lake has not reported").isEqualTo("running");
    lakeIsDone(second, id, 3);
    order("env-reg-both", id, record -> record.value() != null);
    first.bean(DeletionExecutor.class).advanceAll();

    JsonNode done = deletion(deletions, id);
    assertThat(done.path("state").asString()).isEqualTo("done");
    assertThat(stepsOfWest(done)).allMatch(step -> step.path("done").asBoolean());
    JsonNode west =
        JsonMapper.builder()
            .build()
            .readTree(done.path("certificate").asString())
            .path("regions")
            .path(0);
    assertThat(west.path("region").asString()).isEqualTo(WEST);
    assertThat(west.path("state").asString()).isEqualTo("done");
    assertThat(west.path("druid").path(0).path("rows_removed").asLong()).isEqualTo(1);
    assertThat(west.path("lake").path(0).path("rows_removed").asLong()).isEqualTo(3);
    assertThat(west.path("kafka").path(0).path("topic").asString())
        .isEqualTo("telemetry.rollup-1m.v1");
    order("env-reg-both", id, record -> record.value() == null);
  }

  /** Each region looks at its own pipeline; the lakes are told the latest time of all. */
  @Test
  void aRegionWhosePipelineLagsHoldsTheCertificateBack() throws Exception {
    String deletions = environment("env-reg-lag");
    secondIsThere();
    String id = delete(deletions);
    long settled = ordered("env-reg-lag", id, order -> true).getSettledFromUnixMs();
    second.progress().completeUntil(Instant.now().minus(1, ChronoUnit.HOURS));
    advance(second);
    lakeIsDone(second, id, 0);
    advance(first);
    lakeIsDone(first, id, 0);
    assertThat(state(deletions, id)).isEqualTo("running");
    assertThat(stepsOfWest(deletion(deletions, id)))
        .filteredOn(step -> step.path("store").asString().equals("druid"))
        .isNotEmpty()
        .noneMatch(step -> step.path("done").asBoolean());
    ordered("env-reg-lag", id, order -> order.getSettledFromUnixMs() > settled);

    second.progress().completeUntil(Instant.now().plus(1, ChronoUnit.DAYS));
    first
        .database()
        .sql("UPDATE removal_in_region SET settled_from = now() - interval '1 second'")
        .update();
    advance(second);
    lakeIsDone(second, id, 0);
    first.bean(DeletionExecutor.class).advanceAll();
    assertThat(state(deletions, id)).isEqualTo("done");
  }

  /** As an operator forgets it, with the statement of docs/operations/two-regions.md. */
  @Test
  void whatWaitedForARegionThatIsGivenUpIsCertified() {
    String deletions = environment("env-reg-gone");
    secondIsThere();
    String id = delete(deletions);
    second.bean(DeletionExecutor.class).advanceAll();
    advance(first);
    lakeIsDone(first, id, 0);
    assertThat(state(deletions, id)).isEqualTo("running");
    first
        .database()
        .sql("UPDATE processes.region SET seen_at = seen_at - interval '1 hour'")
        .update();
    assertThat(absences())
        .singleElement()
        .satisfies(
            absence -> {
              assertThat(absence.getId().getTag("region")).isEqualTo(WEST);
              assertThat(absence.value()).isBetween(3600.0, 3900.0);
            });

    first.database().sql("DELETE FROM processes.region WHERE name = 'west'").update();
    assertThat(absences()).isEmpty();
    first.bean(DeletionExecutor.class).advanceAll();
    assertThat(state(deletions, id)).isEqualTo("done");
    assertThat(stepsOfWest(deletion(deletions, id))).isEmpty();
  }

  /** It reads points of seven days again, among them those of what was deleted meanwhile. */
  @Test
  void aRegionThatComesLaterRemovesWhatWasFinishedBefore() throws Exception {
    String deletions = environment("env-reg-late");
    row(first, "env-reg-late", "cpu", OLD);
    String id = delete(deletions);
    advance(first);
    lakeIsDone(first, id, 1);
    String certificate = deletion(deletions, id).path("certificate").asString();
    assertThat(certificate).isNotEmpty().doesNotContain("regions");
    order("env-reg-late", id, record -> record.value() == null);

    secondIsThere();
    Instant sentAgain = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MINUTES);
    row(second, "env-reg-late", "cpu", OLD);
    row(second, "env-reg-late", "cpu", sentAgain);
    advance(second);
    assertThat(second.deletableRows().rows())
        .as("what was sent since the deletion settled stays")
        .singleElement()
        .satisfies(row -> assertThat(row.window()).isEqualTo(sentAgain));
    ordered(
        "env-reg-late",
        id,
        order ->
            order.getRules(0).getBeforeUnixMs()
                == settledDay(deletion(deletions, id)).toEpochMilli());
    lakeIsDone(second, id, 1);
    order("env-reg-late", id, record -> record.value() == null);
    JsonNode done = deletion(deletions, id);
    assertThat(stepsOfWest(done)).isNotEmpty().allMatch(step -> step.path("done").asBoolean());
    assertThat(done.path("certificate").asString()).isEqualTo(certificate);
  }

  @Test
  void whatHasExpiredDoesNotWaitForARegionThatIsAway() {
    environment("env-reg-kept");
    secondIsThere();
    demo.call(
        "PUT", "/environments/env-reg-kept/retention", "{\"rollup_1m_days\":1}", "If-Match", "*");
    row(second, "env-reg-kept", "cpu", OLD);
    first.bean(DeletionScheduler.class).beginDue();
    String deletions = "/environments/env-reg-kept/deletions";
    String id = demo.get(deletions).body().path("data").path(0).path("id").asString();
    second.bean(DeletionExecutor.class).advanceAll();
    advance(first);
    lakeIsDone(first, id, 0);
    JsonNode done = deletion(deletions, id);
    assertThat(done.path("state").asString()).isEqualTo("done");
    assertThat(done.path("certificate").asString())
        .contains("\"regions\":[{\"region\":\"west\",\"state\":\"running\"}]");
    // The order holds for the region's lake.
    order("env-reg-kept", id, record -> record.value() != null);

    first
        .database()
        .sql("UPDATE processes.region SET seen_at = seen_at - interval '6 minutes'")
        .update();
    assertThat(stepsOfWest(deletion(deletions, id)))
        .allMatch(
            step ->
                step.path("problem").asString("").startsWith("The region west was last there at"));

    advance(second);
    lakeIsDone(second, id, 0);
    assertThat(second.deletableRows().rows()).isEmpty();
    order("env-reg-kept", id, record -> record.value() == null);
  }
}
