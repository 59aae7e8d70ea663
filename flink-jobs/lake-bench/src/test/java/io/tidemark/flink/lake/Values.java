package io.tidemark.flink.lake;

import io.tidemark.flink.testing.Fleet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What the fleet measures: bytes per point depend on it more than on anything else. */
enum Values {
  /** As telemetry is: whole numbers, percentages, latencies, limits, mostly zero error counts. */
  TELEMETRY {
    @Override
    double of(long step, int number) {
      int metric = number % Fleet.POINTS_PER_BATCH / (Fleet.POINTS_PER_BATCH / 10);
      double noise = noise(step, number);
      double level = noise(-1, number);
      return switch (metric) {
        // Bytes and requests of the last interval.
        case 0, 1 -> Math.rint(level * 1_000_000 * (0.8 + 0.4 * noise));
        case 2 -> Math.rint(level * 500 * (0.5 + noise));
        // Percentages with two digits, moving slowly.
        case 3, 4 ->
            Math.rint((50 + 40 * Math.sin((double) step / 60 + level * 7) + 5 * noise) * 100) / 100;
        // A limit that never changes, errors that are rare, connections that come and go.
        case 5 -> Math.rint(level * 1_000) * 1_024;
        case 6 -> noise > 0.98 ? Math.rint(noise * 10) : 0;
        case 7 -> Math.rint(100 * level + 10 * Math.sin((double) step / 30 + level));
        // Milliseconds with three digits.
        case 8 -> Math.rint(level * 200 * (0.7 + 0.6 * noise * noise) * 1_000) / 1_000;
        // A computed ratio with all its digits.
        default -> level * noise;
      };
    }
  },

  /** A random walk with steps of about 1 and two digits after the point. */
  WALK {
    private double[] last = new double[0];

    @Override
    double of(long step, int number) {
      if (number >= last.length) {
        last = Arrays.copyOf(last, Math.max(number + 1, last.length * 2));
      }
      // Of twelve even numbers, the sum is as good as normal.
      double normal = -6;
      for (int i = 0; i < 12; i++) {
        normal += noise(step * 12 + i, number);
      }
      last[number] = step == 0 ? 0 : last[number] + normal;
      return Math.rint(last[number] * 100) / 100;
    }
  },

  /** Every value with all 53 random bits: nothing compresses it. */
  RANDOM {
    @Override
    double of(long step, int number) {
      return Fleet.value(step, number);
    }
  };

  abstract double of(long step, int number);

  /** Writes the values over those of the fleet. */
  byte[] put(byte[] request, long batch, Fleet fleet) {
    ByteBuffer bytes = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN);
    long step = batch / fleet.batchesPerStep();
    int number = (int) (batch % fleet.batchesPerStep()) * Fleet.POINTS_PER_BATCH;
    int last = number + Fleet.POINTS_PER_BATCH;
    for (int at = 0; at + Long.BYTES <= request.length && number < last; at++) {
      if (bytes.getDouble(at) == Fleet.value(step, number)) {
        bytes.putDouble(at, of(step, number++));
        at += Long.BYTES - 1;
      }
    }
    if (number != last) {
      throw new IllegalStateException("Found " + number + " values of " + last);
    }
    return request;
  }

  private static double noise(long step, int number) {
    long mixed = (step * 7_919L + number * 104_729L) * 0x9E37_79B9_7F4A_7C15L;
    mixed ^= mixed >>> 31;
    mixed *= 0xBF58_476D_1CE4_E5B9L;
    return (double) (mixed >>> 11) / (1L << 53);
  }
}
