package io.tidemark.flink.io.points.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The latest point time of a batch of the plain form, by hopping over everything else, also what
 * follows the time in a point. Gives up on anything unusual; {@link LatestPointTime} reads every
 * form.
 */
final class FastPointTimeScanner {

  /** No plain batch, or one without points. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MESSAGE = 2;
  private static final int FIXED64 = 1;
  private static final int TIME = 0x19;

  /** Field 1; there is no field 0, and longer tags begin with a negative byte. */
  private static final int FIRST_TAG = 8;

  private final byte[] bytes;
  private int at;
  private boolean isUnusual;
  private long latest = UNKNOWN;

  private FastPointTimeScanner(byte[] bytes) {
    this.bytes = bytes;
  }

  static long latest(byte[] request) {
    FastPointTimeScanner times = new FastPointTimeScanner(request);
    times.level(0, request.length);
    return times.isUnusual ? UNKNOWN : times.latest;
  }

  /** Levels: request, resource, scope, metric, data. */
  private void level(int level, int end) {
    while (at < end && !isUnusual) {
      int tag = bytes[at++];
      if (tag < FIRST_TAG || (tag & 7) != MESSAGE) {
        other(tag, end);
        continue;
      }
      int next = length(end);
      if (isUnusual) {
        return;
      }
      if (!isNested(level, tag >>> 3)) {
        at = next;
      } else if (level == 4) {
        point(next);
      } else {
        level(level + 1, next);
      }
    }
  }

  private static boolean isNested(int level, int field) {
    return switch (level) {
      case 0, 4 -> field == 1;
      case 1, 2 -> field == 2;
      default -> field == 5 || field == 7 || (field >= 9 && field <= 11);
    };
  }

  private void point(int end) {
    while (at < end && !isUnusual) {
      int tag = bytes[at++];
      if ((tag & 7) == FIXED64 && tag >= FIRST_TAG && end - at >= Long.BYTES) {
        if (tag == TIME) {
          latest = Math.max(latest, (long) LONGS.get(bytes, at));
          at = end;
          return;
        }
        at += Long.BYTES;
      } else if ((tag & 7) == MESSAGE && tag >= FIRST_TAG) {
        int next = length(end);
        at = isUnusual ? at : next;
      } else {
        other(tag, end);
      }
    }
  }

  /** Short numbers are hopped over; groups, long tags and fields cut off are unusual. */
  private void other(int tag, int end) {
    if (tag >= FIRST_TAG && (tag & 7) == 0 && at < end && bytes[at] >= 0) {
      at++;
    } else {
      isUnusual = true;
    }
  }

  private int length(int end) {
    int length = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      if (at >= end) {
        break;
      }
      byte next = bytes[at++];
      length |= (next & 0x7f) << shift;
      if (next >= 0) {
        if (length > end - at) {
          break;
        }
        return at + length;
      }
    }
    isUnusual = true;
    return end;
  }
}
