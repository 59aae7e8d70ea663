package io.tidemark.platform.testing;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

/**
 * Damaged and hostile variants of given bodies. The same seed gives the same variants, so that a
 * finding can be repeated.
 */
public final class Mutations {

  private static final byte[][] EXTREMES = {
    {0},
    {(byte) 0x7f},
    {(byte) 0x80},
    {-1},
    // Varints of 2^31 - 1, 2^32 - 1, and 2^64 - 1.
    {-1, -1, -1, -1, 7},
    {-1, -1, -1, -1, 15},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
    // NaN, infinite, and the marker of stale series, little-endian.
    {0, 0, 0, 0, 0, 0, (byte) 0xf8, 0x7f},
    {0, 0, 0, 0, 0, 0, (byte) 0xf0, 0x7f},
    {2, 0, 0, 0, 0, 0, (byte) 0xf0, 0x7f},
    {0, 0, 0, 0, 0, 0, 0, (byte) 0x80},
    // A group that begins, one that ends, and text that is none.
    {0x0b},
    {0x0c},
    {(byte) 0xc3, 0x28},
    "{\"a\":[".getBytes(java.nio.charset.StandardCharsets.US_ASCII)
  };

  private final List<byte[]> seeds;
  private final Random random;

  public Mutations(List<byte[]> seeds, long seed) {
    this.seeds = seeds;
    this.random = new Random(seed);
  }

  /** The next variant: a seed with 1 to 3 changes. */
  public byte[] next() {
    byte[] body = pick();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      body = changed(body);
    }
    return body;
  }

  private byte[] pick() {
    return seeds.get(random.nextInt(seeds.size())).clone();
  }

  private byte[] changed(byte[] body) {
    if (body.length == 0) {
      return EXTREMES[random.nextInt(EXTREMES.length)].clone();
    }
    int at = random.nextInt(body.length);
    int end = at + random.nextInt(Math.min(64, body.length - at) + 1);
    return switch (random.nextInt(8)) {
      case 0 -> {
        body[at] ^= (byte) (1 << random.nextInt(8));
        yield body;
      }
      case 1 -> {
        body[at] = (byte) random.nextInt();
        yield body;
      }
      case 2 -> joined(body, 0, at, new byte[0], body, body.length, body.length);
      case 3 -> joined(body, 0, at, new byte[0], body, end, body.length);
      case 4 ->
          joined(body, 0, at, EXTREMES[random.nextInt(EXTREMES.length)], body, at, body.length);
      case 5 ->
          joined(body, 0, at, EXTREMES[random.nextInt(EXTREMES.length)], body, end, body.length);
      case 6 -> joined(body, 0, end, new byte[0], body, at, body.length);
      default -> {
        byte[] other = pick();
        int from = other.length == 0 ? 0 : random.nextInt(other.length);
        yield joined(body, 0, at, new byte[0], other, from, other.length);
      }
    };
  }

  private static byte[] joined(
      byte[] first, int from, int to, byte[] between, byte[] second, int since, int until) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(first, from, to - from);
    joined.writeBytes(between);
    joined.write(second, since, until - since);
    byte[] bytes = joined.toByteArray();
    // Doubling again and again must not make the run slow.
    return bytes.length <= 64 * 1024 ? bytes : java.util.Arrays.copyOf(bytes, 64 * 1024);
  }
}
