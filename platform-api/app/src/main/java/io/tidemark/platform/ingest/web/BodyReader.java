package io.tidemark.platform.ingest.web;

import com.github.luben.zstd.ZstdIOException;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.ZipException;

/**
 * Reads a request body up to a limit that holds after decompression, so that a small compressed
 * body cannot fill the memory. Stops at the limit; nothing beyond it is decompressed.
 */
final class BodyReader {

  private static final int CHUNK = 64 * 1024;

  /** How many times as much memory a body may have as came of it. */
  private static final int GROWTH = 8;

  private final long limit;

  /** A reader of bodies up to the limit, in bytes. */
  BodyReader(long limit) {
    this.limit = limit;
  }

  /** What reading came to. */
  sealed interface ReadResult {

    /** The whole body, decompressed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Body(byte[] bytes) implements ReadResult {}

    /** There is more than the limit. */
    record OverLimit() implements ReadResult {}

    /** Too many bytes are held by other requests now. */
    record NoRoom() implements ReadResult {}

    /** The body came more slowly than a body has to. */
    record TooSlow() implements ReadResult {}

    /** The compressed form is damaged or ends early. */
    record Damaged(String detail) implements ReadResult {}
  }

  /**
   * Reads and, if asked, decompresses.
   *
   * @param declaredLength Content-Length, or -1; the connection never gives more
   * @param holding grows with what is read; the caller gives it back
   * @throws IOException when the connection fails
   */
  ReadResult read(
      InputStream raw,
      BodyEncoding encoding,
      long declaredLength,
      InFlightByteLimiter.Reservation holding)
      throws IOException {
    if (declaredLength > limit) {
      return new ReadResult.OverLimit();
    }
    try {
      return encoding == BodyEncoding.IDENTITY && declaredLength >= 0
          ? known(raw, (int) declaredLength, holding)
          : unknown(raw, encoding, holding);
    } catch (IOException failure) {
      if (RequestBodyGuard.isTooSlow(failure)) {
        return new ReadResult.TooSlow();
      }
      throw failure;
    }
  }

  private ReadResult unknown(
      InputStream raw, BodyEncoding encoding, InFlightByteLimiter.Reservation holding)
      throws IOException {
    try (InputStream in = encoding.decompressed(raw)) {
      ByteArrayOutputStream body = new ByteArrayOutputStream(CHUNK);
      byte[] chunk = new byte[CHUNK];
      long total = 0;
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        total += read;
        if (total > limit) {
          return new ReadResult.OverLimit();
        }
        if (!holding.grow(read)) {
          return new ReadResult.NoRoom();
        }
        body.write(chunk, 0, read);
      }
      if (encoding != BodyEncoding.IDENTITY && raw.read() >= 0) {
        return new ReadResult.Damaged(
            "There are bytes after the end of the " + encoding.wireName() + " stream.");
      }
      return new ReadResult.Body(body.toByteArray());
    } catch (ZipException | EOFException | ZstdIOException damaged) {
      return new ReadResult.Damaged(
          "The body is not a whole "
              + encoding.wireName()
              + " stream, which Content-Encoding says it is.");
    }
  }

  /**
   * Takes memory as bytes come, since a length is easily said: a chunk first, and {@link #GROWTH}
   * times as much when that is full, so that little is copied. All of it is held.
   */
  private static ReadResult known(
      InputStream in, int length, InFlightByteLimiter.Reservation holding) throws IOException {
    byte[] body = new byte[Math.min(length, CHUNK)];
    int total = 0;
    int held = 0;
    while (total < length) {
      if (total == body.length) {
        int larger = (int) Math.min(length, (long) GROWTH * body.length);
        if (!holding.grow(larger - held)) {
          return new ReadResult.NoRoom();
        }
        held = larger;
        body = Arrays.copyOf(body, larger);
      }
      int read = in.read(body, total, body.length - total);
      if (read < 0) {
        return new ReadResult.Body(Arrays.copyOf(body, total));
      }
      total += read;
      if (held == 0) {
        if (!holding.grow(body.length)) {
          return new ReadResult.NoRoom();
        }
        held = body.length;
      }
    }
    return new ReadResult.Body(body);
  }
}
