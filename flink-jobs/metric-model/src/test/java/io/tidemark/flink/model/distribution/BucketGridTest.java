package io.tidemark.flink.model.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketGridTest {

  private static final int FIRST_ABOVE_ONE = 1025;

  @ParameterizedTest
  @CsvSource({
    "1, 1024", // a bucket holds its upper bound
    "1.0000000000000002, 1025",
    "2, 1032",
    "0.5, 1016",
    "-1, -1024",
    "-2.1, -1033",
    "0, 0",
    "-0.0, 0",
    "4.9E-324, 0",
    "2.9387358770557188E-39, 0", // 2^-128
    "2.93873587705572E-39, 1",
    "3.4028236692093846E38, 2048", // 2^128
    "1.7976931348623157E308, 2048",
    "-1.7976931348623157E308, -2048",
    "Infinity, 2048"
  })
  void valuesHaveOneBucket(double value, int bucket) {
    assertEquals(bucket, BucketGrid.bucketOf(value));
  }

  @Test
  void everyValueLiesWithinItsBucket() {
    Random random = new Random(1);
    for (int round = 0; round < 100_000; round++) {
      double value = Math.pow(2, random.nextDouble() * 250 - 125);
      int bucket = BucketGrid.bucketOf(value);
      assertTrue(value <= BucketGrid.outerBound(bucket));
      assertTrue(value > BucketGrid.outerBound(bucket - 1));
      assertEquals(-bucket, BucketGrid.bucketOf(-value));
      double middle = Math.sqrt(BucketGrid.outerBound(bucket) * BucketGrid.outerBound(bucket - 1));
      assertEquals(1, middle / value, 0.0443, "as close as promised");
    }
  }

  /** A bucket of a finer scale lies within one bucket of the grid, so nothing is lost. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 8, 20})
  void finerScalesFitExactly(int scale) {
    Random random = new Random(2);
    for (int round = 0; round < 10_000; round++) {
      int index = (int) ((random.nextDouble() * 200 - 100) * (1 << scale));
      double inside = Math.pow(2, (index + 0.5) / (1 << scale));
      assertEquals(BucketGrid.bucketOf(inside), BucketGrid.bucketOf(scale, index, false));
      assertEquals(BucketGrid.bucketOf(-inside), BucketGrid.bucketOf(scale, index, true));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 1, 0, -1, -4})
  void coarserScalesGoToTheirGeometricMiddle(int scale) {
    double exponents = Math.pow(2, -scale);
    double factor = Math.pow(2, exponents / 2);
    for (int index = -5; index <= 5; index++) {
      double lower = Math.pow(2, index * exponents);
      double bound = BucketGrid.outerBound(BucketGrid.bucketOf(scale, index, false));
      assertEquals(factor, bound / lower, factor * 1e-12, "half of the bucket, by factors");
    }
  }

  @Test
  void bucketsBeyondTheGridAreItsOutermostOrZero() {
    assertEquals(BucketGrid.MAX, BucketGrid.bucketOf(0, 1023, false));
    assertEquals(-BucketGrid.MAX, BucketGrid.bucketOf(0, 1023, true));
    assertEquals(0, BucketGrid.bucketOf(0, -1000, false));
    assertEquals(FIRST_ABOVE_ONE, BucketGrid.bucketOf(3, 0, false));
  }

  @Test
  void bucketsThatNoDoubleReachesAreImpossible() {
    assertTrue(BucketGrid.isPossible(20, (1023L << 20) + 1));
    assertFalse(BucketGrid.isPossible(20, 1024L << 20));
    assertFalse(BucketGrid.isPossible(0, Integer.MAX_VALUE));
    assertFalse(BucketGrid.isPossible(0, Integer.MIN_VALUE));
    assertFalse(BucketGrid.isPossible(-10, 3));
    assertFalse(BucketGrid.isPossible(-10, Integer.MIN_VALUE));
    assertTrue(BucketGrid.isPossible(-10, -1));
    assertTrue(BucketGrid.isPossible(0, -1074));
    assertFalse(BucketGrid.isScale(21));
    assertFalse(BucketGrid.isScale(-11));
  }
}
