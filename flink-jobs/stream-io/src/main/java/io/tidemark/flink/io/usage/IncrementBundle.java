package io.tidemark.flink.io.usage;

import io.tidemark.flink.model.usage.MeteredUnits;
import java.util.Arrays;

/**
 * Increments of an environment on their way to become one record of their topic,
 * events/tidemark/usage/v1/usage_increment.proto. Written by hand: the names of a subject are bytes
 * already, and nothing else is made for an increment.
 */
public final class IncrementBundle {

  /** Series of an increment; who shows more adds another. */
  public static final int MAX_SERIES = 1_024;

  /** A record is full when it has so much, bytes. */
  private static final int FULL = 64 * 1024;

  private static final int ID_BYTES = 2 * Long.BYTES;

  /** Hour and units, each with a tag, and the length of the series. */
  private static final int LARGEST_FIGURES = 9 * (1 + 10) + 1 + 5;

  // Tags of members: number and wire type.
  private static final int INCREMENT = 1 << 3 | 2;
  private static final int HOUR = 6 << 3;
  private static final int POINTS = 7 << 3;
  private static final int BYTES = 8 << 3;
  private static final int POINTS_SET_ASIDE = 9 << 3;
  private static final int POINTS_WITHOUT_VALUE = 10 << 3;
  private static final int ROWS_1M = 11 << 3;
  private static final int ROWS_1M_HC = 12 << 3;
  private static final int ROWS_1H = 13 << 3;
  private static final int ROWS_1D = 14 << 3;
  private static final int SERIES = 15 << 3 | 2;

  private static final int CONTINUED = 0x80;
  private static final int VARINT_BITS = 7;

  private final byte[] figures = new byte[LARGEST_FIGURES];
  private byte[] bytes = new byte[1_024];
  private int size;

  /** The increment at hand, without the names of its subject and the ids of its series. */
  private int figuresSize;

  public boolean isEmpty() {
    return size == 0;
  }

  /** Whether it should leave before more is added. */
  public boolean isFull() {
    return size >= FULL;
  }

  /**
   * One increment more.
   *
   * @param subject {@link IncrementSubject#bytes}
   * @param series ids of series that rows show, two numbers each
   * @param from the first of the series
   * @param to after the last; at most {@link #MAX_SERIES} after the first
   */
  public void add(
      byte[] subject, long hourUnixMs, MeteredUnits units, long[] series, int from, int to) {
    int ids = (to - from) * ID_BYTES;
    figuresSize = 0;
    put(HOUR, hourUnixMs);
    put(POINTS, units.points());
    put(BYTES, units.bytes());
    put(POINTS_SET_ASIDE, units.pointsSetAside());
    put(POINTS_WITHOUT_VALUE, units.pointsWithoutValue());
    put(ROWS_1M, units.rowsOfMinutes());
    put(ROWS_1M_HC, units.rowsInDetail());
    put(ROWS_1H, units.rowsOfHours());
    put(ROWS_1D, units.rowsOfDays());
    put(SERIES, ids);
    int length = subject.length + figuresSize + ids;
    int needed = size + 1 + Integer.BYTES + 1 + length;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    bytes[size++] = INCREMENT;
    size = varint(length, bytes, size);
    System.arraycopy(subject, 0, bytes, size, subject.length);
    size += subject.length;
    System.arraycopy(figures, 0, bytes, size, figuresSize);
    size += figuresSize;
    for (int i = 2 * from; i < 2 * to; i++) {
      for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        bytes[size++] = (byte) (series[i] >>> shift);
      }
    }
  }

  /** The record's value; nothing is left afterwards. */
  public byte[] take() {
    byte[] value = Arrays.copyOf(bytes, size);
    size = 0;
    return value;
  }

  private void put(int tag, long number) {
    if (number != 0) {
      figures[figuresSize++] = (byte) tag;
      figuresSize = varint(number, figures, figuresSize);
    }
  }

  private static int varint(long number, byte[] out, int from) {
    int at = from;
    long rest = number;
    while ((rest & -CONTINUED) != 0) {
      out[at++] = (byte) (rest | CONTINUED);
      rest >>>= VARINT_BITS;
    }
    out[at++] = (byte) rest;
    return at;
  }
}
