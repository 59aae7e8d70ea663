package io.tidemark.flink.io.rows;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigInteger;

/**
 * The shortest decimal text that reads back as the same double, in the form of Java 19's {@code
 * Double.toString}, written into bytes without making an object. The method is Raffaele Giulietti's
 * "The Schubfach way to render doubles"; names are those of the paper.
 */
final class DoubleText {

  /** No text is longer, bytes. */
  static final int LONGEST = 26;

  private static final int MANTISSA_BITS = 52;
  private static final long HIDDEN_BIT = 1L << MANTISSA_BITS;
  private static final int MIN_Q = -1074;
  private static final long MASK_63 = Long.MAX_VALUE;

  private static final int MIN_POWER = -292;
  private static final int MAX_POWER = 324;

  /** 10^power as 126 bits, rounded up, in two halves of 63: {@link #POWERS}. */
  private static final long[] POWERS = powers();

  private DoubleText() {}

  /**
   * @param value finite
   * @param out has room for {@link #LONGEST} bytes
   * @return where the text ends
   */
  static int write(double value, byte[] out, int from) {
    long bits = Double.doubleToRawLongBits(value);
    int at = from;
    if (bits < 0) {
      out[at++] = '-';
    }
    long mantissa = bits & (HIDDEN_BIT - 1);
    int exponent = (int) (bits >>> MANTISSA_BITS) & 0x7ff;
    if (exponent == 0 && mantissa == 0) {
      out[at++] = '0';
      out[at++] = '.';
      out[at++] = '0';
      return at;
    }
    if (exponent == 0) {
      // Of the least numbers two digits are told, as by Java.
      return mantissa < 3
          ? decimal(MIN_Q, mantissa * 10, -1, out, at)
          : decimal(MIN_Q, mantissa, 0, out, at);
    }
    return decimal(exponent + MIN_Q - 1, mantissa | HIDDEN_BIT, 0, out, at);
  }

  /** Writes c times 2^q times 10^scale. */
  private static int decimal(int q, long c, int scale, byte[] out, int from) {
    int odd = (int) c & 1;
    long cb = c << 2;
    long cbr = cb + 2;
    long cbl;
    int k;
    if (c != HIDDEN_BIT || q == MIN_Q) {
      cbl = cb - 2;
      k = (int) (q * 661_971_961_083L >> 41);
    } else {
      cbl = cb - 1;
      k = (int) (q * 661_971_961_083L - 274_743_187_321L >> 41);
    }
    int h = q + log2OfPowerOf10(-k) + 2;
    int power = (-k - MIN_POWER) << 1;
    long g1 = POWERS[power];
    long g0 = POWERS[power + 1];
    long vb = roundToOdd(g1, g0, cb << h);
    long vbl = roundToOdd(g1, g0, cbl << h);
    long vbr = roundToOdd(g1, g0, cbr << h);
    long s = vb >> 2;
    if (s >= 100) {
      long s10 = 10 * (s / 10);
      long t10 = s10 + 10;
      boolean isLower = vbl + odd <= s10 << 2;
      boolean isUpper = (t10 << 2) + odd <= vbr;
      if (isLower != isUpper) {
        return text(isLower ? s10 : t10, k + scale, out, from);
      }
    }
    long t = s + 1;
    boolean isLower = vbl + odd <= s << 2;
    boolean isUpper = (t << 2) + odd <= vbr;
    if (isLower != isUpper) {
      return text(isLower ? s : t, k + scale, out, from);
    }
    long difference = vb - (s + t << 1);
    boolean isCloser = difference < 0 || (difference == 0 && (s & 1) == 0);
    return text(isCloser ? s : t, k + scale, out, from);
  }

  /** Writes digits times 10^power: plain from 10^-3 to 10^7, else with an exponent. */
  private static int text(long digits, int power, byte[] out, int from) {
    long rest = digits;
    int tens = power;
    while (rest % 10 == 0) {
      rest /= 10;
      tens++;
    }
    // One place is left free for the point.
    int end = NumberOutput.outputLong(rest, out, from + 1);
    int length = end - from - 1;
    int point = length + tens;
    if (point > 0 && point <= 7) {
      return plain(point, length, out, from);
    }
    if (point > -3 && point <= 0) {
      return fraction(-point, length, out, from);
    }
    out[from] = out[from + 1];
    out[from + 1] = '.';
    int at = end;
    if (length == 1) {
      out[at++] = '0';
    }
    out[at++] = 'E';
    return NumberOutput.outputInt(point - 1, out, at);
  }

  /** Digits lie one place behind {@code from}; {@code point} of them stand before the point. */
  private static int plain(int point, int length, byte[] out, int from) {
    int before = Math.min(point, length);
    System.arraycopy(out, from + 1, out, from, before);
    for (int i = before; i < point; i++) {
      out[from + i] = '0';
    }
    out[from + point] = '.';
    if (length <= point) {
      out[from + point + 1] = '0';
      return from + point + 2;
    }
    return from + length + 1;
  }

  private static int fraction(int zeros, int length, byte[] out, int from) {
    System.arraycopy(out, from + 1, out, from + 2 + zeros, length);
    out[from] = '0';
    out[from + 1] = '.';
    for (int i = 0; i < zeros; i++) {
      out[from + 2 + i] = '0';
    }
    return from + 2 + zeros + length;
  }

  private static long roundToOdd(long g1, long g0, long cp) {
    long x1 = Math.multiplyHigh(g0, cp);
    long y0 = g1 * cp;
    long y1 = Math.multiplyHigh(g1, cp);
    long z = (y0 >>> 1) + x1;
    long w = y1 + (z >>> 63);
    return w | ((z & MASK_63) + MASK_63) >>> 63;
  }

  private static int log2OfPowerOf10(int power) {
    return (int) (power * 913_124_641_741L >> 38);
  }

  private static long[] powers() {
    long[] powers = new long[(MAX_POWER - MIN_POWER + 1) * 2];
    for (int power = MIN_POWER; power <= MAX_POWER; power++) {
      int shift = log2OfPowerOf10(power) - 125;
      BigInteger ten = BigInteger.TEN.pow(Math.abs(power));
      BigInteger scaled;
      if (power < 0) {
        scaled = BigInteger.ONE.shiftLeft(-shift).divide(ten);
      } else {
        scaled = shift < 0 ? ten.shiftLeft(-shift) : ten.shiftRight(shift);
      }
      BigInteger rounded = scaled.add(BigInteger.ONE);
      int at = (power - MIN_POWER) * 2;
      powers[at] = rounded.shiftRight(63).longValueExact();
      powers[at + 1] = rounded.and(BigInteger.valueOf(MASK_63)).longValueExact();
    }
    return powers;
  }
}
