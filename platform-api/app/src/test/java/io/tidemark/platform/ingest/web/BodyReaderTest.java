package io.tidemark.platform.ingest.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.web.BodyReader.ReadResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class BodyReaderTest {

  private static final int LIMIT = 200_000;

  private final InFlightByteLimiter inFlight = new InFlightByteLimiter(300_000);
  private final BodyReader reader = new BodyReader(LIMIT);

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(content);
    }
    return compressed.toByteArray();
  }

  private ReadResult read(
      byte[] sent, BodyEncoding encoding, long declared, InFlightByteLimiter.Reservation holding)
      throws IOException {
    return reader.read(new ByteArrayInputStream(sent), encoding, declared, holding);
  }

  @Test
  void aBodyIsReadPlainAndCompressed() throws IOException {
    byte[] content = new byte[LIMIT];
    Arrays.fill(content, (byte) 7);
    try (var holding = inFlight.hold()) {
      assertThat(((ReadResult.Body) read(content, BodyEncoding.IDENTITY, LIMIT, holding)).bytes())
          .isEqualTo(content);
      assertThat(inFlight.held()).isEqualTo(LIMIT);
    }
    assertThat(inFlight.held()).isZero();
    try (var holding = inFlight.hold()) {
      assertThat(((ReadResult.Body) read(gzip(content), BodyEncoding.GZIP, -1, holding)).bytes())
          .isEqualTo(content);
    }
    try (var holding = inFlight.hold()) {
      byte[] zstd = Zstd.compress(content);
      assertThat(((ReadResult.Body) read(zstd, BodyEncoding.ZSTD, zstd.length, holding)).bytes())
          .isEqualTo(content);
      assertThat(inFlight.held()).isEqualTo(LIMIT);
    }
  }

  @Test
  void theDeclaredLengthIsEnoughToRefuse() throws IOException {
    try (var holding = inFlight.hold()) {
      assertThat(
              reader.read(InputStream.nullInputStream(), BodyEncoding.IDENTITY, LIMIT + 1, holding))
          .isInstanceOf(ReadResult.OverLimit.class);
    }
  }

  @Test
  void theLimitHoldsForWhatIsReallyReadAndForWhatIsDecompressed() throws IOException {
    try (var holding = inFlight.hold()) {
      assertThat(read(new byte[LIMIT + 1], BodyEncoding.IDENTITY, -1, holding))
          .isInstanceOf(ReadResult.OverLimit.class);
    }
    try (var holding = inFlight.hold()) {
      byte[] bomb = gzip(new byte[50_000_000]);
      assertThat(bomb.length).isLessThan(LIMIT);
      assertThat(read(bomb, BodyEncoding.GZIP, bomb.length, holding))
          .isInstanceOf(ReadResult.OverLimit.class);
      assertThat(inFlight.held()).isLessThanOrEqualTo(LIMIT);
    }
    try (var holding = inFlight.hold()) {
      byte[] bomb = Zstd.compress(new byte[50_000_000]);
      assertThat(bomb.length).isLessThan(LIMIT);
      assertThat(read(bomb, BodyEncoding.ZSTD, bomb.length, holding))
          .isInstanceOf(ReadResult.OverLimit.class);
      assertThat(inFlight.held()).isLessThanOrEqualTo(LIMIT);
    }
  }

  @Test
  void aZstdFrameThatNeedsALargeWindowIsRefusedBeforeMemoryIsTaken() throws IOException {
    // Magic number, no checksum, no declared size, a window of 2^31 bytes, one empty last block.
    byte[] frame = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x00, (byte) (21 << 3), 0x01, 0x00, 0x00};
    try (var holding = inFlight.hold()) {
      assertThat(read(frame, BodyEncoding.ZSTD, frame.length, holding))
          .isInstanceOf(ReadResult.Damaged.class);
    }
  }

  @Test
  void damagedZstdIsToldApart() throws IOException {
    byte[] whole = Zstd.compress("content".getBytes(StandardCharsets.UTF_8));
    try (var holding = inFlight.hold()) {
      assertThat(
              read("plain text".getBytes(StandardCharsets.UTF_8), BodyEncoding.ZSTD, -1, holding))
          .isInstanceOf(ReadResult.Damaged.class);
      assertThat(read(Arrays.copyOf(whole, whole.length - 2), BodyEncoding.ZSTD, -1, holding))
          .isInstanceOf(ReadResult.Damaged.class);
    }
  }

  @Test
  void damagedCompressionIsToldApartFromABrokenConnection() throws IOException {
    byte[] whole = gzip("content".getBytes(StandardCharsets.UTF_8));
    try (var holding = inFlight.hold()) {
      assertThat(read("plain".getBytes(StandardCharsets.UTF_8), BodyEncoding.GZIP, -1, holding))
          .isInstanceOf(ReadResult.Damaged.class);
      assertThat(read(Arrays.copyOf(whole, whole.length - 4), BodyEncoding.GZIP, -1, holding))
          .isInstanceOf(ReadResult.Damaged.class);
      assertThat(read(new byte[0], BodyEncoding.GZIP, -1, holding))
          .isInstanceOf(ReadResult.Damaged.class);
    }
  }

  @Test
  void whenOthersHoldTheMemoryThereIsNoRoom() throws IOException {
    try (var others = inFlight.hold();
        var holding = inFlight.hold()) {
      assertThat(others.grow(250_000)).isTrue();
      assertThat(read(new byte[100_000], BodyEncoding.IDENTITY, -1, holding))
          .isInstanceOf(ReadResult.NoRoom.class);
      holding.close();
      assertThat(read(new byte[100_000], BodyEncoding.IDENTITY, 100_000, holding))
          .isInstanceOf(ReadResult.NoRoom.class);
    }
    assertThat(inFlight.held()).isZero();
  }

  /** A length that is only said takes no memory, and what is taken is held. */
  @Test
  void aDeclaredLengthTakesAChunkAndThenEightTimesWhatCame() throws IOException {
    int length = 2_000_000;
    InFlightByteLimiter limiter = new InFlightByteLimiter(length);
    try (var holding = limiter.hold()) {
      Map<Integer, Long> heldByBytes = new TreeMap<>();
      InputStream bytes =
          new InputStream() {
            private int came;

            @Override
            public int read() {
              throw new UnsupportedOperationException("byte by byte");
            }

            @Override
            public int read(byte[] into, int offset, int length) {
              heldByBytes.put(came, limiter.held());
              int more = Math.min(length, came == 0 ? 1 : 8 * 1024);
              came += more;
              return more;
            }
          };
      assertThat(new BodyReader(length).read(bytes, BodyEncoding.IDENTITY, length, holding))
          .isInstanceOf(ReadResult.Body.class);
      long chunk = 64 * 1024;
      assertThat(heldByBytes).containsEntry(0, 0L).containsEntry(1, chunk).hasSizeGreaterThan(200);
      heldByBytes.forEach(
          (came, held) ->
              assertThat(held)
                  .as("held when %d came", came)
                  .isEqualTo(
                      came == 0
                          ? 0
                          : came < chunk ? chunk : came < 8 * chunk ? 8 * chunk : length));
    }
  }

  @Test
  void aBodyThatGrowsOverTheLimitOfAllIsRefused() throws IOException {
    try (var others = inFlight.hold();
        var holding = inFlight.hold()) {
      assertThat(others.grow(200_000)).isTrue();
      assertThat(read(new byte[LIMIT], BodyEncoding.IDENTITY, LIMIT, holding))
          .isInstanceOf(ReadResult.NoRoom.class);
    }
    assertThat(inFlight.held()).isZero();
  }
}
