package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.io.admission.AdmittedBatch;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.budget.TenantLimits;
import io.tidemark.flink.model.completeness.TenantLag;
import io.tidemark.flink.model.point.PointTimeLimits;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.usage.TakenPoints;
import io.tidemark.flink.testing.TestBatch;
import java.time.Duration;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CombineOperatorTest {

  private OneInputStreamOperatorTestHarness<AdmittedBatch, byte[]> combining;

  @BeforeEach
  void open() throws Exception {
    combining =
        new OneInputStreamOperatorTestHarness<>(
            new CombineOperator(
                PointTimeLimits.DEFAULT, Duration.ofSeconds(5), Duration.ofSeconds(5), 128));
    combining.open();
    combining.setProcessingTime(at("12:00:00"));
  }

  @AfterEach
  void close() throws Exception {
    combining.close();
  }

  /** What stays behind the barrier is in no state: a restart would lose it. */
  @Test
  void everythingGoesOutBeforeTheBarrier() throws Exception {
    send("12:00:01", 1);
    send("12:01:01", 2);
    assertEquals(0, bundles());

    combining.prepareSnapshotPreBarrier(1);

    assertEquals(1, bundles());
    combining.prepareSnapshotPreBarrier(2);
    assertEquals(1, bundles());
  }

  /** Points that come after the watermark of their minute are late, and cost a row each. */
  @Test
  void everythingGoesOutBeforeAMinuteIsComplete() throws Exception {
    send("12:00:01", 1);
    combining.processWatermark(at("12:00:58"));
    int before = bundles();
    send("12:00:02", 2);

    combining.processWatermark(at("12:00:59") + 999);

    assertEquals(before + 1, bundles());
    Object last = combining.getOutput().toArray()[combining.getOutput().size() - 1];
    assertTrue(last instanceof org.apache.flink.streaming.api.watermark.Watermark);
  }

  @Test
  void fewPointsGoOnAtOnceWhereSomebodyLooks() throws Exception {
    combining.close();
    combining =
        new OneInputStreamOperatorTestHarness<>(
            new CombineOperator(
                    PointTimeLimits.DEFAULT, Duration.ofSeconds(5), Duration.ofSeconds(1), 128)
                .withPromptness(true));
    combining.open();
    combining.setProcessingTime(at("12:00:00"));
    send("12:00:01", 1);

    combining.setProcessingTime(at("12:00:00") + 199);
    assertEquals(0, bundles());
    combining.setProcessingTime(at("12:00:00") + 200);
    assertEquals(1, bundles());
  }

  @Test
  void pointsWaitAFewSecondsAtMost() throws Exception {
    send("12:00:01", 1);

    combining.setProcessingTime(at("12:00:05"));

    assertEquals(1, bundles());
  }

  /** Points of a minute that is not complete are still to come; they wait no longer for that. */
  @Test
  void figuresOfOpenMinutesStayUntilTheClock() throws Exception {
    send("12:00:58", 1);
    send("12:01:01", 2);

    combining.processWatermark(at("12:00:59") + 999);

    assertEquals(1, bundles());
    int ofTwo = lastBundle();
    combining.setProcessingTime(at("12:00:05"));
    assertEquals(2, bundles());
    assertTrue(lastBundle() < ofTwo, "the series was announced with the minute before");
  }

  /** By receipt and whatever their time is; batches of an hour are one count at each barrier. */
  @Test
  void pointsThatWereTakenAreCountedBeforeTheBarrier() throws Exception {
    send("12:00:01", 1);
    send("12:01:01", 2);
    assertEquals(null, combining.getSideOutput(CombineOperator.TAKEN));

    combining.prepareSnapshotPreBarrier(1);
    combining.prepareSnapshotPreBarrier(2);

    var taken = combining.getSideOutput(CombineOperator.TAKEN);
    assertEquals(1, taken.size());
    TakenPoints hour = taken.peek().getValue();
    assertEquals(2, hour.points());
    assertEquals(at("12:00:00"), hour.hourUnixMs());
    assertEquals("org-a", hour.organizationId());
    assertEquals(1, hour.offset());
  }

  @Test
  void endOfInputLeavesNothing() throws Exception {
    send("12:00:01", 1);

    combining.endInput();

    assertEquals(1, bundles());
  }

  @Test
  void tenantsThatSendNothingButOldDataAreNamed() throws Exception {
    combining.processWatermark(at("11:59:55"));
    send("11:59:58", 1);
    assertEquals(
        TenantLag.none("org-a"), combining.getSideOutput(CombineOperator.LAGS).poll().getValue());

    PointsRecord old =
        new TestBatch().gauge("cpu", "11:40:00", 1).received("org-slow", 2, "12:00:00");
    combining.processElement(new StreamRecord<>(admitted(old, TenantLimits.NONE)));

    assertEquals(
        new TenantLag("org-slow", at("11:39:55")),
        combining.getSideOutput(CombineOperator.LAGS).peek().getValue());
  }

  @Test
  void pointsOfASeriesAndMinuteTravelAsOne() throws Exception {
    send("12:00:01", 1);
    combining.prepareSnapshotPreBarrier(1);
    int one = lastBundle();
    for (int i = 0; i < 100; i++) {
      send("12:00:%02d".formatted(i % 60), i);
    }
    combining.prepareSnapshotPreBarrier(2);

    assertTrue(lastBundle() < one, "the descriptor is not sent again, and the points are combined");
  }

  @Test
  void seriesTooLongForARowAreSetAside() throws Exception {
    TestBatch batch = new TestBatch();
    batch.add(
        io.opentelemetry.proto.metrics.v1.Metric.newBuilder()
            .setName("long")
            .setGauge(
                io.opentelemetry.proto.metrics.v1.Gauge.newBuilder()
                    .addDataPoints(
                        TestBatch.number("12:00:01", 1)
                            .addAttributes(TestBatch.attribute("text", "x".repeat(600_000))))));
    batch.gauge("cpu", "12:00:01", 1);
    process(batch.received("org-a", 7, "12:00:02"), TenantLimits.NONE);
    combining.prepareSnapshotPreBarrier(1);

    assertEquals(1, bundles());
    DeadLetter letter = combining.getSideOutput(DeadLetterOutput.TAG).peek().getValue();
    assertEquals(RejectionReason.RECORD_TOO_LARGE, letter.reason());
    assertEquals(1, letter.pointCount());
    assertEquals(7, letter.sourceOffset());
    assertArrayEquals(new int[] {0}, letter.pointIndexes());
  }

  private void send(String time, double value) throws Exception {
    PointsRecord record =
        new TestBatch().gauge("cpu", time, value).received("org-a", (long) value, time);
    process(record, PlanDefaults.LIMITS);
  }

  private void process(PointsRecord record, TenantLimits limits) throws Exception {
    combining.processElement(new StreamRecord<>(admitted(record, limits)));
  }

  private static AdmittedBatch admitted(PointsRecord record, TenantLimits limits) {
    return new AdmittedBatch(record, limits, PlanDefaults.RETENTION.longestAgeMs());
  }

  private int bundles() {
    return combining.extractOutputValues().size();
  }

  private int lastBundle() {
    return combining.extractOutputValues().get(bundles() - 1).length;
  }
}
