package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestPoints.CPU;
import static io.tidemark.flink.testing.TestPoints.REQUESTS;
import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.flink.model.completeness.LateRows;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that is restored from a checkpoint goes on where it was. */
class RollupCheckpointTest {

  private TestingRollup rollUp;

  @BeforeEach
  void open() throws Exception {
    rollUp = new TestingRollup();
  }

  @AfterEach
  void close() throws Exception {
    rollUp.close();
  }

  /** A restart must not take late points for punctual ones: nobody would hear of their rows. */
  @Test
  void restartedSubtaskKnowsHowFarItWas() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.watermark("12:05:00");
    rollUp.restart();
    rollUp.value(CPU, "12:00:40", 4);
    rollUp.watermark("12:04:00");
    assertEquals(List.of(), rollUp.figures());
    rollUp.clockAdvances(7);

    assertEquals(
        List.of(new LateRows("org-a", RollupLevel.MINUTE, at("12:00:00"), 1, CPU.metric())),
        rollUp.lateRows());
  }

  /** A second checkpoint writes only what changed; it must still restore everything. */
  @Test
  void secondCheckpointHoldsWhatTheFirstWrote() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.value(REQUESTS, "12:01:05", 1);
    rollUp.checkpoint();
    rollUp.value(CPU, "12:00:40", 4);
    rollUp.watermark("12:01:00");
    rollUp.value(REQUESTS, "12:01:06", 1);
    rollUp.restart();
    rollUp.endOfDay();

    assertEquals(List.of("12:01 sum 2.0 count 2 min 1.0 max 1.0 last 1.0"), rollUp.figures());
    assertEquals(2, rollUp.days().size());
  }

  @Test
  void openPanesSurviveARestart() throws Exception {
    assertOpenPanesSurviveARestart();
  }

  /** The production backend: other serialization paths, the same rows. */
  @Test
  void openPanesSurviveARestartOnRocksDb() throws Exception {
    rollUp.close();
    rollUp = TestingRollup.onRocksDb();
    assertOpenPanesSurviveARestart();
  }

  private void assertOpenPanesSurviveARestart() throws Exception {
    rollUp.value(CPU, "12:00:05", 3);
    rollUp.total("11:55:00", "12:00:10", 100);
    rollUp.watermark("12:00:30");
    rollUp.restart();
    rollUp.value(CPU, "12:00:40", 4);
    rollUp.watermark("12:01:05");

    assertEquals(
        List.of(
            "12:00 sum 100.0 count 1 min - max - last -",
            "12:00 sum 7.0 count 2 min 3.0 max 4.0 last 4.0"),
        rollUp.figures().stream().sorted().toList());
  }
}
