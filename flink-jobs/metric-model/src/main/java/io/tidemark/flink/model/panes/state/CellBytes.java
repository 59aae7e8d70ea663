package io.tidemark.flink.model.panes.state;

import io.tidemark.flink.model.distribution.VarLongs;
import io.tidemark.flink.model.panes.PaneAggregate;
import java.nio.ByteBuffer;

/**
 * The figures of neighbouring cells in few bytes, all their bits kept. Neighbours mostly have the
 * same last time; the last value of a cell is often its least or greatest, and all are one while it
 * has one point.
 */
final class CellBytes {

  /** Bytes of the largest cell. */
  static final int LARGEST = 1 + 4 * Double.BYTES + 2 * VarLongs.LARGEST;

  // Of the byte that a cell begins with.
  private static final int IS_ONE = 1;
  private static final int MIN_IS_SUM = 2;
  private static final int MAX_IS_SUM = 4;
  private static final int SAME_TIME = 8;
  private static final int LAST = 16 | 32;
  private static final int LAST_IS_MIN = 16;
  private static final int LAST_IS_MAX = 32;
  private static final int NO_LAST = LAST;

  private static final long ABSENT = Double.doubleToRawLongBits(Double.NaN);

  private long time;

  void put(ByteBuffer out, PaneAggregate cell) {
    long sum = Double.doubleToRawLongBits(cell.sum);
    long min = Double.doubleToRawLongBits(cell.min);
    long max = Double.doubleToRawLongBits(cell.max);
    long last = Double.doubleToRawLongBits(cell.last);
    int same =
        (cell.count == 1 ? IS_ONE : 0)
            | (min == sum ? MIN_IS_SUM : 0)
            | (max == sum ? MAX_IS_SUM : 0)
            | (cell.lastTimeUnixNano == time ? SAME_TIME : 0)
            | placeOfLast(last, min, max);
    out.put((byte) same).putLong(sum);
    if (min != sum) {
      out.putLong(min);
    }
    if (max != sum) {
      out.putLong(max);
    }
    if ((same & LAST) == 0) {
      out.putLong(last);
    }
    if (cell.count != 1) {
      VarLongs.put(out, cell.count);
    }
    if (cell.lastTimeUnixNano != time) {
      VarLongs.put(out, cell.lastTimeUnixNano - time);
      time = cell.lastTimeUnixNano;
    }
  }

  void get(ByteBuffer in, PaneAggregate cell) {
    int same = in.get();
    cell.sum = in.getDouble();
    cell.min = (same & MIN_IS_SUM) == 0 ? in.getDouble() : cell.sum;
    cell.max = (same & MAX_IS_SUM) == 0 ? in.getDouble() : cell.sum;
    cell.last =
        switch (same & LAST) {
          case LAST_IS_MIN -> cell.min;
          case LAST_IS_MAX -> cell.max;
          case NO_LAST -> Double.NaN;
          default -> in.getDouble();
        };
    cell.count = (same & IS_ONE) == 0 ? VarLongs.get(in) : 1;
    if ((same & SAME_TIME) == 0) {
      time += VarLongs.get(in);
    }
    cell.lastTimeUnixNano = time;
  }

  private static int placeOfLast(long last, long min, long max) {
    if (last == ABSENT) {
      return NO_LAST;
    }
    if (last == min) {
      return LAST_IS_MIN;
    }
    return last == max ? LAST_IS_MAX : 0;
  }
}
