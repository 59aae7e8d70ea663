package io.tidemark.flink.model.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SentBucketsTest {

  @Test
  void everySentBucketGoesWhereTheGridPutsIt() {
    Random random = new Random(7);
    int used = 0;
    for (int round = 0; round < 20_000; round++) {
      int scale = random.nextInt(25) - 11;
      SentBuckets.Side negative = side(random, scale);
      SentBuckets.Side positive = side(random, scale);
      long zeros = random.nextInt(3);
      long sent = zeros + sum(negative) + sum(positive);
      long total = random.nextInt(20) == 0 ? sent + random.nextInt(3) - 1 : sent;
      Map<Integer, Long> expected = new TreeMap<>();
      boolean isSound = total == sent;
      if (zeros > 0) {
        expected.put(0, zeros);
      }
      isSound &= put(scale, negative, true, expected);
      isSound &= put(scale, positive, false, expected);
      Distribution distribution = new Distribution();
      boolean isTaken =
          SentBuckets.exponential(scale, total, zeros, negative, positive, distribution);
      assertEquals(isSound, isTaken, "scale " + scale);
      if (isTaken) {
        used++;
        Map<Integer, Long> found = new TreeMap<>();
        for (int i = 0; i < distribution.size(); i++) {
          found.put(distribution.bucket(i), distribution.count(i));
        }
        assertEquals(expected, found);
      }
    }
    assertFalse(used < 5_000, "most of them are sound: " + used);
  }

  @Test
  void aCountAboveTheTotalIsNoCount() {
    long[] counts = {Long.MAX_VALUE, Long.MAX_VALUE, 4};
    SentBuckets.Side side = new SentBuckets.Side(0, counts, counts.length);
    SentBuckets.Side none = new SentBuckets.Side(0, new long[0], 0);
    assertFalse(SentBuckets.exponential(5, 2, 0, none, side, new Distribution()));
    assertFalse(SentBuckets.exponential(5, 2, 0, side, none, new Distribution()));
    assertFalse(SentBuckets.exponential(5, 2, -1, none, none, new Distribution()));
  }

  @Test
  void oneBucketMeansTheSameWhicheverWayItIsPut() {
    Random random = new Random(7);
    int usable = 0;
    for (int round = 0; round < 20_000; round++) {
      int scale = random.nextInt(36) - 13;
      int index = random.nextInt() >> random.nextInt(31);
      long count = 1 + random.nextInt(3);
      SentBuckets.Side none = new SentBuckets.Side(0, new long[0], 0);
      SentBuckets.Side positive = new SentBuckets.Side(index, new long[] {count}, 1);
      Distribution expected = new Distribution();
      Distribution single = new Distribution();

      boolean isUsable = SentBuckets.exponential(scale, count, 0, none, positive, expected);

      assertEquals(isUsable, SentBuckets.single(scale, index, count, single));
      if (isUsable) {
        assertEquals(expected, single);
        usable++;
      }
    }
    assertTrue(usable > 5_000 && usable < 15_000, "of both there are many: " + usable);
  }

  private static boolean put(
      int scale, SentBuckets.Side side, boolean isNegative, Map<Integer, Long> into) {
    boolean isSound = true;
    for (int i = 0; i < side.size(); i++) {
      long count = side.counts()[i];
      if (count != 0) {
        long index = (long) side.offset() + i;
        isSound &= count > 0 && BucketGrid.isScale(scale) && BucketGrid.isPossible(scale, index);
        if (isSound) {
          into.merge(BucketGrid.bucketOf(scale, index, isNegative), count, Long::sum);
        }
      }
    }
    return isSound;
  }

  private static SentBuckets.Side side(Random random, int scale) {
    long[] counts = new long[random.nextInt(200)];
    int size = counts.length == 0 ? 0 : random.nextInt(counts.length);
    for (int i = 0; i < size; i++) {
      boolean isDamaged = random.nextInt(5_000) == 0;
      counts[i] = isDamaged ? -1 : random.nextBoolean() ? 0 : random.nextInt(100);
    }
    int widest = scale > 0 ? 1 << Math.min(scale + 10, 28) : 1_100 >> Math.min(-scale, 10);
    int offset =
        random.nextInt(50) == 0
            ? random.nextInt()
            : random.nextInt(Math.max(2 * widest, 1)) - widest;
    return new SentBuckets.Side(offset, counts, size);
  }

  private static long sum(SentBuckets.Side side) {
    long sum = 0;
    for (int i = 0; i < side.size(); i++) {
      sum += side.counts()[i];
    }
    return sum;
  }
}
