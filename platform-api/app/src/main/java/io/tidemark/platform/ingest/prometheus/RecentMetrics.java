package io.tidemark.platform.ingest.prometheus;

import java.util.Arrays;

/**
 * Metrics of the request at hand, found again by what names them in the body, before anything is
 * written for them. There is room for some; a later one takes the place of an earlier one.
 */
final class RecentMetrics {

  static final int UNKNOWN = -1;

  /** A power of two. */
  private static final int ROOM = 256;

  private final byte[] body;
  private final int[] numbers = new int[ROOM];
  private final int[] resources = new int[ROOM];
  private final PointKind[] kinds = new PointKind[ROOM];
  private final int[] nameAt = new int[ROOM];
  private final int[] nameSize = new int[ROOM];
  private final int[] help = new int[ROOM];
  private final int[] unit = new int[ROOM];

  RecentMetrics(byte[] body) {
    this.body = body;
  }

  /** Where a metric is, or would be. */
  int place(int resource, PointKind kind, SeriesLabels labels) {
    long hash = SeededHash.of(body, labels.metricNameAt(), labels.metricNameSize());
    return (int) (hash + 31L * resource + kind.ordinal()) & (ROOM - 1);
  }

  /** The number of the metric of a series at its place; {@link #UNKNOWN} when it is not there. */
  int find(int place, int resource, PointKind kind, SeriesDraft series) {
    SeriesLabels labels = series.labels();
    int at = labels.metricNameAt();
    int size = labels.metricNameSize();
    boolean isSame =
        kinds[place] == kind
            && resources[place] == resource
            && help[place] == series.help
            && unit[place] == series.unit
            && nameSize[place] == size
            && Arrays.equals(body, at, at + size, body, nameAt[place], nameAt[place] + size);
    return isSame ? numbers[place] : UNKNOWN;
  }

  /** Puts the metric of a series at its place. */
  void put(int place, int resource, PointKind kind, SeriesDraft series, int number) {
    numbers[place] = number;
    resources[place] = resource;
    kinds[place] = kind;
    nameAt[place] = series.labels().metricNameAt();
    nameSize[place] = series.labels().metricNameSize();
    help[place] = series.help;
    unit[place] = series.unit;
  }
}
