package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PendingFilesTest {

  private final PendingFiles pending = new PendingFiles("writer");

  @Test
  void fileBelongsToTheFirstCheckpointAfterItsArrival() {
    pending.arrived("a");
    pending.hold(3);
    pending.arrived("b");
    pending.hold(4);

    assertEquals(List.of("a"), pending.upTo(3));
    assertEquals(List.of("a", "b"), pending.upTo(4));
  }

  @Test
  void checkpointThatFailedIsCoveredByTheNext() {
    pending.arrived("a");
    pending.hold(3);
    pending.hold(4);

    assertEquals(List.of("a"), pending.upTo(4));
    pending.forgetUpTo(4);
    assertEquals(0, pending.size());
  }

  @Test
  void restoredStateHoldsTheSameFilesOfTheSameWriter() {
    pending.arrived("{\"path\":\"a|b\"}");
    pending.hold(7);
    pending.arrived("c");
    List<String> state = pending.hold(8);
    PendingFiles restored = new PendingFiles("another");

    restored.restore(state);

    assertEquals("writer", restored.writer());
    assertEquals(List.of("{\"path\":\"a|b\"}"), restored.upTo(7));
    assertEquals(List.of("{\"path\":\"a|b\"}", "c"), restored.upTo(8));
  }

  @Test
  void stateOfAnotherVersionIsRefused() {
    assertThrows(
        IllegalStateException.class, () -> new PendingFiles("x").restore(List.of("2|w|1|f")));
  }

  /** Taken by a version that did not know them. */
  @Test
  void stateWithoutOffsetsIsRestored() {
    pending.restore(List.of("1|first|0|", "1|first|7|{\"path\":\"a\"}"));
    pending.restoreOffsets(List.of());

    assertEquals("first", pending.writer());
    assertEquals(List.of("{\"path\":\"a\"}"), pending.upTo(7));
    assertEquals(TopicOffsets.NONE, pending.offsetsUpTo(7));
  }

  @Test
  void offsetsBelongToTheFirstCheckpointAfterTheirArrival() {
    pending.reached(offsets(0, 5));
    pending.reached(offsets(1, 7));
    pending.hold(3);
    pending.reached(offsets(0, 9));
    pending.hold(4);
    PendingFiles restored = new PendingFiles("another");
    restored.restoreOffsets(pending.heldOffsets());

    for (PendingFiles each : List.of(pending, restored)) {
      assertEquals(TopicOffsets.NONE, each.offsetsUpTo(2));
      assertEquals(new TopicOffsets(Map.of(0, 5L, 1, 7L)), each.offsetsUpTo(3));
      assertEquals(new TopicOffsets(Map.of(0, 9L, 1, 7L)), each.offsetsUpTo(4));
      assertEquals(0, each.size(), "no files");
      each.forgetUpTo(3);
      assertEquals(offsets(0, 9), each.offsetsUpTo(4));
    }
  }

  @Test
  void offsetsThatWaitAreHeldAsOne() {
    for (int checkpoint = 1; checkpoint <= 20; checkpoint++) {
      pending.reached(offsets(checkpoint % 2, checkpoint));
      pending.hold(checkpoint);
      pending.gatherOffsetsUpTo(checkpoint);
    }

    assertEquals(List.of("1|writer|0|"), pending.hold(21), "as without them");
    assertEquals(List.of("20|{\"0\":20,\"1\":19}"), pending.heldOffsets());
    assertEquals(new TopicOffsets(Map.of(0, 20L, 1, 19L)), pending.offsetsUpTo(21));
  }

  private static TopicOffsets offsets(int partition, long next) {
    return new TopicOffsets(Map.of(partition, next));
  }
}
