package io.tidemark.flink.io.points;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchHeadersTest {

  private static final String BATCH_ID = "0123456789abcdef".repeat(4);

  @Test
  void completeEnvelopeHasNoFault() {
    BatchHeaders envelope = BatchHeaders.of(record("org-a", "env-a", BATCH_ID, "1772323200000"));

    assertTrue(envelope.isComplete(), envelope.faults().toString());
    assertEquals(1_772_323_200_000L, envelope.receivedAtUnixMs());
  }

  @Test
  void everyFaultIsNamed() {
    BatchHeaders envelope = BatchHeaders.of(record("", "Env A", BATCH_ID.substring(1), "soon"));

    assertEquals(
        "tidemark.organization_id is missing; tidemark.environment_id is malformed; "
            + "tidemark.batch_id is malformed; tidemark.received_at_unix_ms is malformed",
        String.join("; ", envelope.faults()));
    assertEquals(0, envelope.receivedAtUnixMs());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "1.5", "9999999999999999999", "253402300800000", "12345678901234567890"})
  void unusableReceiveTimesAreFaults(String receivedAt) {
    assertFalse(BatchHeaders.of(record("org-a", "env-a", BATCH_ID, receivedAt)).isComplete());
  }

  @ParameterizedTest
  @CsvSource({"a,true", "-a,false", "A,false", "a_b,false", "a b,false", "0-9,true"})
  void identifiersFollowTheContract(String organization, boolean complete) {
    assertEquals(
        complete, BatchHeaders.of(record(organization, "env-a", BATCH_ID, "1")).isComplete());
  }

  private static PointsRecord record(
      String organization, String environment, String batchId, String receivedAt) {
    return new PointsRecord(
        "points", 0, 1, organization, environment, batchId, receivedAt, 0, new byte[0]);
  }
}
