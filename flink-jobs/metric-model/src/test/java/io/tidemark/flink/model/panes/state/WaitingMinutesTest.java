package io.tidemark.flink.model.panes.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Minutes that are late, or complete and wait for points that are: none outlasts a barrier. */
class WaitingMinutesTest {

  private static final long MINUTE = 60_000;

  private final TestingPanes group = new TestingPanes();

  /** A late minute goes with the transaction that it came in, and costs the store nothing. */
  @Test
  void lateMinutesGoBeforeTheBarrier() {
    group.watermark(2 * MINUTE);
    group.value("cpu", 10, 1);
    group.total("bytes", 1, 20, 5);
    group.flush();
    group.saveAhead(100);
    group.saveAhead(100);
    assertEquals(Map.of(), group.stored, "nothing is written ahead but full chunks of series");

    group.save();
    assertEquals(2, group.rows);
    // Readings that come later correct minutes that are late as well.
    group.total("bytes", 1, MINUTE + 20, 25);
    group.save();
    group.total("bytes", 1, 40, 15);
    group.save();
    group.restart();
    group.watermark(Long.MAX_VALUE);

    assertEquals(1, group.added.get("cpu MINUTE 0").sum());
    assertEquals(15, group.added.get("bytes MINUTE 0").sum());
    assertEquals(10, group.added.get("bytes MINUTE 60000").sum());
    assertEquals(25, group.added.get("bytes DAY 0").sum());
    for (long key : group.chunksPut) {
      assertTrue(ChunkKey.kind(key) != RollupLevel.MINUTE.ordinal(), "a late minute was written");
    }
  }

  /**
   * Until the barrier a complete minute takes what comes late, and the store hears nothing of it.
   */
  @Test
  void latePointsJoinACompleteMinuteThatWaits() {
    group.value("cpu", 10, 1);
    group.save();
    group.value("cpu", 20, 2);
    group.chunksPut.clear();
    group.passes(2 * MINUTE);
    group.value("cpu", 30, 4);
    group.value("cpu", MINUTE + 10, 8);
    group.flush();
    group.saveAhead(100);
    assertEquals(0, group.rows);

    group.save();
    group.restart();
    group.watermark(Long.MAX_VALUE);

    assertEquals(7, group.added.get("cpu MINUTE 0").sum());
    assertEquals(8, group.added.get("cpu MINUTE 60000").sum());
    assertEquals(15, group.added.get("cpu DAY 0").sum());
    assertEquals(4, group.rows, "two minutes, an hour and a day");
    for (long key : group.chunksPut) {
      assertTrue(ChunkKey.kind(key) != RollupLevel.MINUTE.ordinal(), "a minute was written");
    }
  }

  /** It is gone before anybody could read what was written. */
  @Test
  void aMinuteThatWaitsIsNotWrittenAhead() {
    for (int i = 0; i < 640; i++) {
      group.value("cpu-" + i, 10, i);
    }
    group.passes(2 * MINUTE);
    for (int i = 0; i < 640; i++) {
      group.value("cpu-" + i, MINUTE + 10, i);
    }
    group.flush();
    group.saveAhead(100);

    for (long key : group.chunksPut) {
      assertEquals(ChunkKey.SERIES, ChunkKey.kind(key));
    }
  }

  /** What may wait is limited by the memory that it takes. */
  @Test
  void cellsThatWaitWeighAsMuchAsTheirBuckets() {
    group.value("plain", 10, 1);
    group.flush();
    group.panes.passes(MINUTE);
    assertEquals(2, group.panes.waitingCells(), "there is room for a second one");

    Distribution wide = new Distribution();
    for (int bucket = 1; bucket <= 160; bucket++) {
      wide.append(bucket, 1);
    }
    group.observations("wide", MINUTE + 10, 160, wide);
    group.flush();
    group.panes.passes(2 * MINUTE);
    assertEquals(2 + 28, group.panes.waitingCells(), "160 buckets of 10 bytes");
  }

  /** A minute with few series takes the room of the one before it, which had many. */
  @Test
  void cellsThatWaitWeighWhatTheirChunkHasRoomFor() {
    for (int i = 0; i < PaneChunk.SIZE; i++) {
      group.value("cpu-" + i, 10, i);
    }
    group.watermark(MINUTE);
    for (int minute = 1; minute <= 2; minute++) {
      group.value("cpu-0", minute * MINUTE + 10, 1);
      group.flush();
      group.panes.passes((minute + 1) * MINUTE);
      assertEquals(minute == 1 ? PaneChunk.SIZE : 2, group.panes.waitingCells());
      group.watermark((minute + 1) * MINUTE);
    }
  }

  /** A restart would lose it, so the job stops instead. */
  @Test
  void aMinuteThatWaitsIsNotForgottenAtABarrier() {
    group.value("cpu", 10, 1);
    group.flush();
    group.panes.passes(2 * MINUTE);

    assertThrows(IllegalStateException.class, group::save);
  }
}
