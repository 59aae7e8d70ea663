package io.tidemark.flink.model.distribution;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How many observations fell into which bucket of the {@link BucketGrid}. Only buckets that are not
 * 0 take room, ascending. Counts may be negative: a correction takes back what was counted before.
 * Equal distributions are equal in every bit, however they came about. Mutable.
 */
public final class Distribution {

  private static final int FIRST_CAPACITY = 8;

  /**
   * What a cleared instance keeps of its room, so that one large point does not hold it for ever.
   */
  private static final int LARGEST_KEPT = 256;

  /** The object and two arrays. */
  private static final int EMPTY_BYTES = 64;

  private short[] buckets = new short[FIRST_CAPACITY];
  private long[] counts = new long[FIRST_CAPACITY];
  private int size;

  /** Buckets that are not 0. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Number of the bucket at place {@code i}, ascending with it. */
  public int bucket(int i) {
    return buckets[i];
  }

  public long count(int i) {
    return counts[i];
  }

  public void clear() {
    size = 0;
    if (buckets.length > LARGEST_KEPT) {
      buckets = new short[FIRST_CAPACITY];
      counts = new long[FIRST_CAPACITY];
    }
  }

  public Distribution copy() {
    Distribution copy = new Distribution();
    copy.buckets = Arrays.copyOf(buckets, Math.max(size, 1));
    copy.counts = Arrays.copyOf(counts, Math.max(size, 1));
    copy.size = size;
    return copy;
  }

  /** Adds to a bucket that is not below any that has a count; 0 adds nothing. */
  public void append(int bucket, long count) {
    if (count == 0) {
      return;
    }
    int at = size;
    if (at > 0 && buckets[at - 1] >= bucket) {
      addToLast(bucket, count);
      return;
    }
    if (at == buckets.length) {
      reserve(at + 1);
    }
    buckets[at] = (short) bucket;
    counts[at] = count;
    size = at + 1;
  }

  private void addToLast(int bucket, long count) {
    if (buckets[size - 1] > bucket) {
      throw new IllegalArgumentException(bucket + " is below bucket " + buckets[size - 1]);
    }
    counts[size - 1] += count;
    size -= counts[size - 1] == 0 ? 1 : 0;
  }

  public void add(Distribution other) {
    add(other, 1);
  }

  public void subtract(Distribution other) {
    add(other, -1);
  }

  /** Whether no bucket is below that of an earlier total. */
  public boolean isAtLeast(Distribution earlier) {
    int own = 0;
    for (int i = 0; i < earlier.size; i++) {
      while (own < size && buckets[own] < earlier.buckets[i]) {
        own++;
      }
      boolean isPresent = own < size && buckets[own] == earlier.buckets[i];
      if ((isPresent ? counts[own] : 0) < earlier.counts[i]) {
        return false;
      }
    }
    return true;
  }

  /** What it takes of the heap, about. */
  public int heapBytes() {
    return EMPTY_BYTES + buckets.length * (Short.BYTES + Long.BYTES);
  }

  /** Bytes that {@link #encode} needs at most. */
  public int encodedSize() {
    return VarLongs.LARGEST + size * (3 + VarLongs.LARGEST);
  }

  public void encode(ByteBuffer out) {
    VarLongs.put(out, size);
    int previous = 0;
    for (int i = 0; i < size; i++) {
      VarLongs.put(out, buckets[i] - previous);
      VarLongs.put(out, counts[i]);
      previous = buckets[i];
    }
  }

  public static Distribution decode(ByteBuffer in) {
    Distribution distribution = new Distribution();
    distribution.read(in);
    return distribution;
  }

  /** Becomes what {@link #encode} wrote. */
  public void read(ByteBuffer in) {
    clear();
    int encoded = (int) VarLongs.get(in);
    reserve(encoded);
    int bucket = 0;
    for (int i = 0; i < encoded; i++) {
      bucket += (int) VarLongs.get(in);
      append(bucket, VarLongs.get(in));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Distribution that
        && Arrays.equals(buckets, 0, size, that.buckets, 0, that.size)
        && Arrays.equals(counts, 0, size, that.counts, 0, that.size);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < size; i++) {
      hash = 31 * (31 * hash + buckets[i]) + Long.hashCode(counts[i]);
    }
    return hash;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < size; i++) {
      text.append(i == 0 ? "" : " ").append(buckets[i]).append(':').append(counts[i]);
    }
    return text.append(']').toString();
  }

  private void add(Distribution other, int sign) {
    if (size == 0 && sign > 0) {
      set(other);
      return;
    }
    if (other.size == 1) {
      addOne(other.buckets[0], sign * other.counts[0]);
      return;
    }
    short[] mine = buckets;
    long[] totals = counts;
    int missing = 0;
    int own = 0;
    boolean hasZero = false;
    for (int i = 0; i < other.size; i++) {
      short bucket = other.buckets[i];
      while (own < size && mine[own] < bucket) {
        own++;
      }
      if (own < size && mine[own] == bucket) {
        long total = totals[own] + sign * other.counts[i];
        totals[own] = total;
        hasZero |= total == 0;
      } else {
        missing++;
      }
    }
    if (missing > 0) {
      insert(other, sign, missing);
    }
    if (hasZero) {
      removeZeros();
    }
  }

  /** One observation is what a point often is. */
  private void addOne(short bucket, long count) {
    int at = size;
    while (at > 0 && buckets[at - 1] >= bucket) {
      at--;
    }
    if (at == size || buckets[at] != bucket) {
      reserve(size + 1);
      for (int i = size; i > at; i--) {
        buckets[i] = buckets[i - 1];
        counts[i] = counts[i - 1];
      }
      buckets[at] = bucket;
      counts[at] = count;
      size++;
    } else {
      counts[at] += count;
      if (counts[at] == 0) {
        removeZeros();
      }
    }
  }

  private void set(Distribution other) {
    if (other.size > buckets.length) {
      buckets = new short[other.size];
      counts = new long[other.size];
    }
    System.arraycopy(other.buckets, 0, buckets, 0, other.size);
    System.arraycopy(other.counts, 0, counts, 0, other.size);
    size = other.size;
  }

  /** Puts the buckets of {@code other} that are missing here between the others, from the end. */
  private void insert(Distribution other, int sign, int missing) {
    reserve(size + missing);
    int from = size - 1;
    int to = size + missing - 1;
    for (int i = other.size - 1; to > from; i--) {
      short bucket = other.buckets[i];
      while (from >= 0 && buckets[from] > bucket) {
        buckets[to] = buckets[from];
        counts[to--] = counts[from--];
      }
      if (from < 0 || buckets[from] != bucket) {
        buckets[to] = bucket;
        counts[to--] = sign * other.counts[i];
      }
    }
    size += missing;
  }

  private void removeZeros() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (counts[i] != 0) {
        buckets[kept] = buckets[i];
        counts[kept++] = counts[i];
      }
    }
    size = kept;
  }

  private void reserve(int needed) {
    if (needed > buckets.length) {
      int capacity = Math.max(needed, buckets.length + (buckets.length >> 1));
      buckets = Arrays.copyOf(buckets, capacity);
      counts = Arrays.copyOf(counts, capacity);
    }
  }
}
