package io.tidemark.flink.model.budget;

/** A set of numbers that are hashes already. 16 bytes an entry at most, on average. */
final class KeySet {

  private static final long ABSENT = 0;

  private long[] table = new long[16];
  private boolean hasAbsent;
  private int size;

  int size() {
    return size;
  }

  boolean contains(long key) {
    return key == ABSENT ? hasAbsent : table[place(key)] == key;
  }

  /** False when it was there. */
  boolean add(long key) {
    if (contains(key)) {
      return false;
    }
    size++;
    if (key == ABSENT) {
      hasAbsent = true;
      return true;
    }
    if (size * 2 > table.length) {
      long[] old = table;
      table = new long[old.length * 2];
      for (long known : old) {
        if (known != ABSENT) {
          table[place(known)] = known;
        }
      }
    }
    table[place(key)] = key;
    return true;
  }

  private int place(long key) {
    int mask = table.length - 1;
    int place = (int) (key >>> 20) & mask;
    while (table[place] != ABSENT && table[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
