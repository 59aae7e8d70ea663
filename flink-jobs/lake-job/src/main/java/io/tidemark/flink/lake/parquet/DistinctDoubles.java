package io.tidemark.flink.lake.parquet;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The distinct values of a column of doubles, by their bits. */
final class DistinctDoubles {

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final int[] ids;
  private int[] table = new int[4096];
  private long[] distinct = new long[1024];
  private int size;

  private DistinctDoubles(int count) {
    ids = new int[count];
    Arrays.fill(table, -1);
  }

  /**
   * Null when values hardly repeat.
   *
   * @param sample so many values decide whether it is tried
   * @param most distinct values
   */
  static @Nullable DistinctDoubles of(double[] values, int count, int sample, int most) {
    DistinctDoubles found = new DistinctDoubles(count);
    // A stride, so that the sample is not one series.
    int stride = Math.max(1, count / sample);
    int sampled = 0;
    for (int i = 0; i < count; i += stride) {
      found.idOf(Double.doubleToRawLongBits(values[i]));
      sampled++;
    }
    if (found.size * 2 > sampled) {
      return null;
    }
    found.size = 0;
    Arrays.fill(found.table, -1);
    for (int i = 0; i < count; i++) {
      found.ids[i] = found.idOf(Double.doubleToRawLongBits(values[i]));
      if (found.size > most) {
        return null;
      }
    }
    return found.size * 3 > count * 2 ? null : found;
  }

  int size() {
    return size;
  }

  int[] ids() {
    return ids;
  }

  void writeTo(ByteSink out) {
    for (int i = 0; i < size; i++) {
      out.putLong(distinct[i]);
    }
  }

  private int idOf(long bits) {
    int mask = table.length - 1;
    int place = (int) ((bits * MIX) >>> 32) & mask;
    while (table[place] >= 0) {
      if (distinct[table[place]] == bits) {
        return table[place];
      }
      place = (place + 1) & mask;
    }
    if (size == distinct.length) {
      distinct = Arrays.copyOf(distinct, size * 2);
    }
    distinct[size] = bits;
    table[place] = size++;
    if (size * 2 > table.length) {
      rehash();
    }
    return size - 1;
  }

  private void rehash() {
    table = new int[table.length * 2];
    Arrays.fill(table, -1);
    int mask = table.length - 1;
    for (int id = 0; id < size; id++) {
      int place = (int) ((distinct[id] * MIX) >>> 32) & mask;
      while (table[place] >= 0) {
        place = (place + 1) & mask;
      }
      table[place] = id;
    }
  }
}
