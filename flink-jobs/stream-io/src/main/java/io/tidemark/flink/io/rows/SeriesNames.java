package io.tidemark.flink.io.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * Finds a series by the bytes that name it in a row, by 128 bits of a hash with secrets of the
 * process: nobody can choose names that meet those of another series.
 */
public final class SeriesNames {

  /** What {@link #find} returns for names that are not known. */
  public static final int UNKNOWN = -1;

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long[] SECRETS = new SecureRandom().longs(4).map(one -> one | 1).toArray();
  private static final int FIRST_SIZE = 1_024;

  private long[] hashes = new long[2 * FIRST_SIZE];
  private int[] numbers = new int[FIRST_SIZE];
  private int size;

  // Of the names that were looked for last.
  private long high;
  private long low;

  /** Forgets all. */
  public void clear() {
    hashes = new long[2 * FIRST_SIZE];
    numbers = new int[FIRST_SIZE];
    size = 0;
  }

  public int size() {
    return size;
  }

  /** The number that was kept for these names, or {@link #UNKNOWN}. */
  public int find(byte[] bytes, int from, int length) {
    hash(bytes, from, length);
    int slot = slot(hashes, numbers.length);
    return hashes[2 * slot] == 0 ? UNKNOWN : numbers[slot];
  }

  /** Keeps a number, not negative, for the names that {@link #find} did not know just now. */
  public void keep(int number) {
    if (2 * (size + 1) > numbers.length) {
      grow();
    }
    int slot = slot(hashes, numbers.length);
    hashes[2 * slot] = high;
    hashes[2 * slot + 1] = low;
    numbers[slot] = number;
    size++;
  }

  private int slot(long[] table, int slots) {
    int slot = (int) low & slots - 1;
    while (table[2 * slot] != 0 && !(table[2 * slot] == high && table[2 * slot + 1] == low)) {
      slot = slot + 1 & slots - 1;
    }
    return slot;
  }

  private void grow() {
    long[] before = hashes;
    int[] numbersBefore = numbers;
    long highNow = high;
    long lowNow = low;
    hashes = new long[2 * before.length];
    numbers = new int[2 * numbersBefore.length];
    for (int i = 0; i < numbersBefore.length; i++) {
      if (before[2 * i] != 0) {
        high = before[2 * i];
        low = before[2 * i + 1];
        int slot = slot(hashes, numbers.length);
        hashes[2 * slot] = high;
        hashes[2 * slot + 1] = low;
        numbers[slot] = numbersBefore[i];
      }
    }
    high = highNow;
    low = lowNow;
  }

  /** Two chains over the same bytes with other secrets; the first half is never 0. */
  private void hash(byte[] bytes, int from, int length) {
    long one = SECRETS[0] ^ length;
    long other = SECRETS[1];
    int end = from + length;
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long eight = (long) EIGHT.get(bytes, at);
      one = mixed(one ^ eight, SECRETS[0], SECRETS[2]);
      other = mixed(other + eight, SECRETS[1], SECRETS[3]);
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << Byte.SIZE | bytes[at] & 0xFF;
    }
    one = mixed(one ^ rest, SECRETS[0], SECRETS[2]);
    other = mixed(other + rest, SECRETS[1], SECRETS[3]);
    high = mixed(one ^ Long.rotateLeft(other, 31), SECRETS[2], SECRETS[0]) | 1;
    low = mixed(other ^ Long.rotateLeft(one, 17), SECRETS[3], SECRETS[1]);
  }

  private static long mixed(long value, long factor, long secret) {
    return value * factor ^ Math.multiplyHigh(value, factor) ^ Long.rotateLeft(value ^ secret, 29);
  }
}
