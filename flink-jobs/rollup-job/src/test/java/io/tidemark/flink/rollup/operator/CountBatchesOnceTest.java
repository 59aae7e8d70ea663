package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.io.points.CountBatchesOnce;
import io.tidemark.flink.io.points.PointsRecord;
import io.tidemark.flink.model.batch.ResendRule;
import io.tidemark.flink.testing.TestBatch;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountBatchesOnceTest {

  private static final TestBatch BATCH = new TestBatch().gauge("cpu", "12:00:00", 1);
  private static final TestBatch OTHER = new TestBatch().gauge("cpu", "12:00:00", 2);

  private KeyedOneInputStreamOperatorTestHarness<String, PointsRecord, PointsRecord> counting;

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
    counting.processWatermark(at("13:00:01"));
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

  private static KeyedOneInputStreamOperatorTestHarness<String, PointsRecord, PointsRecord>
      harness() throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(new CountBatchesOnce(ResendRule.DEFAULT)),
        CountBatchesOnce::batchKey,
        Types.STRING);
  }

  private void send(PointsRecord record) throws Exception {
    counting.processElement(new StreamRecord<>(record));
  }

  private List<Long> offsets() {
    return counting.extractOutputValues().stream().map(PointsRecord::offset).toList();
  }
}
