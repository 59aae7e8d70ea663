package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.kafka.listener.ProduceRecordReader.Fault;
import io.tidemark.platform.ingest.kafka.listener.ProduceRecordReader.UnreadableException;
import io.tidemark.platform.ingest.prometheus.SnappyBlock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Records compressed with Snappy, in either of the two forms that clients send: one block, or
 * blocks with a size each, as Java's library frames them. What a block declares is compared with
 * the limit, and held, before memory is taken.
 */
final class SnappyRecords {

  /** How Java's library begins: this, its version, and the oldest version that reads it. */
  private static final byte[] MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

  private static final int HEADER = MAGIC.length + 2 * Integer.BYTES;

  private final long max;
  private final InFlightByteLimiter.Reservation holding;

  /**
   * Records of one request.
   *
   * @param max limit of their size, in bytes
   * @param holding grows with what is decompressed
   */
  SnappyRecords(long max, InFlightByteLimiter.Reservation holding) {
    this.max = max;
    this.holding = holding;
  }

  /** The records, decompressed. */
  byte[] of(byte[] compressed) throws IOException, UnreadableException {
    if (compressed.length < HEADER || !isFramed(compressed)) {
      return block(compressed, 0);
    }
    ByteBuffer blocks = ByteBuffer.wrap(compressed, HEADER, compressed.length - HEADER);
    byte[] content = new byte[0];
    int length = 0;
    while (blocks.hasRemaining()) {
      int size = blocks.remaining() < Integer.BYTES ? -1 : blocks.getInt();
      if (size < 0 || size > blocks.remaining()) {
        throw new EOFException("a block ends early");
      }
      byte[] one = new byte[size];
      blocks.get(one);
      byte[] more = block(one, length);
      if (length + more.length > content.length) {
        content = Arrays.copyOf(content, Math.max(length + more.length, 2 * content.length));
      }
      System.arraycopy(more, 0, content, length, more.length);
      length += more.length;
    }
    return Arrays.copyOf(content, length);
  }

  private static boolean isFramed(byte[] compressed) {
    return Arrays.equals(MAGIC, 0, MAGIC.length, compressed, 0, MAGIC.length);
  }

  private byte[] block(byte[] block, long before) throws IOException, UnreadableException {
    OptionalLong declared = SnappyBlock.declaredSize(block);
    if (declared.isEmpty()) {
      throw new IOException("a block does not begin with its size");
    }
    if (before + declared.getAsLong() > max) {
      throw new UnreadableException(
          Fault.TOO_LARGE,
          "The records of a request are larger than " + max + " bytes after decompression.");
    }
    if (!holding.grow(declared.getAsLong())) {
      throw new UnreadableException(Fault.NO_ROOM, "The gateway holds too much at the moment.");
    }
    return SnappyBlock.content(block, (int) declared.getAsLong());
  }
}
