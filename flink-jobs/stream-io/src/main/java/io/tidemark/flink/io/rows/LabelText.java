package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The labels of a series as members of a row, {@code ,"metric.zone":"1"}, straight from the bytes
 * of its descriptor: a million series need not keep their text.
 */
final class LabelText {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EVERY = 0x0101_0101_0101_0101L;
  private static final long HIGHEST = 0x8080_8080_8080_8080L;
  private static final byte[] MEMBER = ",\"metric.".getBytes(US_ASCII);
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);

  /** Letters of the escapes that have one, as Jackson writes them: no text is longer than its. */
  private static final byte[] LETTERS = new byte[' '];

  static {
    LETTERS['\b'] = 'b';
    LETTERS['\t'] = 't';
    LETTERS['\n'] = 'n';
    LETTERS['\f'] = 'f';
    LETTERS['\r'] = 'r';
  }

  /** A backslash, u and four digits. */
  private static final int LONGEST_ESCAPE = 6;

  private LabelText() {}

  /** Bytes that {@link #write} needs at most; what surrounds a label is less than its lengths. */
  static int largest(byte[] labels) {
    return LONGEST_ESCAPE * labels.length;
  }

  /**
   * @param labels as in {@code DescriptorBytes}: how many, then names and values in UTF-8
   * @return where the text ends
   */
  static int write(byte[] labels, byte[] out, int from) {
    int at = from;
    int read = Integer.BYTES;
    for (int rest = (int) INTS.get(labels, 0); rest > 0; rest--) {
      System.arraycopy(MEMBER, 0, out, at, MEMBER.length);
      at += MEMBER.length;
      int end = read + Integer.BYTES + (int) INTS.get(labels, read);
      at = escaped(labels, read + Integer.BYTES, end, out, at);
      out[at++] = '"';
      out[at++] = ':';
      out[at++] = '"';
      read = end;
      end = read + Integer.BYTES + (int) INTS.get(labels, read);
      at = escaped(labels, read + Integer.BYTES, end, out, at);
      out[at++] = '"';
      read = end;
    }
    return at;
  }

  /** Eight bytes at once, as long as none of them needs an escape. */
  private static int escaped(byte[] text, int from, int to, byte[] out, int start) {
    int i = from;
    int at = start;
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      long eight = (long) LONGS.get(text, i);
      if (needsEscape(eight)) {
        break;
      }
      LONGS.set(out, at, eight);
      at += Long.BYTES;
    }
    return oneByOne(text, i, to, out, at);
  }

  /** Never false when one does; of bytes behind one that does it may say more. */
  private static boolean needsEscape(long eight) {
    long control = (eight - ' ' * EVERY) & ~eight;
    long quote = eight ^ '"' * EVERY;
    long backslash = eight ^ '\\' * EVERY;
    return ((control | hasZero(quote) | hasZero(backslash)) & HIGHEST) != 0;
  }

  private static long hasZero(long eight) {
    return (eight - EVERY) & ~eight;
  }

  private static int oneByOne(byte[] text, int from, int to, byte[] out, int start) {
    int at = start;
    for (int i = from; i < to; i++) {
      byte one = text[i];
      if (one == '"' || one == '\\') {
        out[at++] = '\\';
        out[at++] = one;
      } else if (one >= 0 && one < ' ') {
        out[at++] = '\\';
        byte letter = LETTERS[one];
        if (letter == 0) {
          out[at++] = 'u';
          out[at++] = '0';
          out[at++] = '0';
          out[at++] = HEX[one >> 4];
          out[at++] = HEX[one & 0xf];
        } else {
          out[at++] = letter;
        }
      } else {
        out[at++] = one;
      }
    }
    return at;
  }
}
