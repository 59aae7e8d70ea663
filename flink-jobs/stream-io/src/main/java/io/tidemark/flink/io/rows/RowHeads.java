package io.tidemark.flink.io.rows;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Heads of {@link RowText}, each kept once however many series have it. */
public final class RowHeads {

  /** Beyond this number sharing begins anew; series keep the heads they have. */
  private static final int MOST_HEADS = 65_536;

  private final Map<ByteBuffer, byte[]> heads = new HashMap<>();

  /** An array with the same bytes, the same one for equal bytes. */
  public byte[] shared(byte[] head) {
    if (heads.size() >= MOST_HEADS) {
      heads.clear();
    }
    byte[] known = heads.putIfAbsent(ByteBuffer.wrap(head), head);
    return known == null ? head : known;
  }
}
