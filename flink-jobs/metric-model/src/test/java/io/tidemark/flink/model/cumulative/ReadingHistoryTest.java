package io.tidemark.flink.model.cumulative;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.cumulative.ReadingHistory.Placing;
import io.tidemark.flink.model.distribution.BucketLayout;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.MinuteGrid;
import io.tidemark.flink.model.series.MetricKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingHistoryTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long START = 3_600 * SECOND;

  private record Sent(long time, CumulativeReading reading) {}

  /** Everything added to one minute. */
  private record Minute(double sum, long count, Distribution distribution) {}

  private ReadingHistory used = new ReadingHistory();
  private final Map<Long, Minute> minutes = new TreeMap<>();

  private final List<String> deltas = new ArrayList<>();

  @Test
  void lateReadingSplitsTheDeltaThatBridgedIt() {
    total(10, 100);
    total(130, 160);
    assertEquals(Map.of(0L, "100.0/1", 2L, "60.0/1"), booked());

    assertEquals(Placing.COUNTED, total(70, 120));

    assertEquals(Map.of(0L, "100.0/1", 1L, "20.0/1", 2L, "40.0/1"), booked());
  }

  @Test
  void lateFirstReadingTakesItsPartOfTheWhole() {
    total(130, 160);
    assertEquals(Placing.COUNTED, total(10, 100));

    assertEquals(Map.of(0L, "100.0/1", 2L, "60.0/1"), booked());
  }

  @Test
  void lateBaselineMakesAReadingOfTheBaselineAfterIt() {
    long old = START - 3_600 * SECOND;
    assertEquals(Placing.BASELINE, place(130, old, 160));
    assertEquals(Placing.BASELINE, place(10, old, 100));

    assertEquals(Map.of(2L, "60.0/1"), booked());
  }

  /** The minute says 0, as it does when the readings come in their order. */
  @Test
  void histogramThatStandsStillIsCountedWhicheverReadingComesFirst() {
    long old = START - 3_600 * SECOND;
    assertEquals(Placing.BASELINE, standingStill(130, old));
    assertEquals(Placing.BASELINE, standingStill(10, old));

    assertEquals(Map.of(2L, "0.0/0"), booked());
  }

  /** 100, restart, 5: a reading of either life changes nothing of the other. */
  @Test
  void restartsBetweenAreRight() {
    total(10, 100);
    place(190, START + 150 * SECOND, 5);
    assertEquals(Map.of(0L, "100.0/1", 3L, "5.0/1"), booked());

    assertEquals(Placing.COUNTED, total(70, 130));
    assertEquals(Map.of(0L, "100.0/1", 1L, "30.0/1", 3L, "5.0/1"), booked());

    assertEquals(Placing.COUNTED, place(160, START + 150 * SECOND, 2));
    assertEquals(Map.of(0L, "100.0/1", 1L, "30.0/1", 2L, "2.0/1", 3L, "3.0/1"), booked());
  }

  @Test
  void restartThatOnlyALateReadingShowsIsFound() {
    place(10, 0, 100);
    place(190, 0, 130);
    assertEquals(Map.of(3L, "30.0/1"), booked());

    assertEquals(Placing.COUNTED, place(70, 0, 20));

    // 20 since the restart, then 110 more.
    assertEquals(Map.of(1L, "20.0/1", 3L, "110.0/1"), booked());
  }

  @Test
  void repetitionsAndContradictionsAreTold() {
    total(10, 100);
    total(70, 120);
    total(130, 160);

    assertEquals(Placing.REPEATED, total(70, 120));
    assertEquals(Placing.OUT_OF_ORDER, total(70, 121));
    assertEquals(Placing.OUT_OF_ORDER, place(100, START + 80 * SECOND, 1), "a later life before");
    assertEquals(Placing.OUT_OF_ORDER, place(100, START - 1, 130), "an earlier life after");
    assertEquals(Map.of(0L, "100.0/1", 1L, "20.0/1", 2L, "40.0/1"), booked());
  }

  @Test
  void differenceBeyondADoubleChangesNothing() {
    place(10, 0, -Double.MAX_VALUE);
    place(130, 0, -Double.MAX_VALUE);

    assertEquals(Placing.OVERFLOW, place(70, 0, Double.MAX_VALUE));
    assertEquals(Map.of(2L, "0.0/1"), booked());
  }

  @Test
  void readingsBeforeTheMemoryAreOutOfOrderAndTotalsStay() {
    for (int i = 0; i <= ReadingHistory.MAX; i++) {
      total(10 + 60 * i, 100 + i);
    }
    Map<Long, String> before = booked();

    assertEquals(Placing.OUT_OF_ORDER, total(40, 100));
    assertEquals(before, booked());
    assertEquals(Placing.COUNTED, total(100, 101), "after the oldest that is remembered");
  }

  @Test
  void histogramsMoveCountsAndBuckets() {
    observations(10, 1, of(8, 2));
    observations(130, 1, of(8, 3, 9, 4));
    assertEquals(Placing.COUNTED, observations(70, 1, of(8, 3, 9, 1)));

    assertEquals(Map.of(0L, "2.0/2", 1L, "2.0/2", 2L, "3.0/3"), booked());
    assertEquals(of(8, 1, 9, 1), minutes.get(1L).distribution());
    assertEquals(of(9, 3), minutes.get(2L).distribution());
  }

  /** A sum of 0 would be a statement that nobody made. */
  @Test
  void correctionOfASenderWithoutSumsHasNoSum() {
    withoutSum(10, 4);
    withoutSum(130, 9);

    assertEquals(Placing.COUNTED, withoutSum(70, 6));

    assertEquals(Placing.COUNTED, withoutSum(100, 6));
    assertEquals(List.of("NaN/4", "NaN/5", "NaN/-2", "NaN/2", "NaN/0"), deltas);
  }

  /** Which observations fell where cannot be told; count and sum can. */
  @Test
  void changedBucketsLeaveTheDifferenceWithoutDistribution() {
    observations(10, 1, of(8, 2));
    observations(70, 2, of(8, 1, 9, 4));
    observations(130, 2, of(8, 1, 9, 6));

    assertEquals(Map.of(0L, "2.0/2", 1L, "3.0/3", 2L, "2.0/2"), booked());
    assertEquals(new Distribution(), minutes.get(1L).distribution());
    assertEquals(of(9, 2), minutes.get(2L).distribution());
  }

  @Test
  void smallerBucketIsARestartThatTheCountHides() {
    observations(10, 1, of(8, 5));
    observations(70, 1, of(9, 9));

    assertEquals(Map.of(0L, "5.0/5", 1L, "9.0/9"), booked());
    assertEquals(of(9, 9), minutes.get(1L).distribution());
  }

  /** Any order of arrival within the memory: the minutes are those of the order in time. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void minutesDoNotDependOnTheOrderOfArrival(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 100; round++) {
      boolean hasStarts = random.nextBoolean();
      MetricKind kind = random.nextBoolean() ? MetricKind.COUNTER : MetricKind.HISTOGRAM;
      List<Sent> history = history(random, hasStarts, kind);
      Map<Long, Minute> expected = inOrder(history, kind);

      minutes.clear();
      used = new ReadingHistory();
      // Never so late that the memory has moved on.
      double[] turns = random.doubles(history.size(), 0, ReadingHistory.MAX - 2).toArray();
      List<Integer> order = new ArrayList<>(turns.length);
      for (int i = 0; i < turns.length; i++) {
        order.add(i);
      }
      order.sort(Comparator.comparingDouble(i -> i + turns[i]));
      for (int next : order) {
        Sent sent = history.get(next);
        assertTrue(place(kind, sent) != Placing.OUT_OF_ORDER, () -> "seed " + seed);
        if (random.nextInt(10) == 0) {
          assertEquals(Placing.REPEATED, place(kind, sent));
        }
        if (random.nextInt(10) == 0) {
          used = ReadingHistory.decode(used.encode());
        }
      }
      assertSame(expected, minutes);
    }
  }

  private static void assertSame(Map<Long, Minute> expected, Map<Long, Minute> actual) {
    assertEquals(expected.keySet(), actual.keySet());
    expected.forEach(
        (minute, wanted) -> {
          Minute found = actual.get(minute);
          assertEquals(wanted.sum(), found.sum(), 1e-9 * (1 + Math.abs(wanted.sum())));
          assertEquals(wanted.count(), found.count());
          assertEquals(wanted.distribution(), found.distribution());
        });
  }

  /** Readings as a sender makes them, with restarts. */
  private static List<Sent> history(Random random, boolean hasStarts, MetricKind kind) {
    List<Sent> history = new ArrayList<>();
    long start = START - random.nextInt(1_200) * SECOND;
    long time = START;
    double sum = random.nextInt(3);
    Distribution distribution = new Distribution();
    for (int i = 0; i < 40; i++) {
      if (random.nextInt(6) == 0) {
        start = time + SECOND;
        sum = 0;
        distribution = new Distribution();
      }
      time += (2 + random.nextInt(70)) * SECOND;
      sum += random.nextInt(4) == 0 ? 0 : random.nextDouble() * 100;
      distribution = distribution.copy();
      distribution.add(of(random.nextInt(5), random.nextInt(4)));
      boolean isHistogram = kind == MetricKind.HISTOGRAM;
      history.add(
          new Sent(
              time,
              new CumulativeReading(
                  hasStarts ? start : 0,
                  sum,
                  isHistogram ? total(distribution) : 0,
                  isHistogram ? distribution : null,
                  isHistogram ? 1 : BucketLayout.NONE,
                  "",
                  0)));
    }
    return history;
  }

  /** The rule of neighbours alone, without memory or correction. */
  private static Map<Long, Minute> inOrder(List<Sent> history, MetricKind kind) {
    Map<Long, Minute> minutes = new TreeMap<>();
    CumulativeReference last = null;
    for (Sent sent : history) {
      var outcome = CumulativeToDelta.next(last, kind, sent.time(), sent.reading());
      if (outcome instanceof CumulativeToDelta.Counted counted) {
        book(minutes, sent.time(), counted.contribution());
        last = counted.reference();
      } else {
        last = ((CumulativeToDelta.Baseline) outcome).reference();
      }
    }
    return minutes;
  }

  private static void book(
      Map<Long, Minute> minutes,
      long time,
      io.tidemark.flink.model.rollup.Contribution contribution) {
    long minute = MinuteGrid.minuteOf(time - START) / 60_000;
    Minute booked = minutes.getOrDefault(minute, new Minute(0, 0, new Distribution()));
    Distribution distribution = booked.distribution().copy();
    if (contribution.distribution() != null) {
      distribution.add(contribution.distribution());
    }
    minutes.put(
        minute,
        new Minute(
            booked.sum() + contribution.sum(),
            booked.count() + contribution.count(),
            distribution));
  }

  /** Sum and count of every minute. */
  private Map<Long, String> booked() {
    Map<Long, String> booked = new TreeMap<>();
    minutes.forEach((minute, all) -> booked.put(minute, all.sum() + "/" + all.count()));
    return booked;
  }

  private Placing total(long seconds, double total) {
    return place(seconds, START, total);
  }

  private Placing withoutSum(long seconds, long count) {
    Sent sent =
        new Sent(START + seconds * SECOND, new CumulativeReading(START, Double.NaN, count, "", 0));
    return used.place(
        MetricKind.HISTOGRAM,
        sent.time(),
        sent.reading(),
        (time, delta) -> {
          deltas.add(delta.sum() + "/" + delta.count());
          book(minutes, time, delta);
        });
  }

  private Placing place(long seconds, long start, double total) {
    return place(
        MetricKind.COUNTER,
        new Sent(START + seconds * SECOND, new CumulativeReading(start, total, 0, "", 0)));
  }

  private Placing observations(long seconds, long layout, Distribution distribution) {
    long count = total(distribution);
    return place(
        MetricKind.HISTOGRAM,
        new Sent(
            START + seconds * SECOND,
            new CumulativeReading(START, count, count, distribution, layout, "", 0)));
  }

  private Placing standingStill(long seconds, long start) {
    return place(
        MetricKind.HISTOGRAM,
        new Sent(START + seconds * SECOND, new CumulativeReading(start, 7, 3, "", 0)));
  }

  private Placing place(MetricKind kind, Sent sent) {
    return used.place(
        kind, sent.time(), sent.reading(), (time, delta) -> book(minutes, time, delta));
  }

  private static long total(Distribution distribution) {
    long total = 0;
    for (int i = 0; i < distribution.size(); i++) {
      total += distribution.count(i);
    }
    return total;
  }

  private static Distribution of(int... bucketsAndCounts) {
    Distribution distribution = new Distribution();
    for (int i = 0; i < bucketsAndCounts.length; i += 2) {
      distribution.append(bucketsAndCounts[i], bucketsAndCounts[i + 1]);
    }
    return distribution;
  }
}
