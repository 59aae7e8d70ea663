package io.tidemark.flink.model.usage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSharesTest {

  @Test
  void theLargestRemaindersGetWhatIsLeft() {
    assertArrayEquals(new long[] {4, 3, 3}, ByteShares.of(10, new long[] {1, 1, 1}, 3));
    assertArrayEquals(new long[] {7, 3}, ByteShares.of(10, new long[] {2, 1}, 2));
    assertArrayEquals(new long[] {0, 10}, ByteShares.of(10, new long[] {0, 5}, 2));
    assertArrayEquals(new long[] {0, 0}, ByteShares.of(10, new long[] {0, 0}, 2));
  }

  @Test
  void sharesAddUpAndNoneIsOffByAByte() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      long[] points = random.longs(1 + random.nextInt(40), 0, 5_000).toArray();
      points[0]++;
      long bytes = random.nextInt(16 << 20);
      long all = Arrays.stream(points).sum();

      long[] shares = ByteShares.of(bytes, points, points.length);

      assertEquals(bytes, Arrays.stream(shares).sum());
      for (int share = 0; share < shares.length; share++) {
        assertTrue(Math.abs(shares[share] - (double) bytes * points[share] / all) < 1);
      }
    }
  }

  /** What is left is given away one by one, to the largest remainder that got nothing yet. */
  @Test
  void ofEqualRemaindersTheEarlierShareIsLarger() {
    Random random = new Random(8);
    for (int i = 0; i < 2_000; i++) {
      long[] points = random.longs(1 + random.nextInt(40), 0, 1 + random.nextInt(12)).toArray();
      points[random.nextInt(points.length)]++;
      long bytes = random.nextInt(5_000);

      assertArrayEquals(oneByOne(bytes, points), ByteShares.of(bytes, points, points.length));
    }
  }

  private static long[] oneByOne(long bytes, long[] points) {
    long all = Arrays.stream(points).sum();
    long[] shares = Arrays.stream(points).map(of -> bytes * of / all).toArray();
    long[] remainders = Arrays.stream(points).map(of -> bytes * of % all).toArray();
    for (long left = bytes - Arrays.stream(shares).sum(); left > 0; left--) {
      int largest = 0;
      for (int i = 1; i < points.length; i++) {
        largest = remainders[i] > remainders[largest] ? i : largest;
      }
      shares[largest]++;
      remainders[largest] = -1;
    }
    return shares;
  }
}
