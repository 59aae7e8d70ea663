package io.tidemark.platform.ingest.prometheus;

import java.util.Arrays;

/** A growing list of ranges of an array. Reused. */
final class RangeList {

  private int[] starts = new int[4];
  private int[] sizes = new int[4];
  private int count;

  void clear() {
    count = 0;
  }

  void add(int start, int size) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    starts[count] = start;
    sizes[count] = size;
    count++;
  }

  int count() {
    return count;
  }

  int start(int index) {
    return starts[index];
  }

  int size(int index) {
    return sizes[index];
  }
}
