package io.tidemark.flink.io.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.tidemark.flink.model.distribution.BucketGrid;
import io.tidemark.flink.model.distribution.Distribution;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A distribution as the text of the contract events/rollup-row.schema.json: the scale, then runs of
 * neighbouring buckets, {@code 3|1025:12|1040:7,9,3}. Equal distributions have equal texts.
 */
public final class DistributionText {

  private static final int HEAD = 4;

  /** {@code |-2048:-9223372036854775808}. */
  private static final int LARGEST_BUCKET = 27;

  /** Bytes of the longest text. */
  static final int LARGEST = HEAD + (2 * BucketGrid.MAX + 1) * LARGEST_BUCKET;

  /** What a run begins with, by its first bucket from the lowest. */
  private static final byte[][] RUN_STARTS = runStarts();

  private DistributionText() {}

  /** The text of a distribution, ASCII. */
  public static byte[] of(Distribution distribution) {
    byte[] bytes = new byte[largest(distribution)];
    return Arrays.copyOf(bytes, write(distribution, bytes, 0));
  }

  /** Bytes that {@link #write} needs at most. */
  static int largest(@Nullable Distribution distribution) {
    return distribution == null ? 0 : HEAD + distribution.size() * LARGEST_BUCKET;
  }

  /** Writes to {@code bytes} from {@code at}; returns where the text ends. */
  static int write(Distribution distribution, byte[] bytes, int at) {
    int end = NumberOutput.outputInt(BucketGrid.SCALE, bytes, at);
    for (int i = 0; i < distribution.size(); i++) {
      int bucket = distribution.bucket(i);
      if (i > 0 && bucket == distribution.bucket(i - 1) + 1) {
        bytes[end++] = ',';
      } else {
        byte[] start = RUN_STARTS[bucket + BucketGrid.MAX];
        System.arraycopy(start, 0, bytes, end, start.length);
        end += start.length;
      }
      long count = distribution.count(i);
      if (count >= 0 && count < 10) {
        bytes[end++] = (byte) ('0' + count);
      } else {
        end = NumberOutput.outputLong(count, bytes, end);
      }
    }
    return end;
  }

  private static byte[][] runStarts() {
    byte[][] starts = new byte[2 * BucketGrid.MAX + 1][];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = ("|" + (i - BucketGrid.MAX) + ":").getBytes(US_ASCII);
    }
    return starts;
  }
}
