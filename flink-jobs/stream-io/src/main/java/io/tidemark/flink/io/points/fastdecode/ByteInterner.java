package io.tidemark.flink.io.points.fastdecode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Dense ids for byte ranges that come again and again. Equality is by all bytes, never by hash.
 * Senders repeat themselves in the same order, so the range that followed last time is compared
 * first and usually no hash is computed.
 */
final class ByteInterner {

  static final int UNKNOWN = -1;

  /** Ranges crafted to collide cost at most this many steps; then they count as unusual. */
  private static final int LONGEST_PROBE = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final long seed = new SplittableRandom().nextLong();
  private int[] table = new int[1024];
  private byte[][] ranges = new byte[256][];
  private long[] owners = new long[256];
  private long[] hashes = new long[256];
  private int[] successors = new int[256];
  private int size;
  private int last = UNKNOWN;
  private long bytes;

  ByteInterner() {
    Arrays.fill(table, UNKNOWN);
  }

  int size() {
    return size;
  }

  /** Bytes of all ranges. */
  long bytes() {
    return bytes;
  }

  /**
   * @param owner equal ranges of different owners are different
   * @return the id, or {@link #UNKNOWN}
   * @throws FastPathMissException when too many ranges share a hash
   */
  int find(long owner, byte[] source, int from, int to) throws FastPathMissException {
    if (last != UNKNOWN) {
      int expected = successors[last];
      if (expected != UNKNOWN && isEqual(expected, owner, source, from, to)) {
        last = expected;
        return expected;
      }
    }
    long hash = hash(owner, source, from, to);
    int mask = table.length - 1;
    int place = (int) hash & mask;
    for (int step = 0; step < LONGEST_PROBE; step++) {
      int id = table[place];
      if (id == UNKNOWN) {
        return UNKNOWN;
      }
      if (hashes[id] == hash && isEqual(id, owner, source, from, to)) {
        follow(id);
        return id;
      }
      place = (place + 1) & mask;
    }
    throw FastPathMissException.INSTANCE;
  }

  /** Adds a range that {@link #find} does not know. */
  int add(long owner, byte[] source, int from, int to) {
    if (size == ranges.length) {
      int capacity = size * 2;
      ranges = Arrays.copyOf(ranges, capacity);
      owners = Arrays.copyOf(owners, capacity);
      hashes = Arrays.copyOf(hashes, capacity);
      successors = Arrays.copyOf(successors, capacity);
    }
    int id = size++;
    ranges[id] = Arrays.copyOfRange(source, from, to);
    owners[id] = owner;
    hashes[id] = hash(owner, source, from, to);
    successors[id] = UNKNOWN;
    bytes += to - from;
    if (size * 2 > table.length) {
      table = new int[table.length * 2];
      Arrays.fill(table, UNKNOWN);
      for (int known = 0; known < id; known++) {
        place(known);
      }
    }
    place(id);
    follow(id);
    return id;
  }

  private void follow(int id) {
    if (last != UNKNOWN) {
      successors[last] = id;
    }
    last = id;
  }

  private void place(int id) {
    int mask = table.length - 1;
    int place = (int) hashes[id] & mask;
    while (table[place] != UNKNOWN) {
      place = (place + 1) & mask;
    }
    table[place] = id;
  }

  private boolean isEqual(int id, long owner, byte[] source, int from, int to) {
    byte[] range = ranges[id];
    return owners[id] == owner && Arrays.equals(range, 0, range.length, source, from, to);
  }

  private long hash(long owner, byte[] source, int from, int to) {
    long hash = (seed ^ owner) * MIX;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = (Long.rotateLeft(hash, 29) ^ (long) LONGS.get(source, at)) * MIX;
    }
    for (; at < to; at++) {
      hash = (Long.rotateLeft(hash, 9) ^ source[at]) * MIX;
    }
    hash ^= hash >>> 32;
    hash *= MIX;
    return hash ^ (hash >>> 29);
  }
}
