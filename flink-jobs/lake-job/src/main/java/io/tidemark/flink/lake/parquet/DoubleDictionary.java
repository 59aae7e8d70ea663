package io.tidemark.flink.lake.parquet;

import java.util.Arrays;

/** The distinct doubles of a column chunk, by their bits, numbered as they come. */
final class DoubleDictionary {

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private int[] table = new int[4096];
  private long[] distinct = new long[1024];
  private int size;

  DoubleDictionary() {
    Arrays.fill(table, -1);
  }

  int size() {
    return size;
  }

  int idOf(double value) {
    long bits = Double.doubleToRawLongBits(value);
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
      rehash(table.length * 2);
    }
    return size - 1;
  }

  /** Forgets all but the first {@code size}. */
  void shrinkTo(int size) {
    if (this.size != size) {
      this.size = size;
      rehash(table.length);
    }
  }

  void writeTo(ByteSink out) {
    for (int i = 0; i < size; i++) {
      out.putLong(distinct[i]);
    }
  }

  private void rehash(int length) {
    table = new int[length];
    Arrays.fill(table, -1);
    int mask = length - 1;
    for (int id = 0; id < size; id++) {
      int place = (int) ((distinct[id] * MIX) >>> 32) & mask;
      while (table[place] >= 0) {
        place = (place + 1) & mask;
      }
      table[place] = id;
    }
  }
}
