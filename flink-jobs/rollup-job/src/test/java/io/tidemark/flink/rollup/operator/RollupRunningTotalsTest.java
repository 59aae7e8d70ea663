package io.tidemark.flink.rollup.operator;

import static io.tidemark.flink.testing.TestTime.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.reject.DeadLetter;
import io.tidemark.flink.model.reject.RejectionReason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Running totals become what they grew by, minute by minute. */
class RollupRunningTotalsTest {

  private TestingRollup rollUp;

  @BeforeEach
  void open() throws Exception {
    rollUp = new TestingRollup();
  }

  @AfterEach
  void close() throws Exception {
    rollUp.close();
  }

  /** Readings wait for their minute to be complete; what they add so far is shown. */
  @Test
  void openMinutesOfRunningTotalsAreSentAndEndAsTheirRows() throws Exception {
    String minute = Long.toString(at("12:00:00"));
    rollUp.total("11:59:50", "12:00:05", 40);
    rollUp.clockAdvances(1);
    assertEquals(Map.of(minute + " bytes", "40.0/1"), OpenMinuteCellsOf.latest(rollUp.live()));
    rollUp.total("11:59:50", "12:00:09", 70);
    rollUp.total("11:59:50", "12:00:07", 60);
    rollUp.clockAdvances(2);
    assertEquals(Map.of(minute + " bytes", "70.0/3"), OpenMinuteCellsOf.latest(rollUp.live()));
    int sent = rollUp.live().size();

    rollUp.watermark("12:01:05");

    assertEquals(sent, rollUp.live().size(), "nothing changed");
    assertEquals(1, rollUp.figures().size());
    rollUp.assertNothingLeft();
  }

  @Test
  void cumulativeReadingsCountInEventOrder() throws Exception {
    rollUp.total("11:55:00", "12:00:30", 150);
    rollUp.total("11:55:00", "12:00:10", 100);
    rollUp.total("11:55:00", "12:00:20", 120);
    rollUp.watermark("12:01:05");
    rollUp.total("11:55:00", "12:01:10", 160);
    rollUp.watermark("12:02:05");

    // 100 since the start five minutes before, then 20, 30, and 10 in the next minute.
    assertEquals(
        List.of(
            "12:00 sum 150.0 count 3 min - max - last -",
            "12:01 sum 10.0 count 1 min - max - last -"),
        rollUp.figures());
  }

  @Test
  void lateReadingOfAClosedMinuteStillCountsIfNothingLaterWasUsed() throws Exception {
    rollUp.total("11:55:00", "12:00:10", 100);
    rollUp.watermark("12:05:00");
    rollUp.total("11:55:00", "12:01:10", 130);
    rollUp.clockAdvances(7);

    assertEquals("12:01 sum 30.0 count 1 min - max - last -", rollUp.figures().get(1));
  }

  @Test
  void readingsThatCannotBePlacedAreDeadLetters() throws Exception {
    rollUp.total("11:55:00", "12:00:30", 100);
    rollUp.total("11:55:00", "12:00:30", 100);
    rollUp.total("11:55:00", "12:00:30", 101);
    rollUp.watermark("12:01:05");
    rollUp.total("11:50:00", "12:00:40", 110);
    rollUp.clockAdvances(7);

    assertEquals(List.of("12:00 sum 100.0 count 1 min - max - last -"), rollUp.figures());
    List<DeadLetter> letters = rollUp.deadLetters();
    assertEquals(2, letters.size(), "a contradiction and an earlier life; no repetition");
    for (DeadLetter letter : letters) {
      assertEquals(RejectionReason.CUMULATIVE_OUT_OF_ORDER, letter.reason());
      assertEquals(1, letter.pointCount());
      assertEquals("points", letter.sourceTopic());
      assertEquals("roll-up", letter.stage());
      assertTrue(letter.original().length > 0);
    }
    assertEquals(2, letters.get(0).sourceOffset());
    assertEquals(3, letters.get(1).sourceOffset());
  }

  /** 40 between the two: the late reading says that 15 of them came a minute before. */
  @Test
  void lateReadingSplitsTheDeltaThatBridgedIt() throws Exception {
    rollUp.total("11:59:00", "11:59:30", 100);
    rollUp.total("11:59:00", "12:01:10", 140);
    rollUp.watermark("12:02:05");
    rollUp.restart();
    rollUp.watermark("12:02:05");
    rollUp.total("11:59:00", "12:00:20", 115);
    rollUp.clockAdvances(7);
    rollUp.clockAdvances(14);

    assertEquals(
        List.of(
            "12:00 sum 15.0 count 1 min - max - last -",
            "12:01 sum -15.0 count 0 min - max - last -"),
        rollUp.figures());
    rollUp.watermark("13:00:00");
    assertEquals(List.of("12:00 sum 40.0 count 2 min - max - last -"), rollUp.hours());
    rollUp.assertNothingLeft();
  }

  @Test
  void firstReadingOfAnOldLifeOnlySetsTheReference() throws Exception {
    rollUp.total("03:00:00", "12:00:10", 1_000_000);
    rollUp.total("03:00:00", "12:00:20", 1_000_007);
    rollUp.watermark("12:01:05");

    assertEquals(List.of("12:00 sum 7.0 count 1 min - max - last -"), rollUp.figures());
  }

  @Test
  void referenceIsForgottenAfterADay() throws Exception {
    rollUp.total("03:00:00", "12:00:10", 100);
    rollUp.watermark("12:01:05");
    rollUp.clockAdvances(86_401);
    rollUp.total("03:00:00", "12:01:10", 150);
    rollUp.watermark("12:02:05");

    assertEquals(List.of(), rollUp.figures(), "both readings were the first of their series");
  }
}
