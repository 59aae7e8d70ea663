package io.tidemark.flink.model.panes;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The heads of all series of a subtask. */
public final class SeriesHeads {

  /** Beyond this number sharing begins anew; series keep the heads they have. */
  private static final int MAX = 65_536;

  private final Map<ByteBuffer, SeriesHead> heads = new HashMap<>();

  /**
   * @param length of the head, of which {@code descriptor} is the rest
   */
  SeriesHead shared(byte[] descriptor, int length) {
    SeriesHead known = heads.get(ByteBuffer.wrap(descriptor, 0, length));
    if (known != null) {
      return known;
    }
    if (heads.size() >= MAX) {
      heads.clear();
    }
    SeriesHead head = new SeriesHead(Arrays.copyOf(descriptor, length));
    heads.put(ByteBuffer.wrap(head.bytes), head);
    return head;
  }
}
