package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which chunks are written, and when: at the barrier or ahead of it. */
class ChunkWritesTest {

  private static final long MINUTE = 60_000;

  private final TestingPanes group = new TestingPanes();

  @Test
  void onlyChangedChunksAreWritten() {
    for (int i = 0; i < 200; i++) {
      group.value("cpu-" + i, 10, i);
    }
    group.save();
    // Four chunks each of figures and descriptors, and the pane number.
    assertEquals(9, group.chunksWritten);

    group.save();
    assertEquals(9, group.chunksWritten);

    group.value("cpu-70", 20, 1);
    group.save();
    assertEquals(10, group.chunksWritten);
  }

  /** What is written between barriers need not be written at the barrier, and nothing is lost. */
  @Test
  void chunksAreWrittenAheadOfTheBarrier() {
    for (int i = 0; i < 640; i++) {
      group.value("cpu-" + i, 10, i);
    }
    group.flush();
    assertEquals(12, group.saveAhead(12), "no more than asked for");
    assertEquals(4, group.saveAhead(100), "ten chunks of series, all but four of the minute");
    assertEquals(0, group.saveAhead(100));
    assertEquals(16, group.stored.size());

    group.save();
    assertEquals(21, group.stored.size(), "those and the pane number were left to the barrier");
    group.restart();
    group.watermark(Long.MAX_VALUE);

    assertEquals(639, group.added.get("cpu-639 DAY 0").sum());
  }

  /** Written as soon as it changed, unless it will change again before the barrier. */
  @Test
  void aChunkThatChangesOftenWaitsUntilTheBarrierIsNear() {
    long barrierAt = group.now + 5_000;
    for (int turn = 0; turn < 3; turn++) {
      for (int i = 0; i < 640; i++) {
        group.value("cpu-" + i, 10 + turn, i);
      }
      group.flush();
      int written = group.saveAhead(100, barrierAt, false);
      assertEquals(List.of(16, 0, 6).get(turn), written, "turn " + turn);
      // They change at 0, 2 and 4 seconds: of the next time nothing is known at first.
      group.now += 2_000;
    }
  }

  /**
   * A barrier after chunks were written ahead and changed again must find them all to be written.
   */
  @Test
  void whatChangesAfterItWasWrittenAheadIsWrittenAgain() {
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < 640; i++) {
        group.value("cpu-" + i, 10 * round, i);
        group.total("bytes-" + i, 1, 10 * round, 5.0 * round);
      }
      group.flush();
      group.saveAhead(round * 3);
    }

    group.save();
    group.restart();
    group.watermark(Long.MAX_VALUE);

    for (int i = 0; i < 640; i++) {
      assertEquals(3.0 * i, group.added.get("cpu-" + i + " MINUTE 0").sum());
      assertEquals(3, group.added.get("cpu-" + i + " DAY 0").count());
      assertEquals(15, group.added.get("bytes-" + i + " DAY 0").sum());
    }
  }

  /** Series are heard of in turns: what changed last will not change for longest. */
  @Test
  void theChunkThatChangedLastIsWrittenFirst() {
    for (int i = 0; i < 640; i++) {
      group.value("cpu-" + i, 10, i);
    }
    group.save();
    for (int i = 639; i >= 0; i--) {
      group.value("cpu-" + i, 20, 1);
    }
    group.flush();
    group.chunksPut.clear();

    group.saveAhead(2);

    assertEquals(
        List.of(ChunkKey.pane(RollupLevel.MINUTE, 0, 0), ChunkKey.pane(RollupLevel.MINUTE, 0, 1)),
        group.chunksPut);
  }

  @Test
  void aWindowOpenAgainIsNotRemovedWithItsForerunner() {
    group.value("cpu", 10, 1);
    group.save();
    group.watermark(MINUTE);
    group.value("cpu", 20, 2);
    group.flush();
    group.saveAhead(100);
    group.saveAhead(100);

    group.save();
    group.restart();
    group.watermark(Long.MAX_VALUE);

    assertEquals(3, group.added.get("cpu MINUTE 0").sum());
    assertEquals(3, group.added.get("cpu DAY 0").sum());
  }
}
