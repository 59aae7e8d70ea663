package io.tidemark.flink.model.completeness;

import static io.tidemark.flink.model.completeness.BucketState.FINAL;
import static io.tidemark.flink.model.completeness.BucketState.PROVISIONAL;
import static io.tidemark.flink.model.completeness.BucketState.REVISED;
import static io.tidemark.flink.model.rollup.RollupLevel.HOUR;
import static io.tidemark.flink.model.rollup.RollupLevel.MINUTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the job states and what readers make of it mean the same. */
class CompletenessTest {

  private static final long MIN = 60_000L;
  private static final long NOON = 1_772_366_400_000L;
  private static final long AT_ONCE = 1_000L;

  private final CommittedProgress job = new CommittedProgress();
  private final CompletenessRules reader = new CompletenessRules();

  @Test
  void bucketIsFinalOnceTheCheckpointThatHoldsItsRowsIsComplete() {
    job.checkpoint(1, NOON + MIN - 1, AT_ONCE, List.of(), false);
    assertEquals(PROVISIONAL, state("org-a", NOON));

    job.completed(1).forEach(reader::complete);

    assertEquals(NOON + MIN, reader.completeUntil("org-a"));
    assertEquals(FINAL, state("org-a", NOON));
    assertEquals(PROVISIONAL, state("org-a", NOON + MIN));
    assertEquals(PROVISIONAL, reader.stateOf("org-a", "cpu", HOUR, NOON, NOON + 60 * MIN));
  }

  @Test
  void nothingIsSaidOfACheckpointThatFailedBeforeALaterOneCompletes() {
    job.checkpoint(1, NOON + MIN - 1, AT_ONCE, List.of(), false);
    job.checkpoint(2, NOON + 2 * MIN - 1, AT_ONCE, List.of(), false);

    assertEquals(List.of(), job.completed(0));
    assertEquals(2, job.completed(2).size());
    assertEquals(List.of(), job.completed(2), "nothing is said twice");
  }

  @Test
  void standingWatermarkBeforeTheFirstPointSaysNothing() {
    job.checkpoint(1, Long.MIN_VALUE, AT_ONCE, List.of(), false);

    assertEquals(List.of(), job.completed(1));
  }

  @Test
  void rowsOfAStatedWindowAreARevisionOthersAreNot() {
    job.checkpoint(1, NOON + MIN + 4_000, AT_ONCE, List.of(), false);

    assertTrue(job.isRevision(new LateRows("org-a", MINUTE, NOON, 1, "cpu")));
    assertFalse(job.isRevision(new LateRows("org-a", MINUTE, NOON + MIN, 1, "cpu")));
    assertFalse(job.isRevision(new LateRows("org-a", HOUR, NOON, 1, "cpu")));
  }

  /** Readers pass a statement over that says no more than the one before. */
  @Test
  void theStatementAfterLateRowsSaysMoreThoughEventTimeStandsStill() {
    job.checkpoint(1, NOON + 4_000, AT_ONCE, List.of(), false);
    job.checkpoint(2, NOON + 4_000, AT_ONCE, List.of(), true);
    job.checkpoint(3, NOON + 4_000, AT_ONCE, List.of(), false);
    job.checkpoint(4, NOON + 4_000, AT_ONCE, List.of(), true);
    job.checkpoint(5, NOON + 9_000, AT_ONCE, List.of(), true);

    assertEquals(
        List.of(4_001L, 4_002L, 4_002L, 4_003L, 9_001L),
        job.completed(5).stream().map(statement -> statement.completeUntil() - NOON).toList());
  }

  @Test
  void noStatementEndsAMinuteThatEventTimeDidNotEnd() {
    job.checkpoint(1, NOON + MIN - 2, AT_ONCE, List.of(), false);
    job.checkpoint(2, NOON + MIN - 2, AT_ONCE, List.of(), true);

    assertEquals(
        List.of(NOON + MIN - 1, NOON + MIN - 1),
        job.completed(2).stream().map(CompletenessStatement::completeUntil).toList());
  }

  @Test
  void revisionConcernsItsTenantLevelAndWindowOnly() {
    say(1, NOON + 120 * MIN - 1, List.of());

    reader.revised(new LateRows("org-a", MINUTE, NOON + MIN, 3, "cpu"));

    assertEquals(REVISED, state("org-a", NOON + MIN));
    assertEquals(FINAL, state("org-a", NOON));
    assertEquals(FINAL, state("org-a", NOON + 2 * MIN));
    assertEquals(FINAL, state("org-b", NOON + MIN));
    assertEquals(
        REVISED, reader.stateOf("org-a", "cpu", MINUTE, NOON, NOON + 5 * MIN), "five minutes");
    assertEquals(FINAL, reader.stateOf("org-a", "cpu", HOUR, NOON, NOON + 60 * MIN));
  }

  @Test
  void revisionConcernsItsMetricOnlyAndOneWithoutAMetricAll() {
    say(1, NOON + 120 * MIN - 1, List.of());

    reader.revised(new LateRows("org-a", MINUTE, NOON, 3, "memory"));
    assertEquals(FINAL, state("org-a", NOON));
    reader.revised(new LateRows("org-a", MINUTE, NOON, 3, LateRows.ANY));
    assertEquals(REVISED, state("org-a", NOON));
  }

  @Test
  void aLaggingTenantIsCompleteUpToItsOwnTimeOnly() {
    say(1, NOON - 1, List.of());
    say(2, NOON + 10 * MIN - 1, List.of(new TenantLag("org-slow", NOON + 4 * MIN)));

    assertEquals(NOON + 10 * MIN, reader.completeUntil("org-a"));
    assertEquals(NOON + 4 * MIN, reader.completeUntil("org-slow"));
    assertFalse(job.isRevision(new LateRows("org-slow", MINUTE, NOON + 5 * MIN, 1, "cpu")));
    assertTrue(job.isRevision(new LateRows("org-slow", MINUTE, NOON + 3 * MIN, 1, "cpu")));

    say(3, NOON + 11 * MIN - 1, List.of());
    assertEquals(NOON + 11 * MIN, reader.completeUntil("org-slow"), "silent or punctual again");
  }

  @Test
  void completenessNeverGoesBack() {
    say(1, NOON + 10 * MIN - 1, List.of());
    say(2, NOON + 5 * MIN - 1, List.of(new TenantLag("org-slow", NOON - 60 * MIN)));

    assertEquals(NOON + 10 * MIN, reader.completeUntil("org-a"));
    assertEquals(NOON + 10 * MIN, reader.completeUntil("org-slow"));

    say(3, NOON + 12 * MIN - 1, List.of(new TenantLag("org-slow", NOON - 60 * MIN)));
    assertEquals(NOON + 10 * MIN, reader.completeUntil("org-slow"), "it stands still");
  }

  @Test
  void restartedJobStillKnowsWhatItStated() {
    say(1, NOON + 10 * MIN - 1, List.of(new TenantLag("org-slow", NOON + 2 * MIN)));
    CommittedProgress restarted = new CommittedProgress();
    restarted.restore(job.summary(AT_ONCE));

    assertTrue(restarted.isRevision(new LateRows("org-a", MINUTE, NOON, 1, "cpu")));
    assertFalse(restarted.isRevision(new LateRows("org-slow", MINUTE, NOON + 2 * MIN, 1, "cpu")));
    CompletenessRules late = new CompletenessRules();
    late.complete(restarted.summary(AT_ONCE));
    assertEquals(reader.completeUntil("org-a"), late.completeUntil("org-a"));
    assertEquals(reader.completeUntil("org-slow"), late.completeUntil("org-slow"));
  }

  @Test
  void nothingIsStatedWhileMoreTenantsLagThanARecordNames() {
    List<TenantLag> lagging = new ArrayList<>();
    for (int i = 0; i <= CommittedProgress.MAX_LAGGING; i++) {
      lagging.add(new TenantLag("org-" + i, NOON));
    }
    job.checkpoint(1, NOON + 10 * MIN, AT_ONCE, lagging, false);

    assertEquals(List.of(), job.completed(1));
  }

  @Test
  void tenantLagsWhenAllItSendsIsLate() {
    LaggingTenants tenants = new LaggingTenants(5_000);

    assertNull(tenants.read("org-a", NOON - 600_000, Long.MIN_VALUE, 0), "late for nothing yet");
    assertEquals(
        TenantLag.none("org-a"),
        tenants.read("org-a", NOON - 30_000, NOON, 0),
        "half a minute is usual");
    assertNull(tenants.read("org-a", NOON - 30_000, NOON, 500), "told before");
    assertNull(tenants.read("org-a", NOON - 600_000, NOON, 1_000), "old data besides new data");
    assertEquals(
        new TenantLag("org-slow", NOON - 605_000),
        tenants.read("org-slow", NOON - 600_000, NOON, 1_000));
    assertNull(tenants.read("org-slow", NOON - 590_000, NOON, 2_000), "said a moment ago");
    assertEquals(
        new TenantLag("org-slow", NOON - 595_000),
        tenants.read("org-slow", NOON - 595_000, NOON, 7_000),
        "its latest point counts");
    assertEquals(
        new TenantLag("org-a", NOON - 605_000),
        tenants.read("org-a", NOON - 600_000, NOON, 62_000),
        "nothing new for a minute");
    assertEquals(TenantLag.none("org-a"), tenants.read("org-a", NOON, NOON, 63_000), "new data");
    assertNull(tenants.read("org-b", 0, NOON, 63_000), "a batch without points");
    assertEquals(TenantLag.none("org-b"), tenants.read("org-b", NOON, NOON, 300_000));
    assertEquals(1, tenants.size(), "silent tenants are forgotten");
  }

  @Test
  void lagIsForgottenAMinuteAfterTheLastWord() {
    TenantLagTable lags = new TenantLagTable();
    lags.heard(new TenantLag("org-slow", NOON), 0);
    lags.heard(new TenantLag("org-slow", NOON - MIN), 5_000);

    assertEquals(List.of(new TenantLag("org-slow", NOON)), lags.lagging(65_000));
    assertEquals(List.of(), lags.lagging(65_001));

    lags.heard(new TenantLag("org-slow", NOON - MIN), 65_002);
    assertEquals(List.of(new TenantLag("org-slow", NOON - MIN)), lags.lagging(65_002));
  }

  @Test
  void lagEndsWithTheFirstPunctualBatchThatAnyReaderSees() {
    TenantLagTable lags = new TenantLagTable();
    lags.heard(new TenantLag("org-slow", NOON), 0);
    lags.heard(TenantLag.none("org-slow"), 1_000);
    lags.heard(new TenantLag("org-slow", NOON), 2_000);
    assertEquals(List.of(), lags.lagging(2_000), "another reader has seen late ones only");

    lags.heard(new TenantLag("org-slow", NOON), 61_001);
    assertEquals(
        List.of(new TenantLag("org-slow", NOON)), lags.lagging(61_001), "late ones for a minute");
  }

  private void say(long checkpoint, long watermark, List<TenantLag> lagging) {
    job.checkpoint(checkpoint, watermark, AT_ONCE, lagging, false);
    job.completed(checkpoint).forEach(reader::complete);
  }

  private BucketState state(String organization, long minute) {
    return reader.stateOf(organization, "cpu", MINUTE, minute, minute + MIN);
  }
}
