package io.tidemark.flink.model.distribution;

import static io.tidemark.flink.model.distribution.BucketGrid.bucketOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ExplicitBoundsTest {

  @Test
  void bucketsGoWholeToOneValue() {
    ExplicitBounds bounds = bounds(5, 10, 40);

    assertEquals(4, bounds.size());
    assertEquals(bucketOf(2.5), bounds.bucket(0), "below the first: half of it");
    assertEquals(bucketOf(Math.sqrt(50)), bounds.bucket(1), "geometric mean");
    assertEquals(bucketOf(20), bounds.bucket(2));
    assertEquals(bucketOf(Math.nextUp(40.0)), bounds.bucket(3), "above the last: just above it");
  }

  @Test
  void aMiddleThatIsAPowerOfTwoIsHitExactly() {
    assertEquals(bucketOf(4), bounds(2, 8).bucket(1));
    assertEquals(bucketOf(-4), bounds(-8, -2).bucket(1));
    assertEquals(bucketOf(262_144), bounds(131_072, 524_288).bucket(1));
    double least = Double.MIN_VALUE;
    assertEquals(bucketOf(1), bounds(0x1p-100, 0x1p100).bucket(1));
    assertEquals(0, bounds(least, 2 * least).bucket(1));
    assertEquals(BucketGrid.MAX, bounds(0x1p1022, Double.MAX_VALUE).bucket(1));
  }

  @Test
  void boundsAroundZero() {
    ExplicitBounds bounds = bounds(-40, -10, 0, 4, Double.POSITIVE_INFINITY);

    assertEquals(bucketOf(-40), bounds.bucket(0));
    assertEquals(bucketOf(-20), bounds.bucket(1));
    assertEquals(bucketOf(-5), bounds.bucket(2));
    assertEquals(bucketOf(2), bounds.bucket(3));
    assertEquals(bucketOf(Math.nextUp(4.0)), bounds.bucket(4));
    assertEquals(BucketGrid.MAX, bounds.bucket(5), "above infinity there is nothing");
    assertEquals(bucketOf(-1), bounds(-4, 2).bucket(1), "arithmetic mean over zero");
  }

  @Test
  void numbersAscendWithTheBounds() {
    ExplicitBounds bounds =
        bounds(-1e300, -2, -1, 1e-300, 0.005, 0.0051, 0.01, 0.025, 1, 1.01, 7500, 1e300);
    for (int i = 1; i < bounds.size(); i++) {
      assertTrue(bounds.bucket(i) >= bounds.bucket(i - 1));
    }
  }

  @Test
  void boundsThatDoNotAscendAreNone() {
    assertNull(ExplicitBounds.of(new double[] {1, 1}));
    assertNull(ExplicitBounds.of(new double[] {2, 1}));
    assertNull(ExplicitBounds.of(new double[] {Double.NaN}));
    assertNull(ExplicitBounds.of(new double[] {1, Double.NaN, 3}));
  }

  @Test
  void layoutsTellBoundsApart() {
    assertEquals(bounds(1, 2).layout(), bounds(1, 2).layout());
    assertEquals(bounds(0.0).layout(), bounds(-0.0).layout());
    assertNotEquals(bounds(1, 2).layout(), bounds(1, 3).layout());
    assertNotEquals(bounds(1, 2).layout(), bounds(1).layout());
    assertEquals(BucketLayout.ofScale(20), BucketLayout.ofScale(3), "both fit exactly");
    assertNotEquals(BucketLayout.ofScale(2), BucketLayout.ofScale(1));
    assertNotEquals(BucketLayout.ofScale(2), BucketLayout.ofScale(3));
  }

  private static ExplicitBounds bounds(double... bounds) {
    ExplicitBounds explicit = ExplicitBounds.of(bounds);
    assertNotNull(explicit);
    return explicit;
  }
}
