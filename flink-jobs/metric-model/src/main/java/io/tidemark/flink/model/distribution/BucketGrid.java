package io.tidemark.flink.model.distribution;

/**
 * The buckets of every distribution: {@value #PER_OCTAVE} per power of two (base-2 exponential
 * histogram of scale {@value #SCALE}), from 2^-128 to 2^128 and mirrored below zero. Part of the
 * contract with stored state and rows.
 *
 * <p>Numbers grow with the values: bucket {@code b} in 1..{@value #MOST} holds values in
 * (2^((b-1025)/8), 2^((b-1024)/8)], bucket 0 what is closer to zero, bucket {@code -b} the mirror
 * image of {@code b}. Greater values are in the outermost bucket. A value read as the geometric
 * middle of its bucket is off by 4.4 % at most.
 */
public final class BucketGrid {

  public static final int SCALE = 3;

  /** Buckets above zero; as many are below. */
  public static final int MAX = 2_048;

  static final int PER_OCTAVE = 1 << SCALE;

  private static final int LOWEST_INDEX = -MAX / 2;
  private static final int NUMBER_OF_INDEX_0 = 1 - LOWEST_INDEX;

  /** Scales that senders use; others only occur in damaged or hostile points. */
  private static final int COARSEST_SCALE = -10;

  private static final int FINEST_SCALE = 20;

  /** Powers of two that a double can hold. */
  private static final int MIN_EXPONENT = -1_074;

  private static final int MAX_EXPONENT = 1_023;

  /** 2^(i/8); strict arithmetic, because every machine must find the same bucket. */
  private static final double[] STEPS = new double[PER_OCTAVE];

  static {
    for (int i = 0; i < PER_OCTAVE; i++) {
      STEPS[i] = StrictMath.pow(2, (double) i / PER_OCTAVE);
    }
  }

  private BucketGrid() {}

  /** The bucket of a value that is not NaN. */
  public static int bucketOf(double value) {
    double magnitude = Math.abs(value);
    if (magnitude == 0) {
      return 0;
    }
    int exponent = Math.getExponent(magnitude);
    double fraction = Math.scalb(magnitude, -exponent);
    int step = 0;
    while (step < PER_OCTAVE && fraction > STEPS[step]) {
      step++;
    }
    return signed(exponent * PER_OCTAVE + step - 1L, value < 0);
  }

  /**
   * The bucket for bucket {@code index} of an exponential histogram. Buckets of finer scales lie
   * within one; those of coarser scales are put into the one that ends at their geometric middle,
   * off by a factor of 2^(2^-scale / 2) at most.
   */
  public static int bucketOf(int scale, long index, boolean isNegative) {
    if (scale >= SCALE) {
      return signed(index >> (scale - SCALE), isNegative);
    }
    int finer = SCALE - scale;
    return signed((index << finer) + (1L << (finer - 1)) - 1, isNegative);
  }

  public static boolean isScale(int scale) {
    return scale >= COARSEST_SCALE && scale <= FINEST_SCALE;
  }

  /** Whether any double lies in a bucket of an exponential histogram. */
  public static boolean isPossible(int scale, long index) {
    if (scale >= 0) {
      long exponent = index >> scale;
      return exponent >= MIN_EXPONENT - 1 && exponent <= MAX_EXPONENT;
    }
    return (index + 1) << -scale >= MIN_EXPONENT && index << -scale <= MAX_EXPONENT;
  }

  /** The greatest magnitude of bucket {@code number}, which is not 0. */
  public static double outerBound(int number) {
    int step = Math.abs(number) - NUMBER_OF_INDEX_0 + 1;
    double bound =
        Math.scalb(STEPS[Math.floorMod(step, PER_OCTAVE)], Math.floorDiv(step, PER_OCTAVE));
    return number < 0 ? -bound : bound;
  }

  /** The index, at {@link #SCALE}, of bucket {@code number} above zero. */
  public static int indexOf(int number) {
    return number - NUMBER_OF_INDEX_0;
  }

  private static int signed(long index, boolean isNegative) {
    if (index < LOWEST_INDEX) {
      return 0;
    }
    int number = (int) Math.min(index + NUMBER_OF_INDEX_0, MAX);
    return isNegative ? -number : number;
  }
}
