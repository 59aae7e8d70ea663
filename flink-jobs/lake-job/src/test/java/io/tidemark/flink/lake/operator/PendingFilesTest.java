package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
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
}
