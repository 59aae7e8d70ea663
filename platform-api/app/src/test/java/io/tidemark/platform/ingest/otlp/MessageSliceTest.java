package io.tidemark.platform.ingest.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Children are found however a sender writes their tags and sizes. */
class MessageSliceTest {
  /** Field 1 with two bytes: as all write it, with longer sizes, and with a tag of two bytes. */
  private static final List<String> FIRST =
      List.of("0a02abcd", "0a8200abcd", "0a82808000abcd", "8a0002abcd", "8a00828000abcd");

  /** Field 2 with a number, and field 3 with a text. */
  private static final String REST = "1005" + "1a0161";

  @Test
  void childrenAreFoundHoweverTheyAreWritten() throws Exception {
    for (String first : FIRST) {
      MessageSlice message = slice(REST + first + REST + first);
      List<String> seen = new ArrayList<>();
      MessageSlice kept =
          message.filter(
              1,
              child -> {
                seen.add(hex(child));
                return child;
              });
      assertThat(seen).as(first).containsExactly("abcd", "abcd");
      assertThat(message.is(kept)).as(first).isTrue();
      assertThat(hex(message.without(1))).as(first).isEqualTo(REST + REST);
    }
  }

  @Test
  void whatIsAroundAChildThatIsLeftOutStays() throws Exception {
    for (String first : FIRST) {
      List<String> seen = new ArrayList<>();
      MessageSlice kept =
          slice(REST + first + REST + first)
              .filter(
                  1,
                  child -> {
                    seen.add(hex(child));
                    return seen.size() == 1 ? null : child;
                  });
      assertThat(hex(kept)).as(first).isEqualTo(REST + REST + "0a02abcd");
    }
  }

  @Test
  void aChildThatDoesNotFitIsMalformed() {
    for (String damaged : List.of("0a03abcd", "0a", "0a80", "0affffffff0fabcd", "8a0003abcd")) {
      assertThatThrownBy(() -> slice(damaged).filter(1, child -> child))
          .as(damaged)
          .isInstanceOf(InvalidProtocolBufferException.class);
      assertThatThrownBy(() -> slice(damaged).without(1))
          .as(damaged)
          .isInstanceOf(InvalidProtocolBufferException.class);
    }
  }

  /** Between other bytes, so that a place is never the place in the array. */
  private static MessageSlice slice(String hex) {
    byte[] bytes = HexFormat.of().parseHex("0a0a0a" + hex + "0a0a0a");
    return new MessageSlice(bytes, 3, bytes.length - 6);
  }

  private static String hex(MessageSlice slice) {
    return HexFormat.of().formatHex(slice.bytes(), slice.offset(), slice.offset() + slice.length());
  }
}
