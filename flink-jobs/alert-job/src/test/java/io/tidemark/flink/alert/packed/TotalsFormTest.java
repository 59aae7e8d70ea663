package io.tidemark.flink.alert.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.flink.model.alert.MinuteTotals;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written is read back, bit by bit. */
class TotalsFormTest {

  private static final long START = 1_767_225_600_000L;

  private static final double[] NUMBERS = {
    0,
    -0.0,
    1,
    -1,
    0.1,
    1e300,
    -1e-300,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    1L << 53,
    (1L << 53) - 1,
    -(1L << 53),
    42,
    1e15
  };

  private static void check(MinuteTotals totals) {
    PackedOutput out = new PackedOutput();
    TotalsForm.write(out, totals, START);
    PackedInput in = new PackedInput(out.toBytes());
    MinuteTotals read = TotalsForm.read(in, START);

    assertFalse(in.hasMore());
    assertEquals(bits(totals.sum()), bits(read.sum()));
    assertEquals(bits(totals.min()), bits(read.min()));
    assertEquals(bits(totals.max()), bits(read.max()));
    assertEquals(bits(totals.last()), bits(read.last()));
    assertEquals(totals.count(), read.count());
    assertEquals(totals.lastTime(), read.lastTime());
    assertArrayEquals(totals.buckets(), read.buckets());
    assertArrayEquals(totals.counts(), read.counts());
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  @Test
  void anyTotalsAreReadBack() {
    Random random = new Random(5);
    for (int i = 0; i < 100_000; i++) {
      int size = random.nextInt(8) == 0 ? random.nextInt(200) : 0;
      int[] buckets = new int[size];
      long[] counts = new long[size];
      int bucket = random.nextInt(2_000) - 1_000;
      for (int at = 0; at < size; at++) {
        buckets[at] = bucket;
        counts[at] = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(100) - 50;
        bucket += 1 + random.nextInt(3);
      }
      check(
          new MinuteTotals(
              number(random),
              random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(1_000) - 10,
              number(random),
              number(random),
              number(random),
              random.nextInt(3) == 0 ? 0 : START + random.nextInt(60_000),
              buckets,
              counts));
    }
  }

  private static double number(Random random) {
    return random.nextBoolean()
        ? NUMBERS[random.nextInt(NUMBERS.length)]
        : random.nextBoolean() ? random.nextInt(1_000) : random.nextGaussian();
  }

  @Test
  void aGaugeWithOneValueIsShort() {
    PackedOutput out = new PackedOutput();
    TotalsForm.write(out, MinuteTotals.of(42, 1, 42, 42, 42, START + 59_000), START);
    assertTrue(out.size() <= 6, "bytes: " + out.size());
    out.clear();
    TotalsForm.write(out, MinuteTotals.of(0, 0, Double.NaN, Double.NaN, Double.NaN, START), START);
    assertTrue(out.size() <= 4, "bytes: " + out.size());
  }

  @Test
  void numbersOfAnySizeAreReadBack() {
    PackedOutput out = new PackedOutput();
    long[] numbers = {0, 1, -1, 127, 128, -64, 65, Long.MAX_VALUE, Long.MIN_VALUE, START};
    for (long number : numbers) {
      out.writeSigned(number);
      out.writeUnsigned(number);
    }
    PackedInput in = new PackedInput(out.toBytes());
    for (long number : numbers) {
      assertEquals(number, in.readSigned());
      assertEquals(number, in.readUnsigned());
    }
  }

  @Test
  void aFormOfANewerVersionIsRefused() {
    PackedInput in = new PackedInput(new byte[] {9});
    assertThrows(IllegalStateException.class, () -> in.expectForm(1, "Totals"));
  }
}
