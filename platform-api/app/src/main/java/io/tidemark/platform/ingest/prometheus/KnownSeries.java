package io.tidemark.platform.ingest.prometheus;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the labels of series of remote write 1.0 become, remembered from request to request by their
 * bytes: senders send the same series again and again. A series is remembered when it comes for the
 * second time, and gives way to others; all that is lost then is time. For one set of limits and
 * any thread.
 */
public final class KnownSeries {

  /** Remembers nothing. */
  static final KnownSeries NONE = new KnownSeries(0);

  private static final int WAYS = 4;

  /** Of labels; what they become is about as long, so that the memory is bounded. */
  private static final int GREATEST_LABELS = 512;

  private final AtomicReferenceArray<Series> places;

  /** Hashes of series that came once; may be overwritten at any time. */
  private final long[] seen;

  /**
   * Room for so many series, about one kilobyte each.
   *
   * @param series a power of two, or 0
   */
  public KnownSeries(int series) {
    places = new AtomicReferenceArray<>(series);
    seen = new long[2 * series];
  }

  /**
   * A series whose labels break no rule.
   *
   * @param labels the bytes that its labels were written with
   * @param resource an encoded Resource
   * @param head the name of an encoded Metric
   * @param attributes of an encoded NumberDataPoint
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Series(
      long hash, byte[] labels, byte[] resource, byte[] head, PointKind kind, byte[] attributes) {

    private boolean isOf(long otherHash, byte[] body, int start, int size) {
      return hash == otherHash
          && Arrays.equals(labels, 0, labels.length, body, start, start + size);
    }
  }

  /** Whether labels of this size can be remembered. */
  boolean takes(int size) {
    return size > 0 && size <= GREATEST_LABELS && places.length() > 0;
  }

  /** The series of the labels; null when it is not known. */
  Series find(long hash, byte[] body, int start, int size) {
    int first = firstPlace(hash);
    for (int way = 0; way < WAYS; way++) {
      Series series = places.get(first + way);
      if (series != null && series.isOf(hash, body, start, size)) {
        return series;
      }
    }
    return null;
  }

  /** Whether a series that is not known came before; from now on it did. */
  boolean cameBefore(long hash) {
    int place = (int) (hash >>> 32) & (seen.length - 1);
    boolean before = seen[place] == hash;
    seen[place] = hash;
    return before;
  }

  /** Remembers a series, in an empty place or in that of another one. */
  void remember(Series series) {
    int first = firstPlace(series.hash());
    for (int way = 0; way < WAYS; way++) {
      if (places.compareAndSet(first + way, null, series)) {
        return;
      }
    }
    places.set(first + (int) (series.hash() >>> 60) % WAYS, series);
  }

  private int firstPlace(long hash) {
    return (int) hash & (places.length() - WAYS);
  }
}
