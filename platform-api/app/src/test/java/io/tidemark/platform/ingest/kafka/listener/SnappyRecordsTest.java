package io.tidemark.platform.ingest.kafka.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.ingest.kafka.listener.ProduceRecordReader.Fault;
import io.tidemark.platform.ingest.kafka.listener.ProduceRecordReader.UnreadableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyOutputStream;

class SnappyRecordsTest {

  private static final int LIMIT = 200_000;

  private final InFlightByteLimiter bytes = new InFlightByteLimiter(LIMIT);

  private byte[] read(byte[] compressed) throws Exception {
    try (InFlightByteLimiter.Reservation holding = bytes.hold()) {
      return new SnappyRecords(LIMIT, holding).of(compressed);
    }
  }

  private static byte[] content(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    Arrays.fill(content, 0, size / 2, (byte) 7);
    return content;
  }

  private static byte[] framed(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SnappyOutputStream snappy = new SnappyOutputStream(out)) {
      snappy.write(content);
    }
    return out.toByteArray();
  }

  @Test
  void bothFormsAreRead() throws Exception {
    byte[] content = content(100_000);
    assertThat(read(Snappy.compress(content))).isEqualTo(content);
    assertThat(read(framed(content))).isEqualTo(content);
    assertThat(bytes.held()).isZero();
  }

  @Test
  void whatIsDeclaredIsComparedWithTheLimitFirst() {
    byte full = (byte) 0xff;
    byte[] lying = {full, full, full, full, 0x07, 0};
    for (byte[] large : new byte[][] {lying, large()}) {
      assertThatThrownBy(() -> read(large))
          .isInstanceOfSatisfying(
              UnreadableException.class,
              refused -> assertThat(refused.fault()).isEqualTo(Fault.TOO_LARGE));
    }
  }

  private static byte[] large() {
    try {
      return framed(new byte[LIMIT + 1]);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Test
  void damagedBytesAreAFaultAndNoCrash() throws Exception {
    Random random = new Random(20261123);
    byte[] whole = framed(content(3_000));
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = whole.clone();
      for (int i = 0; i < 3; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      byte[] cut = Arrays.copyOf(damaged, random.nextInt(damaged.length) + 1);
      try {
        read(cut);
      } catch (IOException | UnreadableException expected) {
        assertThat(expected).hasMessageNotContaining("Exception");
      }
    }
    assertThat(bytes.held()).isZero();
  }
}
