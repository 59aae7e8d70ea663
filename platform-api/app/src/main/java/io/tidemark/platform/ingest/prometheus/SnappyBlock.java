package io.tidemark.platform.ingest.prometheus;

import java.io.IOException;
import java.util.OptionalLong;
import org.xerial.snappy.Snappy;

/**
 * A body in Snappy's block format. It begins with the size that it says it has, which costs its
 * sender nothing: to be compared with the limit before memory is taken for it.
 */
public final class SnappyBlock {

  private static final int MAX_PREFIX = 5;

  private SnappyBlock() {}

  /** The size after decompression, as the block declares it; empty when it declares none. */
  public static OptionalLong declaredSize(byte[] block) {
    long size = 0;
    for (int i = 0; i < Math.min(MAX_PREFIX, block.length); i++) {
      size |= (block[i] & 0x7FL) << (7 * i);
      if (block[i] >= 0) {
        return size >>> 32 == 0 ? OptionalLong.of(size) : OptionalLong.empty();
      }
    }
    return OptionalLong.empty();
  }

  /**
   * The content.
   *
   * @param declared what {@link #declaredSize} said
   * @throws IOException when the block is damaged
   */
  public static byte[] content(byte[] block, int declared) throws IOException {
    // The library writes as much as it reads in the prefix, and asks nobody for room.
    if (Snappy.uncompressedLength(block) != declared) {
      throw new IOException("The block does not begin with its size");
    }
    byte[] content = new byte[declared];
    int written = Snappy.uncompress(block, 0, block.length, content, 0);
    if (written != declared) {
      throw new IOException("The block ends before the size that it declares");
    }
    return content;
  }
}
