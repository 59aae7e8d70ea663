package io.tidemark.platform.ingest.kafka.listener;

import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.domain.ReceiveRate;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * Reads frames from one connection. Memory is taken, and held against the limit, as bytes arrive; a
 * frame that arrives too slowly ends the connection.
 */
final class FrameReader {

  private static final int CHUNK = 64 * 1024;
  private static final Duration PATIENCE_FOR_ROOM = Duration.ofSeconds(10);

  private final Socket socket;
  private final InputStream in;

  FrameReader(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * The size of the next frame; -1 when the connection ended.
   *
   * @throws SocketTimeoutException when it is not there in time
   */
  int size(Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    ByteBuffer size = ByteBuffer.allocate(Integer.BYTES);
    while (size.hasRemaining()) {
      timeout(deadline);
      int read = in.read();
      if (read < 0) {
        return -1;
      }
      size.put((byte) read);
    }
    return size.getInt(0);
  }

  /** Further bytes of the frame that has begun, without holding them; for what is small. */
  byte[] part(int length, Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    byte[] part = new byte[length];
    int total = 0;
    while (total < length) {
      timeout(deadline);
      total += read(part, total, length - total);
    }
    return part;
  }

  /** The rest of a small frame after its first bytes, without holding it. */
  byte[] restOfSmall(byte[] first, int size, Duration patience) throws IOException {
    byte[] frame = Arrays.copyOf(first, size);
    byte[] rest = part(size - first.length, patience);
    System.arraycopy(rest, 0, frame, first.length, rest.length);
    return frame;
  }

  /** The rest of a frame after its first bytes. */
  byte[] rest(byte[] first, int size, InFlightByteLimiter.Reservation holding) throws IOException {
    byte[] frame = Arrays.copyOf(first, Math.min(size, Math.max(CHUNK, first.length)));
    int total = first.length;
    long began = System.nanoTime();
    awaitRoom(holding, total);
    while (total < size) {
      if (total == frame.length) {
        frame = Arrays.copyOf(frame, (int) Math.min(size, 2L * frame.length));
      }
      timeout(System.nanoTime() + ReceiveRate.MINIMUM.grace().toNanos());
      int read = read(frame, total, Math.min(CHUNK, frame.length - total));
      // A producer that is not read from waits, which is what it should do: that is not its time.
      began += awaitRoom(holding, read);
      total += read;
      refuseSlow(total, began);
    }
    return frame;
  }

  /** The rest of a frame as a stream, for what is not kept. */
  InputStream unkept(long length) {
    long began = System.nanoTime();
    return new InputStream() {
      private long total;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int offset, int wanted) throws IOException {
        if (total == length) {
          return -1;
        }
        timeout(System.nanoTime() + ReceiveRate.MINIMUM.grace().toNanos());
        int read = FrameReader.this.read(into, offset, (int) Math.min(wanted, length - total));
        total += read;
        refuseSlow(total, began);
        return read;
      }
    };
  }

  private static void refuseSlow(long bytes, long began) throws IOException {
    if (ReceiveRate.MINIMUM.isMissedBy(bytes, System.nanoTime() - began)) {
      throw new IOException("A frame came too slowly");
    }
  }

  private int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, length);
    if (read < 0) {
      throw new EOFException("A frame ends early");
    }
    return read;
  }

  /** Nanoseconds waited. */
  private static long awaitRoom(InFlightByteLimiter.Reservation holding, int bytes)
      throws IOException {
    long began = System.nanoTime();
    while (!holding.grow(bytes)) {
      if (System.nanoTime() - began > PATIENCE_FOR_ROOM.toNanos()) {
        throw new IOException("There is no room for a request");
      }
      InterruptibleDelay.millis(20);
    }
    return System.nanoTime() - began;
  }

  private void timeout(long deadline) throws IOException {
    long millis = (deadline - System.nanoTime()) / 1_000_000;
    if (millis <= 0) {
      throw new SocketTimeoutException("Nothing came in time");
    }
    socket.setSoTimeout((int) millis);
  }
}
