package io.tidemark.flink.io.points.fastdecode;

import io.tidemark.flink.io.points.decode.SentObservations;
import io.tidemark.flink.io.points.decode.SentPoint;
import io.tidemark.flink.io.points.decode.SentPoint.Temporality;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The points of a {@link PointBatch} as they were sent, for those who keep them: row {@code i} of
 * both is the same point. Filled again for every batch.
 */
public final class SentPoints {

  private static final Temporality[] TEMPORALITIES = Temporality.values();

  private byte[] temporalities = new byte[512];
  private boolean[] ints = new boolean[512];
  private int[] flags = new int[512];
  private long[] starts = new long[512];
  private long[] bits = new long[512];
  private @Nullable SentObservations[] observations = new @Nullable SentObservations[512];
  private int size;

  public Temporality temporality(int i) {
    return TEMPORALITIES[temporalities[i]];
  }

  public long startUnixNano(int i) {
    return starts[i];
  }

  public int flags(int i) {
    return flags[i];
  }

  public boolean isInt(int i) {
    return ints[i];
  }

  /** The integer, or the bits of the double. */
  public long valueBits(int i) {
    return bits[i];
  }

  /** Null for numbers. */
  public @Nullable SentObservations observations(int i) {
    return observations[i];
  }

  void clear() {
    Arrays.fill(observations, 0, size, null);
    size = 0;
  }

  void add(Temporality temporality, long start, int pointFlags, boolean isInt, long valueBits) {
    if (size == starts.length) {
      grow();
    }
    int i = size++;
    temporalities[i] = (byte) temporality.ordinal();
    starts[i] = start;
    flags[i] = pointFlags;
    ints[i] = isInt;
    bits[i] = valueBits;
  }

  void add(SentPoint point) {
    add(
        point.temporality(),
        point.startUnixNano(),
        point.flags(),
        point.isInt(),
        point.valueBits());
    observations[size - 1] = point.observations();
  }

  private void grow() {
    int capacity = size * 2;
    temporalities = Arrays.copyOf(temporalities, capacity);
    ints = Arrays.copyOf(ints, capacity);
    flags = Arrays.copyOf(flags, capacity);
    starts = Arrays.copyOf(starts, capacity);
    bits = Arrays.copyOf(bits, capacity);
    observations = Arrays.copyOf(observations, capacity);
  }
}
