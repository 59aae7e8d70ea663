package io.tidemark.platform.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.function.Predicate;

/**
 * What is known of series, found by the bytes that name them in a row: by 128 bits of a hash with
 * secrets of the process, so that nobody can choose names that meet those of another series.
 * Mutable, for one thread.
 */
public final class SeriesNames<T> {

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long[] SECRETS = new SecureRandom().longs(4).map(one -> one | 1).toArray();
  private static final int FIRST_SIZE = 1_024;

  private long[] hashes = new long[2 * FIRST_SIZE];
  private Object[] values = new Object[FIRST_SIZE];
  private int size;

  // Of the names that were looked for last.
  private long high;
  private long low;

  /** Forgets all. */
  public void clear() {
    hashes = new long[2 * FIRST_SIZE];
    values = new Object[FIRST_SIZE];
    size = 0;
  }

  public int size() {
    return size;
  }

  /** What was kept for these names, or null. */
  public T find(byte[] bytes, int from, int length) {
    hash(bytes, from, length);
    return value(slot(hashes, values.length));
  }

  @SuppressWarnings("unchecked")
  private T value(int slot) {
    return (T) values[slot];
  }

  /** Keeps something for the names that {@link #find} looked for just now. */
  public void keep(T value) {
    if (2 * (size + 1) > values.length) {
      rebuild(2 * values.length, ignored -> true);
    }
    put(value);
  }

  /** Forgets what does not fulfil a condition. */
  public void retain(Predicate<T> condition) {
    int left = 0;
    for (int slot = 0; slot < values.length; slot++) {
      left += values[slot] != null && condition.test(value(slot)) ? 1 : 0;
    }
    int slots = FIRST_SIZE;
    while (slots < 2 * (left + 1)) {
      slots *= 2;
    }
    rebuild(slots, condition);
  }

  private void put(Object value) {
    int slot = slot(hashes, values.length);
    size += values[slot] == null ? 1 : 0;
    hashes[2 * slot] = high;
    hashes[2 * slot + 1] = low;
    values[slot] = value;
  }

  private int slot(long[] table, int slots) {
    int slot = (int) low & slots - 1;
    while (table[2 * slot] != 0 && !(table[2 * slot] == high && table[2 * slot + 1] == low)) {
      slot = slot + 1 & slots - 1;
    }
    return slot;
  }

  @SuppressWarnings("unchecked")
  private void rebuild(int slots, Predicate<T> condition) {
    long[] before = hashes;
    Object[] valuesBefore = values;
    long highNow = high;
    long lowNow = low;
    hashes = new long[2 * slots];
    values = new Object[slots];
    size = 0;
    for (int i = 0; i < valuesBefore.length; i++) {
      if (valuesBefore[i] != null && condition.test((T) valuesBefore[i])) {
        high = before[2 * i];
        low = before[2 * i + 1];
        put(valuesBefore[i]);
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
