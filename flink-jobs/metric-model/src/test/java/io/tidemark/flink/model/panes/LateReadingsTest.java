package io.tidemark.flink.model.panes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.cumulative.ReadingHistory;
import io.tidemark.flink.model.distribution.Distribution;
import io.tidemark.flink.model.rollup.RollupLevel;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cumulative readings whose minute, and the one after it, were emitted before they came. */
class LateReadingsTest {

  private static final long MINUTE = 60_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private TestingPanes group = new TestingPanes();

  @Test
  void lateReadingMovesItsPartToItsMinute() {
    group.total("bytes", 50 * MINUTE, 59 * MINUTE, 100);
    group.total("bytes", 50 * MINUTE, 61 * MINUTE, 160);
    group.watermark(62 * MINUTE);
    assertEquals(60, group.added.get("bytes MINUTE " + 61 * MINUTE).sum());

    group.save();
    group.restart();
    group.watermark(62 * MINUTE);
    group.total("bytes", 50 * MINUTE, 60 * MINUTE - 1, 130);
    group.flush();
    group.clock(7_000);
    group.clock(7_000);
    group.watermark(Long.MAX_VALUE);

    assertEquals(130, sum("MINUTE", 59 * MINUTE), "100 and 30");
    assertEquals(30, sum("MINUTE", 61 * MINUTE), "a correction of -30");
    assertEquals(1, group.added.get("bytes MINUTE " + 61 * MINUTE).count());
    assertEquals(130, sum("HOUR", 0), "over the hour, too");
    assertEquals(30, sum("HOUR", HOUR));
    assertEquals(160, sum("DAY", 0));
    assertEquals(3, group.added.get("bytes DAY 0").count());
    assertEquals(List.of(), group.setAside);
  }

  /** What is remembered of a reading is not what later readings are added to. */
  @Test
  void bucketsOfOneMinuteLeaveThoseThatAreRememberedAlone() {
    Distribution first = new Distribution();
    first.append(5, 2);
    Distribution second = first.copy();
    second.append(9, 3);
    Distribution between = first.copy();
    between.append(9, 1);
    group.totalObservations("ms", 50 * MINUTE, 59 * MINUTE + 10_000, 4, 2, first);
    group.totalObservations("ms", 50 * MINUTE, 59 * MINUTE + 30_000, 9, 5, second);
    group.watermark(62 * MINUTE);
    group.totalObservations("ms", 50 * MINUTE, 59 * MINUTE + 20_000, 5, 3, between);
    group.clock(7_000);
    group.clock(7_000);
    group.watermark(Long.MAX_VALUE);

    assertEquals(second, group.distributions.get("ms MINUTE " + 59 * MINUTE));
    assertEquals(5, group.added.get("ms MINUTE " + 59 * MINUTE).count());
    assertEquals(List.of(), group.setAside);
  }

  /** The end of a bounded input: what is corrected last is not forgotten. */
  @Test
  void endOfInputEmitsCorrections() {
    group.total("bytes", 1, MINUTE, 100);
    group.total("bytes", 1, 3 * MINUTE, 160);
    group.watermark(4 * MINUTE);
    group.total("bytes", 1, 2 * MINUTE, 130);

    group.watermark(Long.MAX_VALUE);

    assertEquals(30, sum("MINUTE", 2 * MINUTE));
    assertEquals(30, sum("MINUTE", 3 * MINUTE));
    assertEquals(160, sum("DAY", 0));
  }

  @Test
  void readingBeforeTheMemoryIsSetAsideAndTotalsStay() {
    for (int i = 1; i <= ReadingHistory.MAX + 1; i++) {
      group.total("bytes", 1, i * MINUTE, i * 10);
    }
    group.watermark(HOUR);
    group.total("bytes", 1, MINUTE + 5_000, 12);
    group.clock(7_000);
    group.watermark(Long.MAX_VALUE);

    assertEquals(List.of("CUMULATIVE_OUT_OF_ORDER " + (MINUTE + 5_000)), group.setAside);
    assertEquals((ReadingHistory.MAX + 1) * 10, sum("DAY", 0));
  }

  /**
   * Histograms late by minutes, restarts of the job between: every minute is that of the sender.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void distributionsDoNotDependOnTheOrderOfArrival(long seed) {
    Random random = new Random(seed);
    Map<String, Distribution> expected = new TreeMap<>();
    Map<String, Long> counts = new TreeMap<>();
    int[] order = order(random, 60);
    int steps = order.length;
    Distribution[] totals = new Distribution[steps];
    Distribution so = new Distribution();
    for (int step = 0; step < steps; step++) {
      Distribution growth = new Distribution();
      int bucket = random.nextInt(40) - 20;
      for (int i = 0; i < 3; i++) {
        growth.append(bucket, 1 + random.nextInt(5));
        bucket += 1 + random.nextInt(4);
      }
      so = so.copy();
      so.add(growth);
      totals[step] = so;
      for (RollupLevel level : RollupLevel.values()) {
        String window = "lag " + level + " " + level.windowOf(HOUR + step * 25_000L);
        expected.computeIfAbsent(window, ignored -> new Distribution()).add(growth);
        counts.merge(window, count(growth), Long::sum);
      }
    }
    for (int i = 0; i < steps; i++) {
      int step = order[i];
      long time = HOUR + step * 25_000L;
      group.totalObservations("lag", HOUR - 1, time, 0, count(totals[step]), totals[step]);
      if (random.nextInt(4) == 0) {
        group.watermark(HOUR + i * 25_000L);
      }
      if (random.nextInt(6) == 0) {
        group.clock(random.nextInt(9_000));
      }
      if (random.nextInt(8) == 0) {
        group.save();
        group.restart();
      }
    }
    group.watermark(Long.MAX_VALUE);

    assertEquals(List.of(), group.setAside);
    group.distributions.values().removeIf(Distribution::isEmpty);
    assertEquals(expected, group.distributions);
    counts.forEach((window, count) -> assertEquals(count, group.added.get(window).count(), window));
  }

  /** Delta histograms: combined before the shuffle, merged over levels and restarts. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void distributionsOfDeltasAddUp(long seed) {
    Random random = new Random(seed);
    Map<String, Distribution> expected = new TreeMap<>();
    for (int i = 0; i < 3_000; i++) {
      String name = "size-" + random.nextInt(100);
      long time = HOUR + random.nextInt(40) * 10_000L;
      if (random.nextInt(3) == 0) {
        group.value("cpu-" + random.nextInt(100), time, 1);
      }
      Distribution distribution = new Distribution();
      int bucket = random.nextInt(4_000) - 2_000;
      distribution.append(bucket, 1 + random.nextInt(9));
      distribution.append(bucket + random.nextInt(48), 1);
      group.observations(name, time, i, distribution);
      for (RollupLevel level : RollupLevel.values()) {
        expected
            .computeIfAbsent(
                name + " " + level + " " + level.windowOf(time), ignored -> new Distribution())
            .add(distribution);
      }
      if (random.nextInt(300) == 0) {
        group.watermark(HOUR + i * 100L);
      }
      if (random.nextInt(300) == 0) {
        group.save();
        group.restart();
      }
    }
    group.watermark(Long.MAX_VALUE);

    assertEquals(expected, group.distributions);
    group.save();
    group.clock(Duration.ofHours(3).toMillis());
    group.save();
    assertTrue(group.panes.isEmpty());
    assertEquals(Map.of(), group.stored);
  }

  private double sum(String level, long window) {
    return group.added.get("bytes " + level + " " + window).sum();
  }

  private static long count(Distribution distribution) {
    long count = 0;
    for (int i = 0; i < distribution.size(); i++) {
      count += distribution.count(i);
    }
    return count;
  }

  /** The numbers from 0, each at most fourteen places too late. */
  private static int[] order(Random random, int size) {
    double[] turns = random.doubles(size, 0, 14).toArray();
    return IntStream.range(0, size)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> i + turns[i]))
        .mapToInt(i -> i)
        .toArray();
  }
}
