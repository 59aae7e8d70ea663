package io.tidemark.platform.query.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.metricstore.IntervalSet;
import io.tidemark.platform.metricstore.Level;
import io.tidemark.platform.metricstore.OpenMinutesState;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.query.domain.Answer.Completeness;
import io.tidemark.platform.query.domain.BucketState;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.TestingProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The watermark is taken before the rows are read and again afterwards, and the lesser counts. */
class CompletenessEvaluatorTest {

  private static final TenantId TENANT = new TenantId("org-a");
  private static final Instant BEGIN = Instant.parse("2026-03-10T12:00:00Z");
  private static final Instant END = BEGIN.plus(Duration.ofMinutes(10));
  private static final IntervalSet MINUTES = IntervalSet.of(List.of(new TimeInterval(BEGIN, END)));

  private static final Set<String> METRICS = Set.of("orders");

  private final TestingProgress progress = new TestingProgress();

  private static Instant minute(int minute) {
    return BEGIN.plus(Duration.ofMinutes(minute));
  }

  private static List<ScanSpec> parts() {
    return List.of(ScanSpec.of(Source.MINUTES, MINUTES));
  }

  private Completeness stated(Instant before, Instant afterwards) {
    progress.completeUntil(before);
    CompletenessEvaluator completeness = new CompletenessEvaluator(TENANT, progress);
    progress.completeUntil(afterwards);
    completeness.read(parts(), METRICS);
    return completeness.of(MINUTES, END, OpenMinutesState.SHOWN);
  }

  @Test
  void rowsThatCameMeanwhileAreNotCalledComplete() {
    Completeness stated = stated(minute(4), minute(20));
    assertThat(stated.completeUntil()).contains(minute(4));
    assertThat(stated.state()).isEqualTo(BucketState.PROVISIONAL);
    assertThat(stated(minute(10), minute(20)).state()).isEqualTo(BucketState.FINAL);
  }

  @Test
  void rowsThatWentMissingMeanwhileAreNotCalledComplete() {
    Completeness behind = stated(minute(20), minute(6));
    assertThat(behind.completeUntil()).contains(minute(6));
    assertThat(behind.state()).isEqualTo(BucketState.PROVISIONAL);
    Completeness unknown = stated(minute(20), null);
    assertThat(unknown.completeUntil()).isEmpty();
    assertThat(unknown.state()).isEqualTo(BucketState.PROVISIONAL);
    // What was not known when the rows were read is not known of them.
    assertThat(stated(null, minute(20)).completeUntil()).isEmpty();
  }

  /** A backlog that is read while the query runs may have missed the rows. */
  @Test
  void whatIsReadIsTakenFromBeforeTheRows() {
    progress.read(minute(3), true);
    progress.completeUntil(END);
    CompletenessEvaluator completeness = new CompletenessEvaluator(TENANT, progress);
    progress.read(minute(5), false);
    completeness.read(parts(), METRICS);
    Completeness stated = completeness.of(MINUTES, END, OpenMinutesState.SHOWN);
    assertThat(stated.readUntil()).contains(minute(3));
    assertThat(stated.isBehind()).isTrue();
    assertThat(stated.state()).as("goes by event time").isEqualTo(BucketState.FINAL);
  }

  @Test
  void aBucketIsOpenWhileAnyOfItsMinutesIs() {
    progress.completeUntil(minute(4).plusSeconds(59));
    CompletenessEvaluator completeness = new CompletenessEvaluator(TENANT, progress);
    assertThat(completeness.firstOpenMinute(END)).isEqualTo(minute(4));
    completeness.read(parts(), METRICS);
    assertThat(completeness.ofBucket(span(3, 4))).isEqualTo(BucketState.FINAL);
    assertThat(completeness.ofBucket(span(4, 5))).isEqualTo(BucketState.PROVISIONAL);
    assertThat(completeness.ofBucket(span(0, 5))).isEqualTo(BucketState.PROVISIONAL);
  }

  @Test
  void lateRowsReviseTheBucketTheyAreIn() {
    progress.late(Level.MINUTE, minute(3), "orders", 2);
    progress.late(Level.MINUTE, minute(11), "orders", 5);
    progress.completeUntil(END);
    CompletenessEvaluator completeness = new CompletenessEvaluator(TENANT, progress);
    completeness.read(parts(), METRICS);
    assertThat(completeness.ofBucket(span(3, 4))).isEqualTo(BucketState.REVISED);
    assertThat(completeness.ofBucket(span(4, 5))).isEqualTo(BucketState.FINAL);
    Completeness whole = completeness.of(MINUTES, END, OpenMinutesState.SHOWN);
    assertThat(whole.state()).isEqualTo(BucketState.REVISED);
    assertThat(whole.lateRevisions()).isEqualTo(2);
  }

  @Test
  void lateRowsOfOtherMetricsReviseNothingAndThoseOfAnyMetricDo() {
    progress.late(Level.MINUTE, minute(3), "payments", 2);
    progress.late(Level.MINUTE, minute(5), "", 4);
    progress.completeUntil(END);
    CompletenessEvaluator completeness = new CompletenessEvaluator(TENANT, progress);
    completeness.read(parts(), METRICS);
    assertThat(completeness.ofBucket(span(3, 4))).isEqualTo(BucketState.FINAL);
    assertThat(completeness.ofBucket(span(5, 6))).isEqualTo(BucketState.REVISED);
    assertThat(completeness.of(MINUTES, END, OpenMinutesState.SHOWN).lateRevisions()).isEqualTo(4);
    completeness.read(parts(), Set.of());
    assertThat(completeness.of(MINUTES, END, OpenMinutesState.SHOWN).lateRevisions()).isEqualTo(6);
  }

  @Test
  void whileNothingIsKnownTheLastHourIsTakenForOpen() {
    assertThat(new CompletenessEvaluator(TENANT, progress).firstOpenMinute(END.plusSeconds(7)))
        .isEqualTo(END.minus(Duration.ofHours(1)));
  }

  private static IntervalSet span(int from, int to) {
    return IntervalSet.of(List.of(new TimeInterval(minute(from), minute(to))));
  }
}
