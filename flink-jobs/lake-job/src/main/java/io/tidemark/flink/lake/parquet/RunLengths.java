package io.tidemark.flink.lake.parquet;

/**
 * Parquet's hybrid of run lengths and bit packing, for small numbers: levels and places in a
 * dictionary. Takes runs, so a value that repeats costs nothing per row.
 */
final class RunLengths {

  private static final int GROUP = 8;

  /** The header of a packed run then fits one byte. */
  private static final int MAX_GROUPS = 63;

  private final ByteSink out;
  private final int bitWidth;
  private final int[] group = new int[GROUP];
  private int inGroup;
  private int packedHeader = -1;
  private int packedGroups;
  private int current;
  private int count;

  /**
   * @param bitWidth of the largest value; 0 when all are 0
   */
  RunLengths(int bitWidth, ByteSink out) {
    this.bitWidth = bitWidth;
    this.out = out;
  }

  static int widthOf(int largest) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
  }

  void add(int value) {
    if (value == current) {
      count++;
    } else {
      flushRun();
      current = value;
      count = 1;
    }
  }

  void add(int value, int times) {
    if (value == current) {
      count += times;
    } else {
      flushRun();
      current = value;
      count = times;
    }
  }

  void finish() {
    flushRun();
    if (inGroup > 0) {
      java.util.Arrays.fill(group, inGroup, GROUP, 0);
      inGroup = GROUP;
      writeGroup();
    }
    endPacked();
  }

  private void flushRun() {
    int rest = count;
    count = 0;
    if (rest == 0) {
      return;
    }
    if (rest < GROUP || inGroup > 0) {
      int moved = rest < GROUP && inGroup == 0 ? rest : Math.min(rest, GROUP - inGroup);
      put(current, moved);
      rest -= moved;
    }
    if (rest >= GROUP) {
      endPacked();
      out.putVarint((long) rest << 1);
      out.putBytes(current, (bitWidth + 7) / 8);
    } else if (rest > 0) {
      put(current, rest);
    }
  }

  private void put(int value, int times) {
    for (int i = 0; i < times; i++) {
      group[inGroup++] = value;
    }
    if (inGroup == GROUP) {
      writeGroup();
    }
  }

  private void writeGroup() {
    if (packedGroups == MAX_GROUPS) {
      endPacked();
    }
    if (packedHeader < 0) {
      packedHeader = out.size();
      out.write(0);
    }
    packedGroups++;
    out.ensure(bitWidth + Long.BYTES);
    long bits = 0;
    int filled = 0;
    for (int value : group) {
      bits |= (long) value << filled;
      filled += bitWidth;
      while (filled >= 8) {
        out.write((int) bits);
        bits >>>= 8;
        filled -= 8;
      }
    }
    inGroup = 0;
  }

  private void endPacked() {
    if (packedHeader >= 0) {
      out.array()[packedHeader] = (byte) (packedGroups << 1 | 1);
      packedHeader = -1;
      packedGroups = 0;
    }
  }
}
