package io.tidemark.platform.ingest.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireReaderTest {

  private static final int GROUP_BEGINS = 1 << 3 | 3;
  private static final int GROUP_ENDS = 1 << 3 | 4;

  private static WireReader reader(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return new WireReader(array);
  }

  private static void assertRefused(ThrowingCallable reading, String why) {
    assertThatThrownBy(reading)
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, 16_384, 1_767_225_600_000L, Long.MAX_VALUE, -1})
  void numbersAreThoseThatOthersWrite(long number) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeUInt64NoTag(number);
    out.writeDoubleNoTag(number);
    out.flush();
    WireReader in = new WireReader(bytes.toByteArray());
    assertThat(in.number()).isEqualTo(number);
    assertThat(in.real()).isEqualTo((double) number);
    assertThat(in.isAtEnd()).isTrue();
    assertThat(new WireReader(bytes.toByteArray()).number32()).isEqualTo((int) number);
  }

  @Test
  void fieldsThatNobodyAsksForAreGoneOver() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeInt64(1, -5);
    out.writeFixed64(2, 5);
    out.writeFixed32(3, 5);
    out.writeString(4, "text");
    out.writeTag(5, 3);
    out.writeTag(6, 3);
    out.writeString(7, "in a group of a group");
    out.writeTag(6, 4);
    out.writeTag(5, 4);
    out.flush();
    WireReader in = new WireReader(bytes.toByteArray());
    for (int field = 1; field <= 5; field++) {
      int tag = in.tag();
      assertThat(tag >>> 3).isEqualTo(field);
      in.skip(tag);
    }
    assertThat(in.isAtEnd()).isTrue();
  }

  @Test
  void aMessageEndsWhereItsSizeSays() throws IOException {
    WireReader in = reader(2, 0x08, 7, 0x08, 9);
    int outer = in.enter();
    assertThat(in.tag()).isEqualTo(8);
    assertThat(in.number()).isEqualTo(7);
    assertThat(in.isAtEnd()).isTrue();
    in.leave(outer);
    assertThat(in.tag()).isEqualTo(8);
    assertThat(in.number()).isEqualTo(9);
    in.goTo(2, 1);
    assertThat(in.number()).isEqualTo(7);
    assertThat(in.isAtEnd()).isTrue();
  }

  @Test
  void nothingIsTakenFromBeyondTheMessage() throws IOException {
    assertRefused(() -> reader().number(), "ends within");
    assertRefused(() -> reader(0x80).number(), "ends within");
    assertRefused(() -> reader(5, 1, 2).size(), "ends within");
    assertRefused(() -> reader(5, 1, 2).enter(), "ends within");
    assertRefused(() -> reader(1, 2, 3).real(), "ends within");
    WireReader inner = reader(1, 0x80, 1, 1, 1, 1, 1, 1, 1, 1);
    inner.enter();
    assertRefused(inner::number, "ends within");
    WireReader number = reader(1, 0x80, 1, 1, 1, 1, 1, 1, 1, 1);
    number.enter();
    assertRefused(number::real, "ends within");
    assertRefused(() -> number.pass(2), "ends within");
    assertRefused(() -> reader(2, 2).skip(2), "ends within");
  }

  @Test
  void whatNoMessageHasIsRefused() {
    assertRefused(() -> reader(0x07).tag(), "number 0");
    assertRefused(() -> reader(0xff, 0xff, 0xff, 0xff, 0x0f).size(), "negative");
    assertRefused(
        () -> reader(255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1).number(), "ten bytes");
    assertRefused(() -> reader().skip(1 << 3 | 6), "no known type");
    assertRefused(() -> reader().skip(GROUP_ENDS), "did not begin");
    assertRefused(() -> reader(2 << 3 | 4).skip(GROUP_BEGINS), "did not begin");
    assertRefused(() -> reader().skip(GROUP_BEGINS), "ends within");
    int[] deep = new int[9];
    java.util.Arrays.fill(deep, GROUP_BEGINS);
    assertRefused(() -> reader(deep).skip(GROUP_BEGINS), "too deep");
  }
}
