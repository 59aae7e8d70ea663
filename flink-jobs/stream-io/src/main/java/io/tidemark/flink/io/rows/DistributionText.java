package io.tidemark.flink.io.rows;

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
  static final int LARGEST = HEAD + (2 * BucketGrid.MOST + 1) * LARGEST_BUCKET;

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
        bytes[end++] = '|';
        end = NumberOutput.outputInt(bucket, bytes, end);
        bytes[end++] = ':';
      }
      end = NumberOutput.outputLong(distribution.count(i), bytes, end);
    }
    return end;
  }
}
