package io.tidemark.platform.ingest.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DistinctBytesTest {

  private final DistinctBytes distinct = new DistinctBytes();

  private int number(String text) {
    ProtobufBytes string = new ProtobufBytes(4);
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    string.raw(bytes, 0, bytes.length);
    return distinct.number(string);
  }

  @Test
  void stringsAreNumberedAsTheyComeAndKeptWhole() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20_000; i++) {
        assertThat(number("x".repeat(i % 20) + i)).isEqualTo(i);
      }
    }
    assertThat(distinct.count()).isEqualTo(20_000);
    int start = distinct.start(12_345);
    assertThat(
            new String(
                Arrays.copyOfRange(distinct.array(), start, start + distinct.size(12_345)),
                StandardCharsets.US_ASCII))
        .isEqualTo("x".repeat(5) + "12345");
  }

  @Test
  void theEmptyStringAndOnesOfZerosAreStringsToo() {
    assertThat(number("")).isZero();
    assertThat(number("\0")).isEqualTo(1);
    assertThat(number("\0".repeat(8))).isEqualTo(2);
    assertThat(number("\0".repeat(9))).isEqualTo(3);
    assertThat(number("")).isZero();
    assertThat(distinct.size(0)).isZero();
  }
}
