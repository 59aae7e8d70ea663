package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against Jackson's writer of the same shortest texts. */
class DoubleTextTest {

  private final byte[] out = new byte[64];

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        100.0,
        1e7,
        9_999_999.0,
        12_345_678.0,
        0.001,
        0.00099,
        1e-4,
        123.456,
        1e22,
        1e23,
        2e-323,
        Double.MIN_VALUE,
        9.9e-324,
        1.5e-323,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        4.35,
        2.2250738585072011e-308,
        9007199254740993.0,
        1.7976931348623157e308
      })
  void everyFormIsAsJavaWritesIt(double value) {
    check(value);
    check(-value);
  }

  @Test
  void powersOfTwoAndTheirNeighbours() {
    for (int exponent = -1074; exponent < 1024; exponent++) {
      double power = Math.scalb(1.0, exponent);
      check(power);
      check(Math.nextUp(power));
      check(Math.nextDown(power));
    }
  }

  @Test
  void numbersAtRandom() {
    Random random = new Random(7);
    for (int i = 0; i < 300_000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(any)) {
        check(any);
      }
      check(random.nextDouble() * 1000);
      check(random.nextInt(1_000_000) / 100.0);
      check(random.nextInt() * 1e-9);
    }
  }

  private void check(double value) {
    int end = DoubleText.write(value, out, 3);
    String text = new String(out, 3, end - 3, US_ASCII);
    assertEquals(NumberOutput.toString(value, true), text);
    assertTrue(end - 3 <= DoubleText.LONGEST);
  }
}
