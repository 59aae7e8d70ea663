package io.tidemark.flink.model.panes.state;

import java.util.Arrays;

/**
 * How many cells each chunk of the latest minutes had: the next minute mostly has as many, so its
 * arrays need not grow step by step.
 */
final class ChunkSizes {

  /** For who is the first, or has but a few. */
  static final int FEW = 2;

  private byte[] sizes = new byte[1];

  int expected(int chunk) {
    return chunk < sizes.length ? Math.max(FEW, sizes[chunk]) : FEW;
  }

  void was(int chunk, int cells) {
    if (chunk >= sizes.length) {
      sizes = Arrays.copyOf(sizes, Math.max(chunk + 1, sizes.length * 2));
    }
    sizes[chunk] = (byte) cells;
  }
}
