package io.tidemark.flink.model.cumulative;

import static io.tidemark.flink.model.cumulative.CumulativeToDelta.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.tidemark.flink.model.cumulative.CumulativeToDelta.Baseline;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Counted;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.OutOfOrder;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Outcome;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Overflow;
import io.tidemark.flink.model.cumulative.CumulativeToDelta.Repeated;
import io.tidemark.flink.model.rollup.Contribution;
import io.tidemark.flink.model.series.MetricKind;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CumulativeToDeltaTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_000 * SECOND;
  private static final long TIME = 1_060 * SECOND;
  private static final CumulativeReference LAST = new CumulativeReference(START, TIME, 100, 0);

  @Test
  void growthIsTheDifference() {
    Counted counted = counted(LAST, START, TIME + SECOND, 130);

    assertEquals(ofPoint(30), counted.contribution());
    assertEquals(new CumulativeReference(START, TIME + SECOND, 130, 0), counted.reference());
  }

  @Test
  void standingStillIsAPointOfZero() {
    assertEquals(ofPoint(0), counted(LAST, START, TIME + 1, 100).contribution());
  }

  @ParameterizedTest
  @CsvSource({
    "600, true", // ten minutes of life, inclusive
    "601, false",
    "0, true" // started with the reading
  })
  void firstReadingCountsWholeOnlyInAYoungLife(long lifeSeconds, boolean whole) {
    Outcome outcome = outcome(null, TIME - lifeSeconds * SECOND, TIME, 100);

    if (whole) {
      assertEquals(ofPoint(100), assertInstanceOf(Counted.class, outcome).contribution());
    } else {
      Baseline baseline = assertInstanceOf(Baseline.class, outcome);
      assertEquals(100, baseline.reference().sum());
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "-5", "2000000000000"})
  void firstReadingWithoutBelievableStartIsABaseline(long start) {
    assertInstanceOf(Baseline.class, outcome(null, start, TIME, 100));
  }

  @Test
  void laterStartIsARestart() {
    assertEquals(ofPoint(150), counted(LAST, TIME + 1, TIME + SECOND, 150).contribution());
  }

  @ParameterizedTest
  @CsvSource({"0", "1000000000000"})
  void smallerTotalIsARestart(long start) {
    assertEquals(ofPoint(20), counted(LAST, start, TIME + SECOND, 20).contribution());
  }

  @Test
  void unknownStartIsNoRestart() {
    assertEquals(ofPoint(5), counted(LAST, 0, TIME + SECOND, 105).contribution());
  }

  @Test
  void olderReadingsAndEarlierLivesAreOutOfOrder() {
    assertInstanceOf(OutOfOrder.class, outcome(LAST, START, TIME - 1, 90));
    assertInstanceOf(OutOfOrder.class, outcome(LAST, START - 1, TIME + 1, 110));
  }

  @Test
  void sameTimeIsARepetitionOrAContradiction() {
    assertInstanceOf(Repeated.class, outcome(LAST, START, TIME, 100));
    assertInstanceOf(OutOfOrder.class, outcome(LAST, START, TIME, 101));
  }

  @Test
  void differenceBeyondDoubleIsNotCounted() {
    CumulativeReference low = new CumulativeReference(START, TIME, -Double.MAX_VALUE, 0);

    assertInstanceOf(Overflow.class, outcome(low, START, TIME + 1, Double.MAX_VALUE));
  }

  @Test
  void histogramsBecomeCountAndSumWithoutExtremes() {
    CumulativeReference last = new CumulativeReference(START, TIME, 50.5, 10);
    CumulativeReading reading = new CumulativeReading(START, 40.5, 12, "", 0);

    Counted counted =
        assertInstanceOf(Counted.class, next(last, MetricKind.HISTOGRAM, TIME + 1, reading));

    // Negative observations shrink the sum; the count shows that it is no restart.
    assertEquals(-10, counted.contribution().sum());
    assertEquals(2, counted.contribution().count());
    assertFalse(Contribution.isPresent(counted.contribution().min()));
    assertFalse(Contribution.isPresent(counted.contribution().last()));
  }

  @Test
  void smallerCountIsARestartOfAHistogram() {
    CumulativeReference last = new CumulativeReference(START, TIME, 5, 10);
    CumulativeReading reading = new CumulativeReading(START, 7, 3, "", 0);

    Counted counted =
        assertInstanceOf(Counted.class, next(last, MetricKind.SUMMARY, TIME + 1, reading));

    assertEquals(7, counted.contribution().sum());
    assertEquals(3, counted.contribution().count());
  }

  /** Whatever the restarts, the deltas add up to what the sender counted. */
  @Test
  void deltasAddUpToWhatHappened() {
    Random random = new Random(7);
    for (int round = 0; round < 100; round++) {
      CumulativeReference last = null;
      long start = START;
      long time = START;
      double total = 0;
      double happened = 0;
      double summed = 0;
      for (int step = 0; step < 50; step++) {
        time += 10 * SECOND;
        if (random.nextInt(8) == 0) {
          start = time - SECOND;
          total = 0;
        }
        int growth = random.nextInt(1000);
        total += growth;
        happened += growth;
        Counted counted = counted(last, start, time, total);
        summed += counted.contribution().sum();
        last = counted.reference();
      }
      assertEquals(happened, summed);
    }
  }

  /** One point more; a difference has no extremes and no last value. */
  private static Contribution ofPoint(double sum) {
    return Contribution.ofObservations(1, sum, Contribution.ABSENT, Contribution.ABSENT);
  }

  private static Counted counted(CumulativeReference last, long start, long time, double total) {
    return assertInstanceOf(Counted.class, outcome(last, start, time, total));
  }

  private static Outcome outcome(CumulativeReference last, long start, long time, double total) {
    return next(last, MetricKind.COUNTER, time, new CumulativeReading(start, total, 0, "", 0));
  }
}
