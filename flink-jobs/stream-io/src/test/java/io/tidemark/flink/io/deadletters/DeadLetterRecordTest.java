package io.tidemark.flink.io.deadletters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tidemark.contracts.deadletter.v1.Reason;
import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeadLetterRecordTest {

  @ParameterizedTest
  @EnumSource
  void everyReasonIsInTheContract(RejectionReason reason) {
    assertNotEquals(Reason.REASON_UNSPECIFIED, DeadLetterRecord.reason(reason));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UNRECOGNIZED", "REASON_UNSPECIFIED"})
  void everyReasonOfTheContractIsKnown(Reason reason) {
    assertEquals(
        reason,
        DeadLetterRecord.reason(
            RejectionReason.valueOf(reason.name().substring("REASON_".length()))));
  }

  @Test
  void everyFieldIsWritten() throws Exception {
    DeadLetter letter =
        new DeadLetter(
            RejectionReason.TOO_LATE,
            "detail",
            "org",
            "env",
            "batch",
            "topic",
            1,
            2,
            3,
            new byte[] {4},
            5,
            6,
            "decode",
            new int[] {7, 8});

    var read =
        io.tidemark.contracts.deadletter.v1.DeadLetter.parseFrom(DeadLetterRecord.encode(letter));

    assertEquals(Reason.REASON_TOO_LATE, read.getReason());
    assertEquals("detail", read.getDetail());
    assertEquals("org", read.getOrganizationId());
    assertEquals("env", read.getEnvironmentId());
    assertEquals("batch", read.getBatchId());
    assertEquals("topic", read.getSourceTopic());
    assertEquals(1, read.getSourcePartition());
    assertEquals(2, read.getSourceOffset());
    assertEquals(3, read.getReceivedAtUnixMs());
    assertArrayEquals(new byte[] {4}, read.getOriginal().toByteArray());
    assertEquals(5, read.getOriginalSize());
    assertEquals(6, read.getPointCount());
    assertEquals("decode", read.getStage());
    assertEquals(List.of(7, 8), read.getPointIndexesList());
    assertEquals(
        14, read.getAllFields().size(), "a new field of the contract is written here as well");
  }
}
