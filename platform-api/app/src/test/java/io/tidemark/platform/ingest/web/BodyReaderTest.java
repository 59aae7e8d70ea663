package io.tidemark.platform.ingest.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.ingest.domain.InFlightBytes;
import io.tidemark.platform.ingest.web.BodyReader.Reading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class BodyReaderTest {

  private static final int LIMIT = 200_000;

  private final InFlightBytes inFlight = new InFlightBytes(300_000);
  private final BodyReader reader = new BodyReader(LIMIT);

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(content);
    }
    return compressed.toByteArray();
  }

  private Reading read(byte[] sent, boolean gzip, long declared, InFlightBytes.Holding holding)
      throws IOException {
    return reader.read(new ByteArrayInputStream(sent), gzip, declared, holding);
  }

  @Test
  void aBodyIsReadPlainAndCompressed() throws IOException {
    byte[] content = new byte[LIMIT];
    Arrays.fill(content, (byte) 7);
    try (var holding = inFlight.hold()) {
      assertThat(((Reading.Body) read(content, false, LIMIT, holding)).bytes()).isEqualTo(content);
      assertThat(inFlight.held()).isEqualTo(LIMIT);
    }
    assertThat(inFlight.held()).isZero();
    try (var holding = inFlight.hold()) {
      assertThat(((Reading.Body) read(gzip(content), true, -1, holding)).bytes())
          .isEqualTo(content);
    }
  }

  @Test
  void theDeclaredLengthIsEnoughToRefuse() throws IOException {
    try (var holding = inFlight.hold()) {
      assertThat(reader.read(InputStream.nullInputStream(), false, LIMIT + 1, holding))
          .isInstanceOf(Reading.OverLimit.class);
    }
  }

  @Test
  void theLimitHoldsForWhatIsReallyReadAndForWhatIsDecompressed() throws IOException {
    try (var holding = inFlight.hold()) {
      assertThat(read(new byte[LIMIT + 1], false, -1, holding))
          .isInstanceOf(Reading.OverLimit.class);
    }
    try (var holding = inFlight.hold()) {
      byte[] bomb = gzip(new byte[50_000_000]);
      assertThat(bomb.length).isLessThan(LIMIT);
      assertThat(read(bomb, true, bomb.length, holding)).isInstanceOf(Reading.OverLimit.class);
      assertThat(inFlight.held()).isLessThanOrEqualTo(LIMIT);
    }
  }

  @Test
  void damagedCompressionIsToldApartFromABrokenConnection() throws IOException {
    byte[] whole = gzip("content".getBytes(StandardCharsets.UTF_8));
    try (var holding = inFlight.hold()) {
      assertThat(read("plain".getBytes(StandardCharsets.UTF_8), true, -1, holding))
          .isInstanceOf(Reading.Damaged.class);
      assertThat(read(Arrays.copyOf(whole, whole.length - 4), true, -1, holding))
          .isInstanceOf(Reading.Damaged.class);
      assertThat(read(new byte[0], true, -1, holding)).isInstanceOf(Reading.Damaged.class);
    }
  }

  @Test
  void whenOthersHoldTheMemoryThereIsNoRoom() throws IOException {
    try (var others = inFlight.hold();
        var holding = inFlight.hold()) {
      assertThat(others.grow(250_000)).isTrue();
      assertThat(read(new byte[100_000], false, -1, holding)).isInstanceOf(Reading.NoRoom.class);
      holding.close();
      assertThat(read(new byte[100_000], false, 100_000, holding))
          .isInstanceOf(Reading.NoRoom.class);
    }
    assertThat(inFlight.held()).isZero();
  }
}
