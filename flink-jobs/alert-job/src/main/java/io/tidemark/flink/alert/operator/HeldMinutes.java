package io.tidemark.flink.alert.operator;

import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A few minutes of a group in flat arrays: their values, of which some are not written to the state
 * yet. Null is a value too: that there is none.
 */
final class HeldMinutes<T> {

  /** Where values are written to. */
  interface Writer<T> {
    /**
     * @param value null when what was there is to be removed
     */
    void write(long place, @Nullable T value);
  }

  private static final int FIRST_SIZE = 4;

  private long[] places = new long[FIRST_SIZE];
  private @Nullable Object[] values = new Object[FIRST_SIZE];
  private boolean[] isChanged = new boolean[FIRST_SIZE];
  private int size;

  int size() {
    return size;
  }

  boolean has(long place) {
    return find(place) >= 0;
  }

  /** The value of a place that is here; null for any other. */
  @SuppressWarnings("unchecked") // Only values of this type come in.
  @Nullable T get(long place) {
    int at = find(place);
    return at < 0 ? null : (T) values[at];
  }

  /** Minutes that are asked for are mostly the latest. */
  private int find(long place) {
    for (int i = size - 1; i >= 0; i--) {
      if (places[i] == place) {
        return i;
      }
    }
    return -1;
  }

  /** Holds a value that the state does not have. */
  void change(long place, @Nullable T value) {
    int at = at(place);
    values[at] = value;
    isChanged[at] = true;
  }

  /** Holds a value that was read. */
  void keep(long place, @Nullable T value) {
    // The array may be another after it.
    int at = at(place);
    values[at] = value;
  }

  private int at(long place) {
    int at = find(place);
    if (at >= 0) {
      return at;
    }
    if (size == places.length) {
      places = Arrays.copyOf(places, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
      isChanged = Arrays.copyOf(isChanged, 2 * size);
    }
    places[size] = place;
    isChanged[size] = false;
    return size++;
  }

  /** Writes what the state does not have. What was removed is not here any more afterwards. */
  @SuppressWarnings("unchecked") // Only values of this type come in.
  void write(Writer<T> writer) {
    int left = 0;
    for (int i = 0; i < size; i++) {
      boolean isRemoved = isChanged[i] && values[i] == null;
      if (isChanged[i]) {
        writer.write(places[i], (T) values[i]);
      }
      if (!isRemoved) {
        move(i, left);
        isChanged[left++] = false;
      }
    }
    cut(left);
  }

  private void move(int from, int to) {
    places[to] = places[from];
    values[to] = values[from];
    isChanged[to] = isChanged[from];
  }

  private void cut(int left) {
    Arrays.fill(values, left, size, null);
    size = left;
    if (size <= FIRST_SIZE && places.length > FIRST_SIZE) {
      places = Arrays.copyOf(places, FIRST_SIZE);
      values = Arrays.copyOf(values, FIRST_SIZE);
      isChanged = Arrays.copyOf(isChanged, FIRST_SIZE);
    }
  }

  /** Drops everything, also what was not written. */
  void clear() {
    Arrays.fill(isChanged, false);
    drop(place -> true);
  }

  /** Drops places that were written. */
  void drop(LongPredicate isDropped) {
    int left = 0;
    for (int i = 0; i < size; i++) {
      if (isChanged[i] || !isDropped.test(places[i])) {
        move(i, left++);
      }
    }
    cut(left);
  }
}
