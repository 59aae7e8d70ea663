package io.tidemark.platform.ingest.prometheus;

import java.util.Arrays;

/** Numbers strings of bytes in the order in which they come first. */
final class DistinctBytes {

  private final ProtobufBytes kept = new ProtobufBytes(1024);
  private final RangeList places = new RangeList();
  private long[] hashes = new long[16];

  /** Numbers plus one, 0 for none; twice as many slots as strings, or more. */
  private int[] slots = new int[32];

  int count() {
    return places.count();
  }

  /** Where in {@link #array} a string begins. */
  int start(int number) {
    return places.start(number);
  }

  int size(int number) {
    return places.size(number);
  }

  /** Holds all strings; valid until the next new one. */
  byte[] array() {
    return kept.array();
  }

  /** The number of a string; {@link #count} before the call when it is new. */
  int number(ProtobufBytes string) {
    long hash = SeededHash.of(string.array(), 0, string.length());
    int slot = (int) hash & (slots.length - 1);
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      if (hashes[number] == hash && isEqual(number, string)) {
        return number;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    int number = places.count();
    slots[slot] = number + 1;
    places.add(kept.length(), string.length());
    kept.raw(string);
    if (number == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * number);
    }
    hashes[number] = hash;
    if (2 * places.count() > slots.length) {
      spread();
    }
    return number;
  }

  private boolean isEqual(int number, ProtobufBytes string) {
    int start = places.start(number);
    return Arrays.equals(
        kept.array(), start, start + places.size(number), string.array(), 0, string.length());
  }

  private void spread() {
    slots = new int[2 * slots.length];
    for (int number = 0; number < places.count(); number++) {
      int slot = (int) hashes[number] & (slots.length - 1);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = number + 1;
    }
  }
}
