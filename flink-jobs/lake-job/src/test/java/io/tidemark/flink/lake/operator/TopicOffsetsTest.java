package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicOffsetsTest {

  private static final TopicOffsets OFFSETS = new TopicOffsets(Map.of(10, 5L, 2, 1L << 40));

  @Test
  void textsAreReadBack() {
    assertEquals("{\"2\":1099511627776,\"10\":5}", OFFSETS.toJson());
    assertEquals(OFFSETS, TopicOffsets.parse(OFFSETS.toJson()));
    assertEquals(OFFSETS, TopicOffsets.ofElement(OFFSETS.toElement()));
    assertThrows(IllegalStateException.class, () -> TopicOffsets.parse("{\"a\":1}"));
  }

  @Test
  void aFileIsNotTakenForThem() {
    assertTrue(TopicOffsets.isElement(OFFSETS.toElement()));
    assertFalse(TopicOffsets.isElement("{\"file-path\":\"topic-offsets \"}"));
  }

  @Test
  void whatIsSaidLaterHolds() {
    assertEquals(
        new TopicOffsets(Map.of(2, 7L, 3, 1L, 10, 5L)),
        OFFSETS.then(new TopicOffsets(Map.of(2, 7L, 3, 1L))));
  }
}
