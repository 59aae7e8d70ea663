package io.tidemark.flink.io.admission;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.contracts.control.v1.TenantState;
import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.io.deadletters.DeadLetterOutput;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.model.budget.PlanDefaults;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import io.tidemark.flink.model.tenant.AdmissionRule;
import io.tidemark.flink.testing.TestBatch;
import io.tidemark.flink.testing.TestControl;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdmitBatchesTest {

  private static final TestBatch BATCH = new TestBatch().gauge("cpu", "12:00:00", 1);
  private static final TestBatch OTHER = new TestBatch().gauge("cpu", "12:00:00", 2);

  private KeyedTwoInputStreamOperatorTestHarness<String, PointsRecord, ControlRecord, AdmittedBatch>
      counting;

  @BeforeEach
  void open() throws Exception {
    counting = harness();
    counting.open();
    counting.setProcessingTime(at("12:00:01"));
  }

  @AfterEach
  void close() throws Exception {
    counting.close();
  }

  @Test
  void resendWithinTheHourIsNotCountedAgain() throws Exception {
    send(BATCH.received("org-a", 1, "12:00:00"));
    send(BATCH.received("org-a", 2, "12:00:05"));
    send(OTHER.received("org-a", 3, "12:00:06"));
    send(BATCH.received("org-a", 4, "13:00:00"));

    assertEquals(List.of(1L, 3L), offsets());
  }

  @Test
  void sameBytesOfAnotherTenantOrAfterTheHourCount() throws Exception {
    send(BATCH.received("org-a", 1, "12:00:00"));
    send(BATCH.received("org-b", 2, "12:00:05"));
    send(BATCH.received("org-a", 3, "13:00:01"));
    send(BATCH.received("org-a", 4, "13:30:00"));

    assertEquals(List.of(1L, 2L, 3L), offsets());
  }

  @Test
  void recordsWithoutEnvelopeAllPass() throws Exception {
    PointsRecord bare =
        TestBatch.read(new ConsumerRecord<>("points", 0, 9, new byte[0], BATCH.bytes()));
    send(bare);
    send(bare);

    assertEquals(List.of(9L, 9L), offsets());
    assertEquals(0, counting.numKeyedStateEntries());
  }

  @Test
  void nothingIsRememberedAfterTheHour() throws Exception {
    send(BATCH.received("org-a", 1, "12:00:00"));
    counting.processWatermark1(new Watermark(at("13:00:01")));
    counting.processWatermark2(new Watermark(at("13:00:01")));
    assertEquals(1, counting.numKeyedStateEntries());

    counting.setProcessingTime(at("13:00:01"));

    assertEquals(0, counting.numKeyedStateEntries());
    assertEquals(0, counting.numProcessingTimeTimers());
    assertEquals(0, counting.numEventTimeTimers());
  }

  /** The job was down for three hours; the resend lies unread in Kafka since 12:40. */
  @Test
  void outageDoesNotForgetWhatIsStillUnread() throws Exception {
    send(BATCH.received("org-a", 1, "12:00:00"));
    OperatorSubtaskState snapshot = counting.snapshot(1, 1);
    counting.close();

    counting = harness();
    counting.initializeState(snapshot);
    counting.open();
    counting.setProcessingTime(at("15:00:00"));
    send(BATCH.received("org-a", 2, "12:40:00"));

    assertEquals(List.of(), offsets());
  }

  @Test
  void batchesOfADeletedTenantAreDeadLetters() throws Exception {
    control(tenant("org-a", TenantState.TENANT_STATE_DELETED, 1));
    send(BATCH.received("org-a", 7, "12:00:00"));
    send(BATCH.received("org-b", 8, "12:00:00"));

    assertEquals(List.of(8L), offsets());
    DeadLetter letter = counting.getSideOutput(DeadLetterOutput.TAG).peek().getValue();
    assertEquals(RejectionReason.UNKNOWN_TENANT, letter.reason());
    assertEquals(1, letter.pointCount());
    assertEquals(7, letter.sourceOffset());
    assertArrayEquals(BATCH.bytes(), letter.original());
    assertEquals(0, counting.numKeyedStateEntries() - 1, "only the batch that counts is known");

    control(tenant("org-a", TenantState.TENANT_STATE_ACTIVE, 2));
    send(BATCH.received("org-a", 9, "12:00:01"));
    assertEquals(List.of(8L, 9L), offsets(), "a refused batch counts after a repair");
  }

  @Test
  void limitsTravelWithTheBatchAndChangeWhileRunning() throws Exception {
    send(BATCH.received("org-a", 1, "12:00:00"));
    control(tenant("org-a", TenantState.TENANT_STATE_ACTIVE, 5, 100));
    send(OTHER.received("org-a", 2, "12:00:00"));
    // Older than what is in force, and nonsense: neither changes anything.
    control(tenant("org-a", TenantState.TENANT_STATE_ACTIVE, 4, 7));
    control(new ControlRecord("org-a/env-a", new byte[] {1, 2, 3}));
    control(new ControlRecord("org-a/env-a", tenant("org-b", 9).value()));
    OperatorSubtaskState snapshot = counting.snapshot(1, 1);
    counting.close();
    counting = harness();
    counting.initializeState(snapshot);
    counting.open();
    counting.setProcessingTime(at("12:00:02"));
    send(new TestBatch().gauge("cpu", "12:00:01", 3).received("org-a", 3, "12:00:02"));
    control(new ControlRecord("org-a/env-a", new byte[0]));
    send(new TestBatch().gauge("cpu", "12:00:01", 4).received("org-a", 4, "12:00:02"));

    assertEquals(
        List.of(100L, PlanDefaults.LIMITS.activeSeries()),
        counting.extractOutputValues().stream()
            .map(batch -> batch.limits().activeSeries())
            .toList(),
        "the tombstone brings the plan back");
  }

  @Test
  void tenantJustCreatedIsHeldUntilItsRecordComes() throws Exception {
    control(census("12:00:00"));
    send(BATCH.received("org-new", 1, "12:00:01"));
    send(BATCH.received("org-new", 2, "12:00:01"));
    assertEquals(List.of(), offsets());
    OperatorSubtaskState snapshot = counting.snapshot(1, 1);
    counting.close();

    counting = harness();
    counting.initializeState(snapshot);
    counting.open();
    control(tenant("org-new", TenantState.TENANT_STATE_ACTIVE, 1));
    counting.setProcessingTime(at("12:00:03"));

    assertEquals(List.of(1L), offsets(), "once, after a restart too");
    assertNothingLeftAfterTheHour();
  }

  @Test
  void tenantThatDoesNotExistIsRefusedWhenTheCensusIsPastTheBatch() throws Exception {
    control(census("12:00:00"));
    send(BATCH.received("org-none", 1, "12:00:01"));
    counting.setProcessingTime(at("12:00:20"));
    assertEquals(null, counting.getSideOutput(DeadLetterOutput.TAG));

    control(census("12:00:31"));
    counting.setProcessingTime(at("12:00:32"));

    assertEquals(List.of(), offsets());
    assertEquals(1, counting.getSideOutput(DeadLetterOutput.TAG).size());
    assertNothingLeftAfterTheHour();
  }

  @Test
  void aHeldBatchThatWasRefusedCountsWhenItIsSentAgain() throws Exception {
    control(census("12:00:00"));
    send(BATCH.received("org-none", 1, "12:00:01"));
    control(census("12:00:31"));
    counting.setProcessingTime(at("12:00:32"));
    assertEquals(0, counting.numKeyedStateEntries());

    control(tenant("org-none", TenantState.TENANT_STATE_ACTIVE, 1));
    send(BATCH.received("org-none", 2, "12:00:33"));
    send(BATCH.received("org-none", 3, "12:00:34"));

    assertEquals(List.of(2L), offsets());
    assertNothingLeftAfterTheHour();
  }

  /** Its first receipt is longer ago than a resend may be, so that it is a new batch. */
  @Test
  void aBatchOfTheHourBeforeIsHeldOnce() throws Exception {
    send(BATCH.received("org-a", 1, "10:59:00"));
    control(census("12:00:00"));
    send(BATCH.received("org-a", 2, "12:00:01"));
    send(BATCH.received("org-a", 3, "12:00:02"));
    assertEquals(List.of(1L), offsets());

    control(tenant("org-a", TenantState.TENANT_STATE_ACTIVE, 1));
    counting.setProcessingTime(at("12:00:03"));
    send(BATCH.received("org-a", 4, "12:00:03"));

    assertEquals(List.of(1L, 2L), offsets());
    assertNothingLeftAfterTheHour();
  }

  @Test
  void nobodyIsRefusedBecauseTheControlPlaneIsDown() throws Exception {
    control(census("11:00:00"));
    send(BATCH.received("org-new", 1, "12:00:01"));

    counting.setProcessingTime(at("12:02:05"));

    assertEquals(List.of(1L), offsets());
    assertNothingLeftAfterTheHour();
  }

  private void assertNothingLeftAfterTheHour() throws Exception {
    counting.processWatermark1(new Watermark(at("14:00:00")));
    counting.processWatermark2(new Watermark(at("14:00:00")));
    counting.setProcessingTime(at("13:30:00"));
    counting.setProcessingTime(at("14:40:00"));
    assertEquals(0, counting.numKeyedStateEntries());
    assertEquals(0, counting.numProcessingTimeTimers());
  }

  private void control(ControlRecord record) throws Exception {
    counting.processElement2(new StreamRecord<>(record));
  }

  private static ControlRecord tenant(String organization, long series) {
    return tenant(organization, TenantState.TENANT_STATE_ACTIVE, 1, series);
  }

  private static ControlRecord tenant(String organization, TenantState state, long version) {
    return tenant(organization, state, version, 0);
  }

  private static ControlRecord tenant(
      String organization, TenantState state, long version, long series) {
    return TestControl.tenant(organization, state, version, series);
  }

  private static ControlRecord census(String time) {
    return TestControl.census(at(time));
  }

  private static KeyedTwoInputStreamOperatorTestHarness<
          String, PointsRecord, ControlRecord, AdmittedBatch>
      harness() throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new CoBroadcastWithKeyedOperator<>(
            new AdmitBatches(ResendRule.DEFAULT, AdmissionRule.DEFAULT),
            List.of(AdmitBatches.TENANTS)),
        AdmitBatches::batchKey,
        null,
        Types.STRING);
  }

  private void send(PointsRecord record) throws Exception {
    counting.processElement1(new StreamRecord<>(record));
  }

  private List<Long> offsets() {
    return counting.extractOutputValues().stream().map(batch -> batch.record().offset()).toList();
  }
}
