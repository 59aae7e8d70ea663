package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Walks the rows of one Kafka record as {@link RowLines} lays them out: time, names, figures, pane.
 * Numbers are read where they stand, and the names of the series stay bytes, so that a reader that
 * knows the series makes no text of them. A line of another layout is not plain; any JSON reader
 * has to take it.
 */
public final class RowScanner {

  private static final byte[] TIMESTAMP = ascii("{\"timestamp\":");
  private static final byte[] SUM = ascii(",\"sum\":");
  private static final byte[] COUNT = ascii(",\"count\":");
  private static final byte[] MIN = ascii(",\"min\":");
  private static final byte[] MAX = ascii(",\"max\":");
  private static final byte[] LAST = ascii(",\"last\":");
  private static final byte[] LAST_TIMESTAMP = ascii(",\"last_timestamp\":");
  private static final byte[] DISTRIBUTION = ascii(",\"distribution\":\"");
  private static final byte[] PANE_ID = ascii(",\"pane_id\":\"");

  /** Place of a name's first letter in a member. */
  private static final int LETTER = 2;

  private static final int NONE = -1;

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = ONES << Byte.SIZE - 1;

  /** Of so many digits every number fits a long. */
  private static final int MAX_DIGITS = 18;

  /** Wholes up to 2^53 and powers of ten up to 10^22 are doubles: one division rounds once. */
  private static final long MAX_WHOLE = 1L << 53;

  private static final double[] POWERS = powers();

  private byte[] bytes = new byte[0];
  private int at;
  private int end;
  private int lineFrom;
  private int lineTo;
  private int namesFrom;
  private int namesTo;
  private long timestamp;
  private double sum;
  private long count;
  private double min;
  private double max;
  private double last;
  private long lastTimestamp;
  private int distributionFrom;
  private int distributionTo;
  private int paneFrom;
  private int paneTo;
  private boolean isPlain;

  /** Begins with the first row of a record's value. */
  public void reset(byte[] record) {
    bytes = record;
    lineTo = -1;
  }

  /** Goes to the next row; empty lines are none. */
  public boolean next() {
    do {
      lineFrom = lineTo + 1;
      if (lineFrom >= bytes.length) {
        return false;
      }
      lineTo = indexOf('\n', lineFrom, bytes.length);
    } while (lineTo == lineFrom);
    at = lineFrom;
    end = lineTo;
    isPlain = names() && figures();
    return true;
  }

  /** Whether the row has the layout of {@link RowLines}; else only its place is known. */
  public boolean isPlain() {
    return isPlain;
  }

  /** First byte of the line. */
  public int from() {
    return lineFrom;
  }

  public int length() {
    return lineTo - lineFrom;
  }

  /** First byte of the members that are the same in all rows of a series. */
  public int namesFrom() {
    return namesFrom;
  }

  public int namesLength() {
    return namesTo - namesFrom;
  }

  public long timestamp() {
    return timestamp;
  }

  /** NaN when there is none, like the other figures. */
  public double sum() {
    return sum;
  }

  public long count() {
    return count;
  }

  public double min() {
    return min;
  }

  public double max() {
    return max;
  }

  public double last() {
    return last;
  }

  /** Negative when there is none. */
  public long lastTimestamp() {
    return lastTimestamp;
  }

  public boolean hasDistribution() {
    return distributionFrom >= 0;
  }

  /** The text of the distribution, a copy. */
  public byte[] distribution() {
    return Arrays.copyOfRange(bytes, distributionFrom, distributionTo);
  }

  /** The pane's id, a copy. */
  public byte[] paneId() {
    return Arrays.copyOfRange(bytes, paneFrom, paneTo);
  }

  /**
   * A comma before a quote is never inside a text, where quotes are escaped: the first member of
   * figures ends the names.
   */
  private boolean names() {
    if (!take(TIMESTAMP)) {
      return false;
    }
    timestamp = whole();
    namesFrom = at;
    int to = Math.max(at, end - COUNT.length);
    for (int i = indexOf(',', at, to); i < to; i = indexOf(',', i + 1, to)) {
      if (isAt(SUM, i) || isAt(COUNT, i)) {
        namesTo = i;
        at = i;
        return timestamp >= 0;
      }
    }
    return false;
  }

  /**
   * The first place of an ASCII character, or {@code to}. Eight bytes are looked at in a step: a
   * byte that is 0 after the comparison is the only one that borrows, up to the first.
   */
  private int indexOf(char one, int from, int to) {
    long wanted = one * ONES;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long different = (long) EIGHT.get(bytes, i) ^ wanted;
      long found = different - ONES & ~different & HIGH_BITS;
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (i < to && bytes[i] != one) {
      i++;
    }
    return i;
  }

  private boolean figures() {
    sum = take(SUM) ? number() : Double.NaN;
    if (!take(COUNT)) {
      return false;
    }
    boolean isNegative = at < end && bytes[at] == '-';
    at += isNegative ? 1 : 0;
    long digits = whole();
    count = isNegative ? -digits : digits;
    min = take(MIN) ? number() : Double.NaN;
    max = take(MAX) ? number() : Double.NaN;
    last = take(LAST) ? number() : Double.NaN;
    lastTimestamp = NONE;
    if (take(LAST_TIMESTAMP)) {
      lastTimestamp = whole();
      if (lastTimestamp < 0) {
        return false;
      }
    }
    distributionFrom = NONE;
    if (take(DISTRIBUTION)) {
      distributionFrom = at;
      distributionTo = text();
    }
    if (digits < 0 || !take(PANE_ID)) {
      return false;
    }
    paneFrom = at;
    paneTo = text();
    return paneTo > paneFrom && at == end - 1 && bytes[at] == '}';
  }

  /** Digits; negative when there are none or too many, or when another number begins like them. */
  private long whole() {
    long value = 0;
    int from = at;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      value = value * 10 + bytes[at++] - '0';
    }
    boolean ends = at < end && (bytes[at] == ',' || bytes[at] == '}');
    return at == from || at - from > MAX_DIGITS || !ends ? NONE : value;
  }

  /** A number of JSON; NaN, and a row that is not plain, when there is none. */
  private double number() {
    int from = at;
    boolean isNegative = at < end && bytes[at] == '-';
    at += isNegative ? 1 : 0;
    long value = 0;
    int digits = 0;
    int decimals = 0;
    boolean isPoint = false;
    for (; at < end; at++) {
      int one = bytes[at];
      if (one >= '0' && one <= '9') {
        value = value * 10 + one - '0';
        digits++;
        decimals += isPoint ? 1 : 0;
      } else if (one == '.' && !isPoint) {
        isPoint = true;
      } else {
        break;
      }
    }
    if (at < end
        && bytes[at] == ','
        && digits > 0
        && digits <= MAX_DIGITS
        && value <= MAX_WHOLE
        && decimals < POWERS.length) {
      double exact = value / POWERS[decimals];
      return isNegative ? -exact : exact;
    }
    while (at < end && isOfNumber(bytes[at])) {
      at++;
    }
    try {
      return Double.parseDouble(new String(bytes, from, at - from, US_ASCII));
    } catch (NumberFormatException none) {
      // No pane follows here: the row is not plain.
      at = end;
      return Double.NaN;
    }
  }

  private static boolean isOfNumber(byte one) {
    return one >= '0' && one <= '9'
        || one == '-'
        || one == '+'
        || one == '.'
        || one == 'E'
        || one == 'e';
  }

  /** The end of a text without escapes; its closing quote is taken. */
  private int text() {
    while (at < end && bytes[at] != '"' && bytes[at] != '\\') {
      at++;
    }
    int to = at;
    at = at < end && bytes[at] == '"' ? at + 1 : end;
    return to;
  }

  private boolean take(byte[] member) {
    boolean isThere = isAt(member, at);
    at += isThere ? member.length : 0;
    return isThere;
  }

  /** The first letter of a name tells most members apart. */
  private boolean isAt(byte[] member, int from) {
    return from + member.length <= end
        && bytes[from + LETTER] == member[LETTER]
        && Arrays.equals(bytes, from, from + member.length, member, 0, member.length);
  }

  private static double[] powers() {
    double[] powers = new double[23];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
